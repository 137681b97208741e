package resolve

import (
	"errors"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/nesting"
)

// A Literal is a function literal: its syntax tree, and what go/types found.
type Literal struct {
	*ast.FuncLit
	Info   *types.Info
	Lambda *Lambda // nil if it was written in Go
}

// resolveLiteral type-checks a function literal in the scope of the package,
// with the imports of all its files.
func (r *resolving) resolveLiteral(text aion.Text) (Function, bool) {
	source := strings.TrimSpace(text.Value)
	begin := strings.Index(text.Value, source)
	expr, err := nesting.Parse(source)
	if deep, ok := errors.AsType[*nesting.Error](err); ok {
		at := text.Pos(min(begin+int(deep.Pos)-1, len(text.Value))) // positions in an expression count from 1
		r.faults.Errorf("too-deep", diag.Span{File: text.Span.File, Start: at, End: at}, "%v", deep).
			WithHelp("declare the function in a Go file, with named types for the parts of a deep type")
		return Function{}, false
	}
	if err != nil {
		r.literalFaults(text, begin, err)
		return Function{}, false
	}
	mentioned := load.Qualifiers(expr)
	imports, ok := r.literalImports(text, mentioned)
	if !ok {
		return Function{}, false
	}
	prefix := literalPrefix(r.pkg.Name, text.Pos(begin).Line)
	file, err := r.pkg.ParseFile(r.write.Target.Source+path.Base(text.Span.File), prefix+source)
	if err != nil {
		r.literalFaults(text, begin-len(prefix), err)
		return Function{}, false
	}
	lit, ok := file.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0].(*ast.FuncLit)
	if !ok {
		r.badReference(text)
		return Function{}, false
	}
	file.Decls = append([]ast.Decl{imports}, file.Decls...)
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	sound := true
	for _, fault := range r.pkg.CheckFile(file, info) {
		if fault.Soft && !fault.Pos.IsValid() {
			continue // an import that the literal does not use
		}
		sound = false
		d := r.literalFault(text, begin-len(prefix)+r.pkg.Fset.PositionFor(fault.Pos, false).Offset, fault.Msg)
		name, undefined := strings.CutPrefix(fault.Msg, "undefined: ")
		if undefined && name == "deps" && len(r.injected) > 0 {
			in := r.injected[0]
			d.WithHelp("deps is for lambdas: a literal takes what is injected as a parameter, func(%s %s, …)", goname.Unexported(in.Name()), r.pkg.TypeName(in.Type()))
			continue
		}
		if undefined && !r.LeftOut(d, r.pkg.Types, "", name) && mentioned[name] {
			d.WithHelp("to use a package, import it in a Go file of package %s", r.pkg.Name)
		}
	}
	return Function{Sig: info.TypeOf(lit).(*types.Signature), Literal: &Literal{FuncLit: lit, Info: info}}, sound
}

// literalPrefix is what makes a file of a literal, such that the literal's lines
// are those of the .aion file.
func literalPrefix(pkg string, line int) string {
	return "package " + pkg + ";" + strings.Repeat("\n", line-1) + "var _ = "
}

// literalImports is an import declaration of the packages that a literal
// mentions, by the names that the package's files know them by.
func (r *resolving) literalImports(text aion.Text, mentioned map[string]bool) (decl *ast.GenDecl, ok bool) {
	decl = &ast.GenDecl{Tok: token.IMPORT}
	for _, path := range r.importedPaths(".") {
		decl.Specs = append(decl.Specs, importSpec(".", path))
	}
	for _, name := range slices.Sorted(maps.Keys(mentioned)) {
		paths := r.importedPaths(name)
		if len(paths) > 1 {
			r.faults.Errorf("ambiguous-import", text.Span, "%s is %s in one file of package %s, and %s in another", name, paths[0], r.pkg.Name, paths[1]).
				WithHelp("import one of them under another name")
			return nil, false
		}
		for _, path := range paths {
			decl.Specs = append(decl.Specs, importSpec(name, path))
		}
	}
	return decl, true
}

func importSpec(name, path string) *ast.ImportSpec {
	return &ast.ImportSpec{Name: ast.NewIdent(name), Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(path)}}
}

// literalFaults reports the syntax errors of what was parsed of a text from an
// offset on.
func (r *resolving) literalFaults(text aion.Text, begin int, err error) {
	list, ok := errors.AsType[scanner.ErrorList](err)
	if !ok {
		r.literalFault(text, 0, err.Error())
		return
	}
	list.RemoveMultiples()
	for _, e := range list {
		r.literalFault(text, begin+e.Pos.Offset, e.Msg)
	}
}

// literalFault reports a Go error at an offset of a text.
func (r *resolving) literalFault(text aion.Text, offset int, message string) *diag.Diagnostic {
	pos := text.Pos(min(max(0, offset), len(text.Value)))
	at := diag.Span{File: text.Span.File, Start: pos, End: pos}
	return r.faults.Errorf("bad-literal-function", at, "the function literal does not compile: %s", message).SplitMessage()
}
