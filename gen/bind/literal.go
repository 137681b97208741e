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
	"github.com/aiongen/aiongen/aion/diag"
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
	if strings.Contains(source, placeholder) {
		b.literalFault(text, strings.Index(source, placeholder), "the character U+E000 is not allowed")
		return target{}, false
	}
	imports, ok := b.literalImports(text, source)
	if !ok {
		return target{}, false
	}
	prefix := "package " + b.pkg.Name + "\n" + imports + "var _ = "
	file, err := parser.ParseFile(b.pkg.Fset, "", prefix+source, parser.SkipObjectResolution)
	if err != nil {
		b.literalFaults(text, len(prefix), err)
		return target{}, false
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	faults := b.pkg.CheckFile(file, info)
	for _, fault := range faults {
		b.literalFault(text, b.pkg.Fset.PositionFor(fault.Pos, false).Offset-len(prefix), fault.Msg)
	}
	last := file.Decls[len(file.Decls)-1].(*ast.GenDecl)
	lit, isLit := last.Specs[0].(*ast.ValueSpec).Values[0].(*ast.FuncLit)
	if len(faults) > 0 || !isLit {
		if !isLit {
			b.badReference(text)
		}
		return target{}, false
	}
	t := target{
		obj:     types.NewFunc(token.NoPos, b.pkg.Types, "the function literal", info.TypeOf(lit).(*types.Signature)),
		sig:     info.TypeOf(lit).(*types.Signature),
		literal: lit,
		uses:    info.Uses,
	}
	return b.accept(text, t)
}

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

// literalFault reports a Go error at an offset of the literal, where the text
// stands in the file as it reads, else at the text as a whole.
func (b *binder) literalFault(text aion.Text, offset int, message string) {
	at := text.Span
	lead := len(text.Value) - len(strings.TrimLeft(text.Value, " \t\r\n"))
	offset += lead
	if verbatim := at.End.Offset-at.Start.Offset == len(text.Value)+2; verbatim && 0 <= offset && offset <= len(text.Value) {
		before := text.Value[:offset]
		pos := diag.Pos{Offset: at.Start.Offset + 1 + offset, Line: at.Start.Line + strings.Count(before, "\n")}
		if line := strings.LastIndexByte(before, '\n'); line >= 0 {
			pos.Column = offset - line
		} else {
			pos.Column = at.Start.Column + 1 + offset
		}
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
	if err := printer.Fprint(&out, b.pkg.Fset, decl); err != nil {
		return err
	}
	f.Literal = &model.Literal{Line: text.Span.Start.Line}
	for i, plain := range strings.Split(strings.ReplaceAll(out.String(), placeholder+"."+placeholder, placeholder), placeholder) {
		if i > 0 {
			f.Literal.Pieces = append(f.Literal.Pieces, names[i-1])
		}
		f.Literal.Pieces = append(f.Literal.Pieces, model.Piece{Text: plain})
	}
	return nil
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
			if obj := t.uses[n]; obj != nil && obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
				hide(obj, n)
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
