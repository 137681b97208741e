// Package godoc reads what only the source of a package says: comments, the
// order of constants, how they are written. Types do not tell, nor does export data.
//
// Its layers, from top to bottom:
//
//	godoc       what packages say of their declarations
//	function    what a function's comment says of parameters and results
//	comment     comments as prose
package godoc

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/load"
)

// A Reader knows the source of a package, and of those that it imports.
type Reader struct {
	pkg     *load.Package
	own     *Source
	sources map[string]*Source // of others, by package path
}

// NewReader returns one for a package that is loaded.
func NewReader(pkg *load.Package) *Reader {
	return &Reader{pkg: pkg, sources: map[string]*Source{}}
}

// Ahead reads what the source of the package itself says, which is parsed, if not checked.
func (r *Reader) Ahead() { r.own = Read(r.pkg.Files) }

// Of returns what the source of a package says beyond its types. A package
// whose source cannot be read has nothing to say, nor has what is in none.
func (r *Reader) Of(p *types.Package) *Source {
	switch {
	case p == nil:
		return &Source{}
	case p.Path() == r.pkg.Path && r.own != nil:
		return r.own
	}
	if known, ok := r.sources[p.Path()]; ok {
		return known
	}
	s := Read(r.pkg.Syntax(p.Path()))
	r.sources[p.Path()] = s
	return s
}

// Source is what only the source of a package says. Keys are Func, Type,
// Type.Method, Type.Field, Const and Var.
type Source struct {
	Text    map[string]string
	Fields  map[token.Pos]string // of struct fields, by the place of their names
	Tags    map[token.Pos]Extent // of struct fields, by the same
	About   map[string]Function  // what functions' comments say of parameters and results
	Consts  []string             // in source order
	Flags   map[string]bool      // constants that are written as shifts
	Extents map[string]Extent
	Returns map[string]ast.Expr // of functions that do nothing but return it
}

// Extent is where a declaration begins and ends.
type Extent struct{ From, To token.Pos }

// Holds reports whether a place is in it.
func (e Extent) Holds(pos token.Pos) bool { return e.From <= pos && pos < e.To }

// Read takes what the files of a package say.
func Read(files []*ast.File) *Source {
	d := &Source{
		Text: map[string]string{}, Fields: map[token.Pos]string{}, Tags: map[token.Pos]Extent{}, About: map[string]Function{},
		Flags: map[string]bool{}, Extents: map[string]Extent{}, Returns: map[string]ast.Expr{},
	}
	for _, file := range files {
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				d.function(decl)
			case *ast.GenDecl:
				d.general(decl)
			}
		}
	}
	return d
}

func (d *Source) function(decl *ast.FuncDecl) {
	name := decl.Name.Name
	if decl.Recv != nil && len(decl.Recv.List) == 1 {
		name = TypeIdent(decl.Recv.List[0].Type).Name + "." + name
	}
	d.Text[name], d.About[name] = functionText(decl.Doc, decl.Type)
	d.Extents[name] = Extent{decl.Pos(), decl.Type.End()}
	d.members("", decl.Type)
	if decl.Body == nil || len(decl.Body.List) != 1 {
		return
	}
	if s, ok := decl.Body.List[0].(*ast.ReturnStmt); ok && len(s.Results) == 1 {
		d.Returns[name] = s.Results[0]
	}
}

func (d *Source) general(decl *ast.GenDecl) {
	var values []ast.Expr // of the last constant that had any: iota repeats them
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			d.typeSpec(decl, spec)
		case *ast.ValueSpec:
			if len(spec.Values) > 0 {
				values = spec.Values
			}
			d.values(decl, spec, values)
		}
	}
}

func (d *Source) typeSpec(decl *ast.GenDecl, spec *ast.TypeSpec) {
	name := spec.Name.Name
	d.Extents[name] = Extent{spec.Pos(), spec.End()}
	d.Text[name] = firstText(spec.Doc, spec.Comment)
	if d.Text[name] == "" && !decl.Lparen.IsValid() {
		d.Text[name] = commentText(decl.Doc)
	}
	d.members(name, spec.Type)
	if i, ok := spec.Type.(*ast.InterfaceType); ok {
		d.methods(name, i)
	}
}

// methods takes the comments of an interface's methods.
func (d *Source) methods(owner string, t *ast.InterfaceType) {
	for _, m := range t.Methods.List {
		f, ok := m.Type.(*ast.FuncType)
		if !ok {
			continue // embedded
		}
		group := m.Doc
		if group == nil {
			group = m.Comment
		}
		for _, name := range m.Names {
			key := owner + "." + name.Name
			d.Text[key], d.About[key] = functionText(group, f)
			d.Extents[key] = Extent{m.Pos(), m.End()}
		}
	}
}

// members takes the comments of the fields of all structs in a type. Those of
// the outermost are known by name, too.
func (d *Source) members(owner string, t ast.Expr) {
	ast.Inspect(t, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			for _, field := range n.Fields.List {
				d.member(owner, field, n == t)
			}
		case *ast.Ident, *ast.BasicLit, *ast.CommentGroup, *ast.SelectorExpr: // most of it
			return false
		}
		return true
	})
}

// member takes what is said of a field, or of several, which may be those of the owner
// itself.
func (d *Source) member(owner string, field *ast.Field, itself bool) {
	text := firstText(field.Doc, field.Comment)
	names := field.Names
	if len(names) == 0 {
		names = []*ast.Ident{TypeIdent(field.Type)}
	}
	for _, name := range names {
		d.Fields[name.Pos()] = text
		if field.Tag != nil {
			d.Tags[name.Pos()] = Extent{field.Tag.Pos(), field.Tag.End()}
		}
		if itself {
			d.Text[owner+"."+name.Name] = text
		}
	}
}

// TypeIdent is the name of a type within what may stand around it: that of a
// receiver, or of an embedded field.
func TypeIdent(t ast.Expr) *ast.Ident {
	switch t := ast.Unparen(t).(type) {
	case *ast.StarExpr:
		return TypeIdent(t.X)
	case *ast.IndexExpr:
		return TypeIdent(t.X)
	case *ast.IndexListExpr:
		return TypeIdent(t.X)
	case *ast.SelectorExpr:
		return t.Sel
	case *ast.Ident:
		return t
	}
	return &ast.Ident{} // Go that does not compile
}

func (d *Source) values(decl *ast.GenDecl, spec *ast.ValueSpec, values []ast.Expr) {
	for i, name := range spec.Names {
		d.Extents[name.Name] = Extent{spec.Pos(), spec.End()}
		d.Text[name.Name] = firstText(spec.Doc, spec.Comment)
		if d.Text[name.Name] == "" && !decl.Lparen.IsValid() {
			d.Text[name.Name] = commentText(decl.Doc)
		}
		if decl.Tok == token.CONST {
			d.Consts = append(d.Consts, name.Name)
			if i < len(values) && shifts(values[i]) {
				d.Flags[name.Name] = true
			}
		}
	}
}

// shifts reports whether a constant is written as a shift, as bit flags are.
func shifts(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && b.Op == token.SHL {
			found = true
		}
		return !found
	})
	return found
}
