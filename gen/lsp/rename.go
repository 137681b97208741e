package lsp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
)

// prepareRename returns the name at a position if it can be changed: the name of a tool, of a
// parameter of a lambda, or of an argument that is a parameter of a Go function.
func (v *view) prepareRename(p protocol.PositionParams) (*protocol.PrepareRenameResult, error) {
	offset := v.offset(p.Position)
	if el := v.elementNamedAt(offset); el != nil {
		at := el.Name.Between(0, len(el.Name.Value))
		return &protocol.PrepareRenameResult{Range: v.spanRange(at), Placeholder: el.Name.Value}, nil
	}
	if p := v.lambdaParameterAt(offset); p != nil {
		return &protocol.PrepareRenameResult{Range: v.spanRange(p.at), Placeholder: p.name}, nil
	}
	b, ok := v.bindingAt(offset)
	if !ok || b.IsFunction() || !contains(b.Span, offset) || b.Declared.File == "" {
		return nil, nil
	}
	return &protocol.PrepareRenameResult{Range: v.spanRange(b.Span), Placeholder: b.Name}, nil
}

// toolName matches the names that a tool may have.
var toolName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)

// rename changes the name of a tool, or of a parameter of a Go function or lambda.
func (v *view) rename(p protocol.RenameParams) (*protocol.WorkspaceEdit, error) {
	offset := v.offset(p.Position)
	if v.elementNamedAt(offset) != nil {
		return v.renameTool(offset, p.NewName)
	}
	if found := v.lambdaParameterAt(offset); found != nil {
		return v.renameLambdaParameter(found, p.NewName)
	}
	return v.renameParameter(offset, p.NewName)
}

// renameTool changes the name of a tool in the document, and in the annotations of its package.
func (v *view) renameTool(offset int, name string) (*protocol.WorkspaceEdit, error) {
	if !toolName.MatchString(name) {
		return nil, invalidParams("%q is not a valid tool name: write a letter or _, then letters, digits, _ and -, at most 64 characters", name)
	}
	text := v.elementNamedAt(offset).Name
	isTaken := func(el *aion.Element) bool { return el.Name.Value == name && name != text.Value }
	if slices.ContainsFunc(v.parse().Elements, isTaken) {
		return nil, invalidParams("the file has another tool with the name %q", name)
	}
	edits := []documentEdit{{v.document, protocol.TextEdit{Range: v.spanRange(text.Between(0, len(text.Value))), NewText: name}}}
	if v.module == nil {
		return v.server.newEdit(edits), nil
	}
	names, _ := os.ReadDir(filepath.Dir(v.path))
	for _, e := range names {
		if filepath.Ext(e.Name()) != ".go" || strings.HasSuffix(e.Name(), ".aion.go") {
			continue
		}
		d := v.module.document(filepath.Join(filepath.Dir(v.path), e.Name()))
		for _, at := range findAnnotations(d.text, text.Value) {
			edits = append(edits, documentEdit{d, protocol.TextEdit{Range: d.rangeOf(at[0], at[1]), NewText: strconv.Quote(name)}})
		}
	}
	return v.server.newEdit(edits), nil
}

// findAnnotations returns the places in a Go file where calls of tool.Annotate name a tool.
func findAnnotations(text []byte, tool string) (found [][2]int) {
	fset := token.NewFileSet()
	file, _ := parser.ParseFile(fset, "", text, parser.SkipObjectResolution) // a file with errors is read as far as possible
	if file == nil {
		return nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		fun, isSelector := call.Fun.(*ast.SelectorExpr)
		arg, isLiteral := call.Args[0].(*ast.BasicLit)
		if isSelector && isLiteral && fun.Sel.Name == "Annotate" && arg.Kind == token.STRING {
			if name, err := strconv.Unquote(arg.Value); err == nil && name == tool {
				found = append(found, [2]int{fset.Position(arg.Pos()).Offset, fset.Position(arg.End()).Offset})
			}
		}
		return true
	})
	return found
}

// renameParameter changes the name of a Go parameter in its function, and in the entries of
// args_schema that name it.
func (v *view) renameParameter(offset int, name string) (*protocol.WorkspaceEdit, error) {
	b, ok := v.bindingAt(offset)
	if !ok || b.IsFunction() || b.Declared.File == "" || !contains(b.Span, offset) {
		return nil, invalidParams("only tools and arguments that are parameters of a Go function can be renamed")
	}
	name = strings.TrimSpace(name)
	if !token.IsIdentifier(name) || name == "_" {
		return nil, invalidParams("%q is not a valid name of a Go parameter", name)
	}
	d := v.open(b.Declared.File)
	if !isWithin(v.module.dir, d.path) {
		return nil, invalidParams("%s is declared in another module", b.Name)
	}
	uses, err := findUses(d, d.offsetOf(b.Declared.Start), name)
	if err != nil {
		return nil, err
	}
	var edits []documentEdit
	for _, at := range uses {
		edits = append(edits, documentEdit{d, protocol.TextEdit{Range: d.rangeOf(at, at+len(b.Name)), NewText: name}})
	}
	for _, other := range v.module.session.Bindings() {
		document := v.open(other.Span.File)
		key := string(document.text[other.Span.Start.Offset:other.Span.End.Offset])
		if other.Declared == b.Declared && !strings.HasPrefix(key, "arg-") {
			edits = append(edits, documentEdit{document, protocol.TextEdit{Range: document.spanRange(other.Span), NewText: goname.SnakeCase(name)}})
		}
	}
	return v.server.newEdit(edits), nil
}

// findUses returns the offsets of the identifiers that refer to the parameter declared at an
// offset. It fails if the function already uses the new name.
func findUses(d *document, declared int, name string) (found []int, err error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", d.text, 0)
	if err != nil {
		return nil, invalidParams("the Go file has errors: %v", err)
	}
	for _, decl := range file.Decls {
		function, ok := decl.(*ast.FuncDecl)
		if !ok || declared < fset.Position(function.Pos()).Offset || declared > fset.Position(function.End()).Offset {
			continue
		}
		idents := map[*ast.Object][]int{} //nolint:staticcheck // parameters are resolved within a file
		ast.Inspect(function, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if id.Name == name {
					err = invalidParams("the function already uses the name %s", name)
				}
				if id.Obj != nil {
					idents[id.Obj] = append(idents[id.Obj], fset.Position(id.Pos()).Offset)
				}
			}
			return true
		})
		for _, offsets := range idents {
			if slices.Contains(offsets, declared) {
				return offsets, err
			}
		}
	}
	return nil, invalidParams("the declaration was not found")
}
