// Package source reads the comments and declarations of Go packages.
//
// A DocReader reads facts about a package and its imports that type information lacks, such as
// comments and the use of iota. ReadAnnotations, ReadInjections and similar functions read the
// calls of tool.Annotate, tool.Inject and so on that are values of package-level variables.
package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/protodesc"
)

// A DocReader reads the comments of a package and its imports.
type DocReader struct {
	pkg     *load.Package
	own     *PackageDoc
	sources map[string]*PackageDoc // other packages, by path
}

// NewDocReader returns a DocReader for a loaded package.
func NewDocReader(pkg *load.Package) *DocReader {
	return &DocReader{pkg: pkg, sources: map[string]*PackageDoc{}}
}

// Prefetch reads the comments of the package itself, which must have been parsed.
func (r *DocReader) Prefetch() { r.own = ReadDocs(r.pkg.Files) }

// PackageDoc returns the comments of a package. They are empty if p is nil or its source
// cannot be read.
func (r *DocReader) PackageDoc(p *types.Package) *PackageDoc {
	switch {
	case p == nil:
		return &PackageDoc{}
	case p.Path() == r.pkg.Path && r.own != nil:
		return r.own
	}
	if known, ok := r.sources[p.Path()]; ok {
		return known
	}
	s := ReadDocs(r.pkg.Syntax(p.Path()))
	r.sources[p.Path()] = s
	return s
}

// SystemNames returns the names that occur in constant declarations for only some operating systems: the
// names of the constants and of their types.
func (r *DocReader) SystemNames(p *types.Package) map[string]bool {
	return ReadDocs(r.pkg.SystemFiles(p.Path())).Constant
}

// PackageDoc holds facts that only the source of a package contains. The keys of maps are
// names of the form Func, Type, Type.Method, Type.Field, Const and Var.
type PackageDoc struct {
	Text      map[string]string
	Fields    map[token.Pos]string   // comments of struct fields, by the position of their names
	Tags      map[token.Pos]Extent   // tags of struct fields, by the position of their names
	Functions map[string]FunctionDoc // descriptions of parameters and results
	Consts    []string               // in source order
	Constant  map[string]bool        // all names in declarations of constants and of aliases, such as those of constants and of their types
	Flags     map[string]bool        // constants that are written as shifts
	Counted   map[string]bool        // constants that are written with iota
	Extents   map[string]Extent
	Imports   map[string]bool             // paths of the packages that it imports
	FuncDecls map[string]*ast.FuncDecl    // functions and methods
	Declared  map[string][]*ast.Ident     // the identifiers that declare a name at package level, or a method; several for init and _, or if the package does not compile
	Populated map[string][]PopulatedField // fields that the MarshalJSON of a type writes; see readPopulated
	Decoded   map[string][]string         // types whose UnmarshalJSON decodes into their fields, except for these members; see decodeReader

	Descriptors []ast.Expr // of files of Protocol Buffers
}

// An Extent is the position of a declaration.
type Extent struct{ From, To token.Pos }

// Contains reports whether pos is in the extent.
func (e Extent) Contains(pos token.Pos) bool { return e.From <= pos && pos < e.To }

// ReadDocs returns the comments in the files of a package.
func ReadDocs(files []*ast.File) *PackageDoc {
	d := &PackageDoc{
		Text: map[string]string{}, Fields: map[token.Pos]string{}, Tags: map[token.Pos]Extent{}, Functions: map[string]FunctionDoc{},
		Constant: map[string]bool{}, Flags: map[string]bool{}, Counted: map[string]bool{}, Extents: map[string]Extent{}, Imports: map[string]bool{}, FuncDecls: map[string]*ast.FuncDecl{}, Declared: map[string][]*ast.Ident{},
		Populated: map[string][]PopulatedField{}, Decoded: map[string][]string{},
	}
	var unmarshal []*ast.FuncDecl // methods UnmarshalJSON
	definitions := map[string]ast.Expr{}
	for _, file := range files {
		for _, spec := range file.Imports {
			if path, err := strconv.Unquote(spec.Path.Value); err == nil {
				d.Imports[path] = true
			}
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				d.readFunction(decl)
				if decl.Name.Name == "UnmarshalJSON" && decl.Recv != nil && len(decl.Recv.List) == 1 && decl.Body != nil {
					unmarshal = append(unmarshal, decl)
				}
			case *ast.GenDecl:
				d.readDecl(decl)
				addDefinitions(definitions, decl)
			}
		}
	}
	d.readDecoded(unmarshal, definitions)
	return d
}

// addDefinitions adds the types that a declaration defines, without aliases and generic types.
func addDefinitions(definitions map[string]ast.Expr, decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		if t, ok := spec.(*ast.TypeSpec); ok && !t.Assign.IsValid() && t.TypeParams == nil {
			definitions[t.Name.Name] = t.Type
		}
	}
}

func (d *PackageDoc) readFunction(decl *ast.FuncDecl) {
	name := decl.Name.Name
	if decl.Recv != nil && len(decl.Recv.List) == 1 {
		name = load.TypeIdent(decl.Recv.List[0].Type).Name + "." + name
	}
	d.Text[name], d.Functions[name] = splitFunctionComment(decl.Doc, decl.Type)
	d.FuncDecls[name] = decl
	d.declareName(name, decl.Name, Extent{decl.Pos(), decl.Type.End()})
	d.readFields("", decl.Type)
	if typeName, isMarshal := strings.CutSuffix(name, ".MarshalJSON"); isMarshal && decl.Body != nil {
		if fields, ok := readPopulated(decl.Body.List); ok {
			d.Populated[typeName] = fields
		}
	}
}

// declareName records the identifier that declares a name, and the extent of the declaration.
func (d *PackageDoc) declareName(name string, id *ast.Ident, extent Extent) {
	d.Declared[name], d.Extents[name] = append(d.Declared[name], id), extent
}

// OnlyStatement returns the body of a function or method if it is a single statement. Otherwise it returns nil.
func (d *PackageDoc) OnlyStatement(name string) ast.Stmt {
	if decl := d.FuncDecls[name]; decl != nil && decl.Body != nil && len(decl.Body.List) == 1 {
		return decl.Body.List[0]
	}
	return nil
}

// Returned returns the expression of a function or method whose body is one return statement with one
// expression. For others it returns nil.
func (d *PackageDoc) Returned(name string) ast.Expr {
	if s, ok := d.OnlyStatement(name).(*ast.ReturnStmt); ok && len(s.Results) == 1 {
		return s.Results[0]
	}
	return nil
}

func (d *PackageDoc) readDecl(decl *ast.GenDecl) {
	var values []ast.Expr // of the last constant that had any; constants without values repeat them
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			d.readType(decl, spec)
		case *ast.ValueSpec:
			if len(spec.Values) > 0 {
				values = spec.Values
			}
			if decl.Tok == token.CONST {
				d.addNames(spec)
			}
			d.readValues(decl, spec, values)
		}
	}
}

func (d *PackageDoc) readType(decl *ast.GenDecl, spec *ast.TypeSpec) {
	name := spec.Name.Name
	d.declareName(name, spec.Name, Extent{spec.Pos(), spec.End()})
	d.Text[name] = specText(decl, spec.Doc, spec.Comment)
	if spec.Assign.IsValid() {
		d.addNames(spec.Type)
	}
	d.readFields(name, spec.Type)
	if i, ok := spec.Type.(*ast.InterfaceType); ok {
		d.readMethods(name, i)
	}
}

// specText returns the comment of a specification or, if it is the only one of its declaration, of the declaration.
func specText(decl *ast.GenDecl, groups ...*ast.CommentGroup) string {
	if !decl.Lparen.IsValid() {
		groups = append(groups, decl.Doc)
	}
	return firstText(groups...)
}

// readMethods reads the comments of the methods of an interface.
func (d *PackageDoc) readMethods(owner string, t *ast.InterfaceType) {
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
			d.Text[key], d.Functions[key] = splitFunctionComment(group, f)
			d.Extents[key] = Extent{m.Pos(), m.End()}
		}
	}
}

// readFields reads the comments of the fields of all structs in a type. It also stores
// those of the outermost struct by name.
func (d *PackageDoc) readFields(owner string, t ast.Expr) {
	ast.Inspect(t, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			for _, field := range n.Fields.List {
				d.readField(owner, field, n == t)
			}
		case *ast.Ident, *ast.BasicLit, *ast.CommentGroup, *ast.SelectorExpr: // most nodes, which contain no structs
			return false
		}
		return true
	})
}

// readField reads the comment of a field declaration. If direct is true, the field belongs
// to the outermost struct.
func (d *PackageDoc) readField(owner string, field *ast.Field, direct bool) {
	text := firstText(field.Doc, field.Comment)
	names := field.Names
	if len(names) == 0 {
		names = []*ast.Ident{load.TypeIdent(field.Type)}
	}
	for _, name := range names {
		d.Fields[name.Pos()] = text
		if field.Tag != nil {
			d.Tags[name.Pos()] = Extent{field.Tag.Pos(), field.Tag.End()}
		}
		if direct {
			d.Text[owner+"."+name.Name] = text
		}
	}
}

func (d *PackageDoc) readValues(decl *ast.GenDecl, spec *ast.ValueSpec, values []ast.Expr) {
	for i, name := range spec.Names {
		d.declareName(name.Name, name, Extent{spec.Pos(), spec.End()})
		d.Text[name.Name] = specText(decl, spec.Doc, spec.Comment)
		if i < len(values) && protodesc.IsDescriptor(name.Name) {
			d.Descriptors = append(d.Descriptors, values[i])
		}
		if decl.Tok == token.CONST {
			d.Consts = append(d.Consts, name.Name)
			if i < len(values) {
				d.Flags[name.Name], d.Counted[name.Name] = contains(values[i], isShift), contains(values[i], isIota)
			}
		}
	}
}

// addNames adds the names in a declaration to Constant.
func (d *PackageDoc) addNames(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok {
			d.Constant[name.Name] = true
		}
		return true
	})
}

// contains reports whether match returns true for a node in e.
func contains(e ast.Expr, match func(ast.Node) bool) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		found = found || match(n)
		return !found
	})
	return found
}

// isIota reports whether a node is iota, with which constants are numbered.
func isIota(n ast.Node) bool {
	name, ok := n.(*ast.Ident)
	return ok && name.Name == "iota"
}

// isShift reports whether a node is a shift, by which bit flags are written.
func isShift(n ast.Node) bool {
	b, ok := n.(*ast.BinaryExpr)
	return ok && b.Op == token.SHL
}
