package bind

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// A literal is a function literal: its syntax tree, and what go/types found.
type literal struct {
	*ast.FuncLit
	info   *types.Info
	lambda *lambdaText    // nil if it was written in Go
	made   *model.Literal // what it is generated as
}

// resolveLiteral type-checks a function literal in the scope of the package,
// with the imports of all its files.
func (b *binder) resolveLiteral(text aion.Text) (target, bool) {
	source := strings.TrimSpace(text.Value)
	begin := strings.Index(text.Value, source)
	expr, err := parser.ParseExpr(source)
	if err != nil {
		b.literalFaults(text, begin, err)
		return target{}, false
	}
	mentioned := qualifiers(expr)
	imports, ok := b.literalImports(text, mentioned)
	if !ok {
		return target{}, false
	}
	prefix := literalPrefix(b.pkg.Name, text.Pos(begin).Line)
	file, err := parser.ParseFile(b.pkg.Fset, b.file.Source, prefix+source, parser.SkipObjectResolution)
	if err != nil {
		b.literalFaults(text, begin-len(prefix), err)
		return target{}, false
	}
	lit, ok := file.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0].(*ast.FuncLit)
	if !ok {
		b.badReference(text)
		return target{}, false
	}
	file.Decls = append([]ast.Decl{imports}, file.Decls...)
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	sound := true
	for _, fault := range b.pkg.CheckFile(file, info) {
		if fault.Soft && !fault.Pos.IsValid() {
			continue // an import that the literal does not use
		}
		sound = false
		d := b.literalFault(text, begin-len(prefix)+b.pkg.Fset.PositionFor(fault.Pos, false).Offset, fault.Msg)
		name, undefined := strings.CutPrefix(fault.Msg, "undefined: ")
		if undefined && !b.leftOut(d, b.pkg.Types, "", name) && mentioned[name] {
			d.WithHelp("to use a package, import it in a Go file of package %s", b.pkg.Name)
		}
	}
	return target{sig: info.TypeOf(lit).(*types.Signature), literal: &literal{FuncLit: lit, info: info}}, sound
}

// literalPrefix is what makes a file of a literal, such that the literal's lines
// are those of the .aion file.
func literalPrefix(pkg string, line int) string {
	return "package " + pkg + ";" + strings.Repeat("\n", line-1) + "var _ = "
}

// qualifiers are the names that something is selected of, such as those of packages.
func qualifiers(expr ast.Expr) map[string]bool {
	mentioned := map[string]bool{}
	ast.Inspect(expr, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				mentioned[x.Name] = true
			}
		}
		return true
	})
	return mentioned
}

// literalImports is an import declaration of the packages that a literal
// mentions, by the names that the package's files know them by.
func (b *binder) literalImports(text aion.Text, mentioned map[string]bool) (decl *ast.GenDecl, ok bool) {
	decl = &ast.GenDecl{Tok: token.IMPORT}
	for _, path := range b.importedPaths(".") {
		decl.Specs = append(decl.Specs, importSpec(".", path))
	}
	for _, name := range slices.Sorted(maps.Keys(mentioned)) {
		paths := b.importedPaths(name)
		if len(paths) > 1 {
			b.faults.Errorf("ambiguous-import", text.Span, "%s is %s in one file of package %s, and %s in another", name, paths[0], b.pkg.Name, paths[1]).
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

// importedPaths are the packages that files of the package import by a name.
func (b *binder) importedPaths(name string) []string {
	var paths []string
	for _, file := range b.pkg.Files {
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if b.declaredName(spec, path) == name && !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// declaredName is the name that an import declares; "" if its package is unknown.
func (b *binder) declaredName(spec *ast.ImportSpec, path string) string {
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

// literalFaults reports the syntax errors of what was parsed of a text from an
// offset on.
func (b *binder) literalFaults(text aion.Text, begin int, err error) {
	list, ok := errors.AsType[scanner.ErrorList](err)
	if !ok {
		b.literalFault(text, 0, err.Error())
		return
	}
	list.RemoveMultiples()
	for _, e := range list {
		b.literalFault(text, begin+e.Pos.Offset, e.Msg)
	}
}

// literalFault reports a Go error at an offset of a text.
func (b *binder) literalFault(text aion.Text, offset int, message string) *diag.Diagnostic {
	pos := text.Pos(min(max(0, offset), len(text.Value)))
	at := diag.Span{File: text.Span.File, Start: pos, End: pos}
	return b.faults.Errorf("bad-literal-function", at, "the function literal does not compile: %s", message).SplitMessage()
}

// bindLiteral makes a function of a literal.
func (b *binder) bindLiteral(tool *model.Tool, l *literal) error {
	check := b.nameable
	if l.lambda != nil {
		check = b.mentionAll
	}
	if err := check(l); err != nil {
		return err
	}
	f := tool.Func
	f.Path, f.Name = b.target.Path, b.take(goname.Unexported(tool.GoName)+"Func")
	f.Literal = &model.Literal{
		Decl:    &ast.FuncDecl{Name: ast.NewIdent(f.Name), Type: l.Type, Body: l.Body},
		Fset:    b.pkg.Fset,
		Imports: b.importsOf(l),
	}
	if l.lambda != nil {
		f.Literal.Lambda = b.modelLambda(l.lambda)
	}
	l.made = f.Literal
	b.literals = append(b.literals, l)
	return nil
}

// importsOf are the paths of the packages that a literal needs.
func (b *binder) importsOf(l *literal) []string {
	needed := map[string]bool{}
	for _, obj := range l.info.Uses {
		if isPackageLevel(obj) && obj.Pkg().Path() != b.target.Path {
			needed[obj.Pkg().Path()] = true
		}
	}
	return slices.Sorted(maps.Keys(needed))
}

// nameable reports why generated code cannot say what a literal says, and notes
// the packages that it mentions.
func (b *binder) nameable(l *literal) (err error) {
	ast.Inspect(l.FuncLit, func(n ast.Node) bool {
		if err != nil {
			return false
		}
		switch n := n.(type) {
		case *ast.Ident:
			err = b.usable(l, l.info.Uses[n])
		case *ast.CompositeLit:
			err = b.fillable(l, n)
		}
		return true
	})
	return err
}

// usable reports why generated code cannot mention an object.
func (b *binder) usable(l *literal, obj types.Object) error {
	switch {
	case obj == nil, obj.Pkg() == nil, obj.Pkg().Path() == b.target.Path, l.holds(obj):
		return nil
	case !isPackageLevel(obj) && !isMember(obj):
		return nil
	case !obj.Exported():
		return fmt.Errorf("%s is not exported, so package %s cannot use it", obj.Name(), b.target.Name)
	case isMember(obj):
		return nil
	}
	return b.mention(obj)
}

// fillable reports why generated code cannot write a composite literal without
// field names.
func (b *binder) fillable(l *literal, lit *ast.CompositeLit) error {
	s, ok := l.info.TypeOf(lit).Underlying().(*types.Struct)
	if !ok || len(lit.Elts) == 0 {
		return nil
	}
	if _, named := lit.Elts[0].(*ast.KeyValueExpr); named {
		return nil
	}
	for v := range s.Fields() {
		if err := b.usable(l, v); err != nil {
			return err
		}
	}
	return nil
}

// holds reports whether an object is declared in the literal.
func (l *literal) holds(obj types.Object) bool {
	return l.Pos() <= obj.Pos() && obj.Pos() < l.End()
}

func isPackageLevel(obj types.Object) bool {
	return obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()
}

// isMember reports whether an object is a field or a method.
func isMember(obj types.Object) bool {
	switch obj := obj.(type) {
	case *types.Var:
		return obj.IsField()
	case *types.Func:
		return obj.Signature().Recv() != nil
	}
	return false
}

// declared are the names of what the literal declares.
func (l *literal) declared() []string {
	var names []string
	for id := range l.info.Defs {
		if id.Pos() >= l.Pos() { // what is before it are imports
			names = append(names, id.Name)
		}
	}
	return names
}

// qualify rewrites what a literal takes from packages to the names that generated
// code knows these by. What needed none, being of the package of the .aion files
// or a dot import, may need one there.
func (b *binder) qualify(l *literal, names map[string]string) {
	qualified := map[*ast.Ident]bool{} // a lambda's tree may have a node in several places
	astutil.Apply(l.made.Decl, func(c *astutil.Cursor) bool {
		switch n := c.Node().(type) {
		case *ast.SelectorExpr:
			if qualified[n.Sel] {
				return false
			}
			x, _ := n.X.(*ast.Ident)
			if pkg, ok := l.info.Uses[x].(*types.PkgName); ok {
				x.Name = names[pkg.Imported().Path()]
				return false
			}
		case *ast.Ident:
			if obj := l.info.Uses[n]; obj != nil && isPackageLevel(obj) && obj.Pkg().Path() != b.target.Path {
				qualified[n] = true
				c.Replace(&ast.SelectorExpr{X: &ast.Ident{NamePos: n.Pos(), Name: names[obj.Pkg().Path()]}, Sel: n})
				return false
			}
		}
		return true
	}, nil)
}
