package gen

import (
	"cmp"
	"context"
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/budget"
	"github.com/aiongen/aiongen/gen/internal/contract"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
	"github.com/aiongen/aiongen/internal/words"
)

// A Binding connects a part of an .aion file with a Go object.
type Binding struct {
	Tool     string
	Span     diag.Span // in the .aion file
	Name     string    // of a function or parameter; "" for a function literal
	Type     string    // in Go syntax: "func(words string) error"
	Declared diag.Span // in a Go file; the zero Span if the source is not available

	source    *sourcePackage
	object    types.Object
	signature *types.Signature // of a function
}

// IsFunction reports whether the part is the text of a function property.
func (b Binding) IsFunction() bool { return b.signature != nil }

// A Symbol is a Go declaration that an .aion file can refer to.
type Symbol struct {
	Name     string    // as in an .aion file: Find, (*Store).Find, strings.ToUpper, title
	Type     string    // in Go syntax; for a result of Binding.Constants, the name of the constant
	Doc      string    // its comment
	Declared diag.Span // the zero Span if the source is not available
}

// Bindings returns all bindings of the last run, in the order of packages and files, even if
// the run had errors. It returns nothing if the outcome of the last run came from the cache in
// Config.Memory.
func (s *Session) Bindings() (all []Binding) {
	for _, source := range s.sources() {
		pkg := source.Package
		for _, b := range source.Bound {
			binding := Binding{Tool: b.Tool, Span: b.Span, source: source, object: b.To, signature: b.Sig}
			if b.Sig != nil {
				binding.Type = pkg.TypeName(b.Sig)
			}
			if b.To != nil {
				binding.Name = b.To.Name()
				binding.Type = cmp.Or(binding.Type, pkg.TypeName(b.To.Type()))
				binding.Declared = pkg.DeclarationSpan(b.To)
			}
			all = append(all, binding)
		}
	}
	return all
}

// Documents returns the parsed .aion files of the last run, in the order of packages and
// files. Their names are relative to Config.Dir. It returns nothing if the outcome of the last
// run came from the cache in Config.Memory. The documents must not be changed.
func (s *Session) Documents() (all []*aion.Document) {
	for _, source := range s.sources() {
		all = append(all, source.Docs...)
	}
	return all
}

// A Package is a package with .aion files.
type Package struct {
	Path       string      // import path
	Dir        string      // absolute
	Documents  int         // number of .aion files that could be read
	Directives []diag.Span // the go:generate lines that run aiongen for it
}

// Packages returns the packages of the last run that have .aion files, sorted by import path. It
// returns nothing if the outcome of the last run came from the cache in Config.Memory.
func (s *Session) Packages() (all []Package) {
	for _, source := range s.sources() {
		if len(source.Docs) == 0 {
			continue
		}
		if n := len(all); n == 0 || all[n-1].Path != source.Package.Path {
			all = append(all, Package{Path: source.Package.Path, Dir: source.Package.Dir, Documents: len(source.Docs)})
		}
		if last := &all[len(all)-1]; source.Directive.File != "" {
			last.Directives = append(last.Directives, source.Directive)
		}
	}
	return all
}

// Tools returns the tools of the last run that have no errors.
func (s *Session) Tools() (tools []Tool) {
	for _, source := range s.sources() {
		if source.Model != nil {
			tools = contract.AppendTools(tools, newBoundPackage(source, source.Model))
		}
	}
	return tools
}

func (s *Session) sources() []*sourcePackage {
	if s.last == nil {
		return nil
	}
	return s.last.sources
}

// sourceOf returns the package of an .aion file, or nil.
func (s *Session) sourceOf(document string) *sourcePackage {
	for _, source := range s.sources() {
		if source.Package.Types != nil && slices.ContainsFunc(source.Docs, func(d *aion.Document) bool { return d.Name == document }) {
			return source
		}
	}
	return nil
}

// Functions returns the functions and methods that a document of the last run can name without a package:
// those of its own Go package. Exported functions come first, then methods, then unexported functions.
func (s *Session) Functions(document string) (all []Symbol) {
	source := s.sourceOf(document)
	if source == nil {
		return nil
	}
	scope := source.Package.Types.Scope()
	var unexported, methods []Symbol
	for _, name := range scope.Names() {
		switch obj := scope.Lookup(name).(type) {
		case *types.TypeName:
			methods = append(methods, source.methods(obj)...)
		case *types.Func, *types.Var:
			if _, ok := obj.Type().Underlying().(*types.Signature); !ok || name == "main" || name == "init" || name == "_" {
				continue
			}
			if obj.Exported() {
				all = append(all, source.symbol(obj, name))
			} else {
				unexported = append(unexported, source.symbol(obj, name))
			}
		}
	}
	return slices.Concat(all, methods, unexported)
}

// methods returns the methods of a type that a tool can call.
func (s *sourcePackage) methods(owner *types.TypeName) (all []Symbol) {
	named, ok := owner.Type().(*types.Named)
	if !ok || named.TypeParams().Len() > 0 {
		return nil
	}
	for m := range named.Methods() {
		text := owner.Name() + "." + m.Name()
		if _, ok := m.Signature().Recv().Type().(*types.Pointer); ok {
			text = "(*" + owner.Name() + ")." + m.Name()
		}
		all = append(all, s.symbol(m, text))
	}
	return all
}

// VariableMethods returns the methods of a package variable for a document of the last run. The variable
// is in the document's own package. The methods have the names that the document uses, such as store.Find.
func (s *Session) VariableMethods(document, variable string) (all []Symbol) {
	source := s.sourceOf(document)
	if source == nil {
		return nil
	}
	obj, ok := source.Package.Types.Scope().Lookup(variable).(*types.Var)
	if !ok {
		return nil
	}
	owner := obj.Type()
	if _, isPointer := owner.Underlying().(*types.Pointer); !isPointer && !types.IsInterface(owner) {
		owner = types.NewPointer(owner) // a variable is addressable
	}
	for selection := range types.NewMethodSet(owner).Methods() {
		if f, ok := selection.Obj().(*types.Func); ok {
			all = append(all, source.symbol(f, variable+"."+f.Name()))
		}
	}
	return all
}

// PackageFunctions returns the exported functions of the packages that have the given name. Their
// names are those that a document of the last run must use: strings.ToUpper if a Go file of its
// package imports strings, otherwise a name with the import path. It may run the go command.
func (s *Session) PackageFunctions(document, name string) (all []Symbol) {
	source := s.sourceOf(document)
	if source == nil {
		return nil
	}
	if all := s.ImportedFunctions(document, name); all != nil {
		return all
	}
	for _, p := range source.Package.Importable() {
		if p.Name != name || strings.Contains("/"+p.Path+"/", "/internal/") {
			continue
		}
		if pkg, err := source.Package.Import(p.Path); err == nil {
			all = append(all, source.exportedFunctions(pkg, p.Path)...)
		}
	}
	return all
}

// ImportedFunctions returns the exported functions of a package that the Go files next to a
// document of the last run import under the given name.
func (s *Session) ImportedFunctions(document, name string) []Symbol {
	if source := s.sourceOf(document); source != nil {
		if pkg := source.importedAs(name); pkg != nil {
			return source.exportedFunctions(pkg, name)
		}
	}
	return nil
}

// importedAs returns the package that a Go file imports under a name, or nil.
func (s *sourcePackage) importedAs(name string) *types.Package {
	for _, file := range s.Package.Files {
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			for _, p := range s.Package.Types.Imports() {
				isNamed := spec.Name != nil && spec.Name.Name != "_"
				if p.Path() == path && (isNamed && spec.Name.Name == name || !isNamed && p.Name() == name) {
					return p
				}
			}
		}
	}
	return nil
}

func (s *sourcePackage) exportedFunctions(p *types.Package, qualifier string) (all []Symbol) {
	for _, name := range resolve.ExportedNames(p) {
		if f, ok := p.Scope().Lookup(name).(*types.Func); ok {
			all = append(all, s.symbol(f, qualifier+"."+name))
		}
	}
	return all
}

// GoFiles returns the Go files of the package of a document of the last run, without tests and
// generated files. Their names are relative to Config.Dir.
func (s *Session) GoFiles(document string) (names []string) {
	if source := s.sourceOf(document); source != nil {
		for _, file := range source.Package.Files {
			names = append(names, source.Package.Span(file.FileStart, file.FileStart).File)
		}
	}
	return names
}

// Types returns the types that the package of a document of the last run declares.
func (s *Session) Types(document string) (all []Symbol) {
	source := s.sourceOf(document)
	if source == nil {
		return nil
	}
	scope := source.Package.Types.Scope()
	for _, name := range scope.Names() {
		if obj, ok := scope.Lookup(name).(*types.TypeName); ok {
			symbol := source.symbol(obj, name)
			symbol.Type = source.Package.TypeName(obj.Type().Underlying())
			all = append(all, symbol)
		}
	}
	return all
}

// symbol describes an object under a name.
func (s *sourcePackage) symbol(obj types.Object, name string) Symbol {
	return Symbol{
		Name: name, Type: s.Package.TypeName(obj.Type()), Declared: s.Package.DeclarationSpan(obj),
		Doc: s.docs.PackageDoc(obj.Pkg()).Text[source.DocKey(obj)],
	}
}

// Doc returns the comment of a function. It returns "" for parameters.
func (b Binding) Doc() string {
	if b.object == nil || !b.IsFunction() {
		return ""
	}
	return b.source.symbol(b.object, b.Name).Doc
}

// Declaration returns Declared. If Declared is zero, as for an object of another module, it reads
// the source of the object's package to find the declaration.
func (b Binding) Declaration() diag.Span {
	if b.Declared.File != "" || b.object == nil {
		return b.Declared
	}
	return b.source.declaration(b.object)
}

// declaration returns the position of a package-level declaration. It reads the source of the
// package if necessary.
func (s *sourcePackage) declaration(obj types.Object) diag.Span {
	if at := s.Package.DeclarationSpan(obj); at.File != "" || obj.Pkg() == nil {
		return at
	}
	if extent, ok := s.docs.PackageDoc(obj.Pkg()).Extents[source.DocKey(obj)]; ok {
		return s.Package.Span(extent.From, extent.From)
	}
	return diag.Span{}
}

// TypeDeclared returns the declaration of the named type of a parameter, or of the first result
// of a function. For a type such as []*Ticket, this is the declaration of Ticket. It returns the
// zero Span if there is no named type or its source is not available.
func (b Binding) TypeDeclared() diag.Span {
	var t types.Type
	switch {
	case !b.IsFunction():
		t = b.object.Type()
	case b.signature.Results().Len() > 0:
		t = b.signature.Results().At(0).Type()
	default:
		return diag.Span{}
	}
	if named, ok := elementType(t).(interface{ Obj() *types.TypeName }); ok && named.Obj().Pkg() != nil {
		return b.source.declaration(named.Obj())
	}
	return diag.Span{}
}

// elementType removes pointers, slices, arrays and maps from a type: []*Ticket becomes Ticket.
func elementType(t types.Type) types.Type {
	for range 100 {
		if _, named := types.Unalias(t).(*types.Named); named {
			return types.Unalias(t)
		}
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			t = u.Elem()
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		case *types.Map:
			t = u.Elem()
		default:
			return t
		}
	}
	return t
}

// Entries returns the arguments and results of a function that its interface block can
// describe. Their names are arg-1, arg-2, return-1 and so on.
func (b Binding) Entries() (all []Symbol) {
	params, results := b.entryVars()
	for i, v := range params {
		all = append(all, Symbol{Name: "arg-" + strconv.Itoa(i+1), Type: strings.TrimSpace(v.Name() + " " + b.source.Package.TypeName(v.Type()))})
	}
	for i, v := range results {
		all = append(all, Symbol{Name: "return-" + strconv.Itoa(i+1), Type: strings.TrimSpace(v.Name() + " " + b.source.Package.TypeName(v.Type()))})
	}
	return all
}

// Arguments returns the arguments of a function with the names that args_schema uses.
func (b Binding) Arguments() (all []Symbol) {
	params, _ := b.entryVars()
	if len(params) == 1 {
		if fields := b.fieldsOf(params[0].Type()); len(fields) > 0 {
			return b.fieldSymbols(fields)
		}
	}
	for _, v := range params {
		all = append(all, Symbol{Name: goname.SnakeCase(v.Name()), Type: b.source.Package.TypeName(v.Type())})
	}
	return all
}

// entryVars returns the parameters and results that are numbered in an interface block: not
// those that aiongen supplies, such as a context, and not errors.
func (b Binding) entryVars() (params, results []*types.Var) {
	if b.signature == nil {
		return nil, nil
	}
	supply, _ := resolve.NewSupply(shape.NewTypeWriter(nil, b.source.Package, shape.Target{Path: b.source.Package.Path, Name: b.source.Package.Name}))
	for v := range b.signature.Params().Variables() {
		if !supply.HasType(v.Type()) {
			params = append(params, v)
		}
	}
	for v := range b.signature.Results().Variables() {
		if !source.IsError(v.Type()) {
			results = append(results, v)
		}
	}
	return params, results
}

// Fields returns the JSON fields of a part of an argument or result. The entry is a name such as
// "arg-1" or "ticket", and path leads to the part: Fields("arg-1", "page") returns the fields
// of page.
func (b Binding) Fields(entry string, path ...string) []Symbol {
	if t := b.typeAt(entry, path); t != nil {
		return b.fieldSymbols(b.fieldsOf(t))
	}
	return nil
}

// Constants returns the constants of the type of a part of an argument or result; see
// [Binding.Fields]. The Name of each Symbol is the value of the constant.
func (b Binding) Constants(entry string, path ...string) (all []Symbol) {
	t := b.typeAt(entry, path)
	if t == nil {
		return nil
	}
	named, ok := elementType(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !types.Identical(c.Type(), named) {
			continue
		}
		symbol := b.source.symbol(c, c.Val().ExactString())
		if c.Val().Kind() == constant.String {
			symbol.Name = constant.StringVal(c.Val())
		}
		symbol.Type = name
		all = append(all, symbol)
	}
	return all
}

// typeAt returns the type of a part of an argument or result, or nil.
func (b Binding) typeAt(entry string, path []string) types.Type {
	entry, rest, nested := strings.Cut(entry, ".")
	if nested {
		path = append(strings.Split(rest, "."), path...)
	}
	params, results := b.entryVars()
	t := findEntry(entry, params, results)
	if t == nil && len(params) == 1 { // the fields of the only parameter are the arguments
		t, path = params[0].Type(), append([]string{entry}, path...)
	}
	for _, name := range path {
		if t == nil {
			return nil
		}
		fields := b.fieldsOf(t)
		i := slices.IndexFunc(fields, func(f shape.JSONField) bool { return f.Name == name })
		if i < 0 {
			return nil
		}
		t = fields[i].Variable().Type()
	}
	return t
}

// findEntry returns the type of arg-N, return-N or the parameter with a name, or nil.
func findEntry(entry string, params, results []*types.Var) types.Type {
	for prefix, vars := range map[string][]*types.Var{"arg-": params, "return-": results} {
		if number, ok := strings.CutPrefix(entry, prefix); ok {
			if n, err := strconv.Atoi(number); err == nil && n >= 1 && n <= len(vars) {
				return vars[n-1].Type()
			}
		}
	}
	for _, v := range params {
		if words.FoldName(v.Name()) == words.FoldName(entry) {
			return v.Type()
		}
	}
	return nil
}

func (b Binding) fieldsOf(t types.Type) (fields []shape.JSONField) {
	t = elementType(t)
	if _, ok := t.Underlying().(*types.Struct); !ok {
		return nil
	}
	_ = budget.Catch(func() { fields, _ = shape.JSONFields(budget.New(context.Background()), t, nil, nil) })
	return fields
}

func (b Binding) fieldSymbols(fields []shape.JSONField) (all []Symbol) {
	for _, f := range fields {
		v := f.Variable()
		all = append(all, Symbol{
			Name: f.Name, Type: b.source.Package.TypeName(v.Type()), Declared: b.source.Package.DeclarationSpan(v),
			Doc: b.source.docs.PackageDoc(v.Pkg()).Fields[v.Pos()],
		})
	}
	return all
}
