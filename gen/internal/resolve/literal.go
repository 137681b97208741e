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
	"sync"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/budget"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/load"
)

// A Literal is a function literal with its types.
type Literal struct {
	*ast.FuncLit
	Info   *types.Info
	Lambda *Lambda // nil if it was written in Go
}

// resolveLiteral type-checks a function literal in the scope of the package, with the imports
// of all its files.
func (r *resolver) resolveLiteral(text aion.Text) (Function, bool) {
	source := strings.TrimSpace(text.Value)
	begin := strings.Index(text.Value, source)
	at := newSpanFinder(text)
	expr, err := budget.ParseExpr(source)
	if deep, ok := errors.AsType[*budget.NestingError](err); ok {
		r.faults.Errorf("too-deep", at(begin+int(deep.Pos)-1), "%v", deep). // positions in an expression count from 1
											WithHelp("declare the function in a Go file, with named types for the parts of a deep type")
		return Function{}, false
	}
	if err != nil {
		r.reportLiteralFaults(at, begin, err)
		return Function{}, false
	}
	qualifiers := load.Qualifiers(expr)
	imports, ok := r.literalImports(text, qualifiers)
	if !ok {
		return Function{}, false
	}
	name, prefix := r.write.Target.Source+path.Base(text.Span.File), "package "+r.pkg.Name+"; var _ = "
	file, err := r.pkg.ParseFile(name, prefix+source)
	if err != nil {
		r.reportLiteralFaults(at, begin-len(prefix), err)
		return Function{}, false
	}
	lit, ok := file.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0].(*ast.FuncLit)
	if !ok {
		r.reportBadReference(text)
		return Function{}, false
	}
	start := at(begin).Start // messages show positions in the literal as positions in the .aion file
	r.pkg.Fset.File(file.FileStart).AddLineColumnInfo(len(prefix), name, start.Line, start.Column)
	file.Decls = append([]ast.Decl{imports}, file.Decls...)
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	faults := slices.DeleteFunc(r.pkg.CheckFile(file, info), func(fault types.Error) bool {
		return fault.Soft && !fault.Pos.IsValid() // an unused import
	})
	for _, fault := range faults[:min(len(faults), maxLiteralFaults)] {
		d := r.reportLiteralFault(at(begin-len(prefix)+r.pkg.Fset.PositionFor(fault.Pos, false).Offset), fault.Msg)
		if name, undefined := strings.CutPrefix(fault.Msg, "undefined: "); undefined {
			r.helpWithUndefined(d, name, qualifiers[name])
		}
	}
	return Function{Sig: info.TypeOf(lit).(*types.Signature), Literal: &Literal{FuncLit: lit, Info: info}}, len(faults) == 0
}

// helpWithUndefined adds help for an undeclared name in a literal. The parameter qualifies says whether the
// literal uses the name like that of a package.
func (r *resolver) helpWithUndefined(d *diag.Diagnostic, name string, qualifies bool) {
	switch {
	case name == "deps" && len(r.injected) > 0:
		in := r.injected[0]
		d.WithHelp("deps exists only in lambdas: a literal takes injected values as parameters, func(%s %s, …)", goname.Unexported(in.Name()), r.pkg.TypeName(in.Type()))
	case !r.helpWithLeftOut(d, r.pkg.Types, "", name) && qualifies:
		d.WithHelp("to use a package, import it in a Go file of package %s", r.pkg.Name)
	}
}

// maxLiteralFaults limits how many errors of one literal are reported.
const maxLiteralFaults = 100

// newSpanFinder returns a function that converts an offset in a text to the position in the file.
func newSpanFinder(text aion.Text) func(offset int) diag.Span {
	index := sync.OnceValue(text.Index)
	return func(offset int) diag.Span {
		offset = min(max(0, offset), len(text.Value))
		return index().Between(offset, offset)
	}
}

// literalImports returns an import declaration for the packages that a literal uses. They have the
// same names as in the files of the package.
func (r *resolver) literalImports(text aion.Text, qualifiers map[string]bool) (decl *ast.GenDecl, ok bool) {
	decl = &ast.GenDecl{Tok: token.IMPORT}
	for _, path := range r.importedPaths(".") {
		decl.Specs = append(decl.Specs, importSpec(".", path))
	}
	for _, name := range slices.Sorted(maps.Keys(qualifiers)) {
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

// reportLiteralFaults reports the syntax errors of a literal that begins at an offset of the text.
func (r *resolver) reportLiteralFaults(at func(offset int) diag.Span, begin int, err error) {
	list, ok := errors.AsType[scanner.ErrorList](err)
	if !ok {
		r.reportLiteralFault(at(0), err.Error())
		return
	}
	list.RemoveMultiples()
	for _, e := range list[:min(len(list), maxLiteralFaults)] {
		r.reportLiteralFault(at(begin+e.Pos.Offset), e.Msg)
	}
}

// reportLiteralFault reports a Go error in a literal.
func (r *resolver) reportLiteralFault(at diag.Span, message string) *diag.Diagnostic {
	return r.faults.Errorf("bad-literal-function", at, "the function literal does not compile: %s", message).SplitMessage()
}
