package bind

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/model"
)

// resolveLiteral type-checks a function literal in the scope of the package,
// with the imports of all its files.
func (b *binder) resolveLiteral(text aion.Text) (target, bool) {
	source := strings.TrimSpace(text.Value)
	if _, err := parser.ParseExpr(source); err != nil {
		b.literalFaults(text, 0, err)
		return target{}, false
	}
	if at := strings.IndexAny(source, placeholder+lineFile); at >= 0 {
		b.literalFault(text, at, "the characters U+E000 and U+E001 are not allowed")
		return target{}, false
	}
	imports, ok := b.literalImports(text, source)
	if !ok {
		return target{}, false
	}
	prefix := "package " + b.pkg.Name + "\n" + imports + "var _ = "
	file, err := parser.ParseFile(b.pkg.Fset, lineFile, prefix+source, parser.SkipObjectResolution)
	if err != nil {
		b.literalFaults(text, len(prefix), err)
		return target{}, false
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
	}
	sound := true
	for _, fault := range b.pkg.CheckFile(file, info) {
		offset := b.pkg.Fset.PositionFor(fault.Pos, false).Offset - len(prefix)
		if offset < 0 && fault.Soft {
			continue // a dot import that is of no use
		}
		b.literalFault(text, offset, fault.Msg)
		sound = false
	}
	last := file.Decls[len(file.Decls)-1].(*ast.GenDecl)
	lit, isLit := last.Specs[0].(*ast.ValueSpec).Values[0].(*ast.FuncLit)
	if !isLit {
		b.badReference(text)
	}
	if !sound || !isLit {
		return target{}, false
	}
	for id := range info.Defs {
		b.local.reserve(id.Name)
	}
	t := target{
		obj:     types.NewFunc(token.NoPos, b.pkg.Types, "the function literal", info.TypeOf(lit).(*types.Signature)),
		sig:     info.TypeOf(lit).(*types.Signature),
		literal: lit,
		uses:    info.Uses,
	}
	return b.accept(text, t)
}

// lineFile stands for the .aion file in line directives, whose path is for the
// generated file to know. A literal that holds it is refused.
const lineFile = "\uE001"

// literalImports are the import declarations for the packages that a literal
// mentions, by the names that the package's files know them by.
func (b *binder) literalImports(text aion.Text, source string) (decls string, ok bool) {
	expr, _ := parser.ParseExpr(source) // checked before
	var names []string
	ast.Inspect(expr, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && !slices.Contains(names, x.Name) {
				names = append(names, x.Name)
			}
		}
		return true
	})
	for _, path := range b.importedPaths(".") {
		decls += "import . " + strconv.Quote(path) + "\n"
	}
	for _, name := range names {
		paths := b.importedPaths(name)
		if len(paths) > 1 {
			b.faults.Errorf("ambiguous-import", text.Span, "%s is %s in one file of package %s, and %s in another", name, paths[0], b.pkg.Name, paths[1]).
				WithHelp("import one of them under another name")
			return "", false
		}
		for _, path := range paths {
			decls += "import " + name + " " + strconv.Quote(path) + "\n"
		}
	}
	return decls, true
}

// importedPaths are the packages that files of the package import by a name.
func (b *binder) importedPaths(name string) []string {
	var paths []string
	for _, file := range b.pkg.Files {
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if b.importName(spec, path) == name && !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// importName is the name that an import declares; "" if its package is unknown.
func (b *binder) importName(spec *ast.ImportSpec, path string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	for _, p := range b.pkg.Types.Imports() {
		if p.Path() == path {
			return p.Name()
		}
	}
	return ""
}

// literalFaults reports the syntax errors of a literal that begins at an offset
// of what was parsed.
func (b *binder) literalFaults(text aion.Text, begin int, err error) {
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		b.literalFault(text, 0, err.Error())
		return
	}
	list.RemoveMultiples()
	for _, e := range list {
		b.literalFault(text, e.Pos.Offset-begin, e.Msg)
	}
}

// literalFault reports a Go error at an offset of the literal, or at the text as
// a whole where the place cannot be told.
func (b *binder) literalFault(text aion.Text, offset int, message string) {
	at := text.Span
	source := strings.TrimSpace(text.Value)
	if 0 <= offset && offset <= len(source) {
		before := source[:offset]
		lines, pos := strings.Count(before, "\n"), text.Content.Start
		if lines == 0 {
			pos.Column += offset
		} else {
			// A text block takes the same away from each line, so from the last.
			indent := text.Content.End.Column - len(source[strings.LastIndexByte(source, '\n')+1:])
			pos.Column = indent + len(before) - strings.LastIndexByte(before, '\n') - 1
			pos.Offset += lines * (indent - 1)
		}
		pos.Line, pos.Offset = pos.Line+lines, pos.Offset+offset
		at.Start, at.End = pos, pos
	}
	b.faults.Errorf("bad-literal-function", at, "the function literal does not compile: %s", message)
}

// bindLiteral gives a literal a name, and prints it in pieces: what it takes from
// packages is named by the generated file as its imports need it.
func (b *binder) bindLiteral(tool *model.Tool, t target, text aion.Text) error {
	f := tool.Func
	f.Path, f.Name = b.target.Path, b.take(unexported(tool.GoName)+"Func")
	names, err := b.hideNames(t)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	decl := &ast.FuncDecl{Name: ast.NewIdent(f.Name), Type: t.literal.Type, Body: t.literal.Body}
	config := printer.Config{Mode: printer.TabIndent | printer.UseSpaces | printer.SourcePos, Tabwidth: 8}
	if err := config.Fprint(&out, b.pkg.Fset, decl); err != nil {
		return err
	}
	first := b.pkg.Fset.PositionFor(t.literal.Pos(), false).Line
	f.Literal = &model.Literal{Pieces: pieces(out.String(), names, text.Content.Start.Line-first)}
	return nil
}

// pieces takes a printed literal apart, at the names of packages and at the line
// directives. These count lines with so many less before them than there are.
func pieces(text string, names []model.Piece, before int) (list []model.Piece) {
	text = strings.ReplaceAll(text, placeholder+"."+placeholder, placeholder)
	for len(text) > 0 {
		at := strings.IndexAny(text, placeholder+lineFile)
		switch {
		case at < 0:
			return append(list, model.Piece{Text: text})
		case strings.HasPrefix(text[at:], placeholder):
			list = append(list, model.Piece{Text: text[:at]}, names[0])
			names, text = names[1:], text[at+len(placeholder):]
		default:
			number, rest, _ := strings.Cut(text[at+len(lineFile)+len(":"):], "\n")
			line, err := strconv.Atoi(number)
			if err != nil {
				panic(err) // the printer wrote it
			}
			list = append(list, model.Piece{Text: strings.TrimSuffix(text[:at], "//line ")}, model.Piece{Line: line + before})
			text = rest
		}
	}
	return list
}

// placeholder stands for a name of a package while a literal is printed. A
// literal that holds it is refused.
const placeholder = "\uE000"

// hideNames puts a placeholder in the place of each package-level name of a
// literal, and returns these in order.
func (b *binder) hideNames(t target) (names []model.Piece, err error) {
	hide := func(obj types.Object, ids ...*ast.Ident) {
		names = append(names, model.Piece{Path: obj.Pkg().Path(), Name: obj.Name()})
		err = errors.Join(err, b.nameable(obj))
		for _, id := range ids {
			id.Name = placeholder
		}
	}
	ast.Inspect(t.literal, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				if _, qualified := t.uses[x].(*types.PkgName); qualified {
					hide(t.uses[n.Sel], x, n.Sel)
					return false
				}
			}
		case *ast.Ident:
			switch obj := t.uses[n]; {
			case obj == nil || obj.Pkg() == nil:
			case obj.Parent() == obj.Pkg().Scope():
				hide(obj, n)
			case obj.Parent() == nil && !obj.Exported() && obj.Pkg().Path() != b.target.Path: // a field or method
				err = errors.Join(err, fmt.Errorf("%s is not exported, so package %s cannot use it", obj.Name(), b.target.Name))
			}
		}
		return true
	})
	return names, err
}

// nameable reports why generated code cannot refer to an object, and notes its
// package if it can.
func (b *binder) nameable(obj types.Object) error {
	if obj.Pkg().Path() != b.target.Path && !obj.Exported() {
		return fmt.Errorf("%s is not exported, so package %s cannot use it", obj.Name(), b.target.Name)
	}
	return b.mention(obj)
}
