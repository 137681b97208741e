package shape

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/budget"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// A Target is the package that the generated files belong to.
type Target struct {
	Path, Name string
	Declared   []string // names that other files of the package declare
	Imported   []string // names by which other files of the package import packages
	Source     string   // path from its directory to the .aion files: "", or "../tools/"
}

// A TypeWriter converts types to GoTypes for the generated package.
type TypeWriter struct {
	Package *load.Package
	Target  Target
	Budget  *budget.Budget // limits the work for the package; nil for no limit

	cache map[types.Type]writtenType // converted types; nil disables the cache
	sizes map[types.Type]int         // numbers of parts, with aliases expanded
}

// A writtenType is a converted type with the number of its parts.
type writtenType struct {
	goType model.GoType
	size   int
}

// NewTypeWriter returns a TypeWriter that charges types to the budget.
func NewTypeWriter(limit *budget.Budget, pkg *load.Package, target Target) TypeWriter {
	return TypeWriter{Package: pkg, Target: target, Budget: limit, cache: map[types.Type]writtenType{}, sizes: map[types.Type]int{}}
}

// IsForeign reports whether the generated code belongs to another package.
func (w TypeWriter) IsForeign() bool { return w.Target.Path != w.Package.Path }

// OwnsPackage reports whether a package belongs to the module of the generated code, so that
// its author can change it.
func (w TypeWriter) OwnsPackage(path string) bool {
	return w.Package.IsInModule(w.Target.Path) && w.Package.IsInModule(path)
}

// An UnnameableError says which type the generated package cannot name, and why.
type UnnameableError struct{ reason string }

func (e *UnnameableError) Error() string { return e.reason }

func newUnnameableError(format string, args ...any) error {
	return &UnnameableError{fmt.Sprintf(format, args...)}
}

// GoType converts a type for the generated package. It fails if that package cannot name a part of the
// type, or if the budget is used up. Stages that visit all parts of a type call GoType first, so that the
// budget limits their work.
func (w TypeWriter) GoType(t types.Type) (model.GoType, error) {
	goType, _, err := w.writeAtDepth(t, 0)
	return goType, err
}

// writeAtDepth converts a type at a nesting depth and returns the number of its parts. Each part costs a
// step, even if it was converted before, because generated code repeats it.
func (w TypeWriter) writeAtDepth(t types.Type, depth int) (goType model.GoType, size int, err error) {
	if k, ok := w.cache[t]; ok {
		w.Budget.UseSteps(costOfRepeat * k.size)
		return k.goType, k.size, w.Budget.Err()
	}
	if !w.Budget.UseSteps(1) || !w.Budget.CheckDepth(depth) {
		return model.GoType{}, 0, w.Budget.Err()
	}
	f := typePart{TypeWriter: w, depth: depth + 1, size: 1}
	if goType, err = f.writeType(t); err == nil && w.cache != nil {
		w.cache[t] = writtenType{goType, f.size}
	}
	return goType, f.size, err
}

// chargeSize charges a struct type without a name to the budget and reports whether the budget suffices. It
// counts the fields with all aliases expanded, as go/types does when it compares types: with aliases of
// structs, a few lines of source can expand to billions of fields.
func (w TypeWriter) chargeSize(t types.Type) bool {
	if _, literal := types.Unalias(t).(*types.Struct); !literal || w.sizes == nil {
		return w.Budget.Err() == nil
	}
	return w.Budget.UseSteps(w.measureType(t, 0))
}

// measureType returns the number of parts of a type at a nesting depth.
func (w TypeWriter) measureType(t types.Type, depth int) int {
	t = types.Unalias(t)
	if n, ok := w.sizes[t]; ok {
		return n
	}
	n := 1
	if !w.Budget.CheckDepth(depth) {
		return n
	}
	switch t := t.(type) {
	case *types.Struct:
		for v := range t.Fields() {
			n += w.measureType(v.Type(), depth+1)
		}
	case *types.Map:
		n += w.measureType(t.Key(), depth+1) + w.measureType(t.Elem(), depth+1)
	case interface{ Elem() types.Type }:
		n += w.measureType(t.Elem(), depth+1)
	}
	n = min(n, budget.MaxSteps)
	w.sizes[t] = n
	return n
}

// costOfRepeat is the number of steps for each part of a type that is converted again. It is more than one,
// because generated code writes a type without a name in several places.
const costOfRepeat = 2

// A typePart converts one type. Its depth is the nesting depth of the parts of that type.
type typePart struct {
	TypeWriter
	depth int
	size  int // of the type so far
}

func (w *typePart) writePart(t types.Type) (model.GoType, error) {
	goType, size, err := w.TypeWriter.writeAtDepth(t, w.depth)
	w.size += size
	return goType, err
}

func (w *typePart) writeType(t types.Type) (model.GoType, error) {
	switch t := t.(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return model.GoType{Path: "unsafe", Name: "Pointer"}, nil
		}
		return model.Basic(t.Name()), nil
	case *types.Alias:
		return w.writeNamed(t.Obj(), t.TypeArgs())
	case *types.Named:
		return w.writeNamed(t.Obj(), t.TypeArgs())
	case *types.Pointer:
		return w.writeElems(model.GoType{Kind: model.GoPointer}, t.Elem())
	case *types.Slice:
		return w.writeElems(model.GoType{Kind: model.GoSlice}, t.Elem())
	case *types.Array:
		return w.writeElems(model.GoType{Kind: model.GoArray, Len: t.Len()}, t.Elem())
	case *types.Map:
		return w.writeElems(model.GoType{Kind: model.GoMap}, t.Key(), t.Elem())
	case *types.Chan:
		kinds := map[types.ChanDir]model.GoKind{
			types.SendRecv: model.GoChan, types.SendOnly: model.GoSendChan, types.RecvOnly: model.GoReceiveChan,
		}
		return w.writeElems(model.GoType{Kind: kinds[t.Dir()]}, t.Elem())
	case *types.Signature:
		return w.writeFunc(t)
	case *types.Struct:
		return w.writeStruct(t)
	case *types.Interface:
		return w.writeInterface(t)
	}
	return model.GoType{}, newUnnameableError("type %s cannot be written in generated code", w.Package.TypeName(t))
}

// NewDef returns the definition of a named type. Type arguments become a part of its names: for Page[int],
// Name is Page_int and Stem is PageInt. Stem begins with the name of the package, as in StorePage, if that is
// not the package of the tools.
func (w TypeWriter) NewDef(t *types.Named) *model.Def {
	d := &model.Def{Stem: t.Obj().Name(), Name: t.Obj().Name()}
	if p := t.Obj().Pkg(); p != nil {
		d.Package = p.Name()
		if p != w.Package.Types {
			d.Stem = goname.Capitalize(d.Package) + goname.Capitalize(d.Stem)
		}
	}
	for arg := range t.TypeArgs().Types() {
		words := goname.SplitWords(w.Package.TypeName(arg))
		d.Name += "_" + strings.Join(words, "_")
		for _, word := range words {
			d.Stem += goname.Capitalize(word)
		}
	}
	d.Stem = goname.Capitalize(d.Stem)
	return d
}

// findDef returns the definition of a named type. It always returns the same pointer for a type,
// because the definition gets its name later.
func (s *Shapes) findDef(t *types.Named) *model.Def {
	if cached, ok := s.defs.At(t).(*model.Def); ok {
		return cached
	}
	d := s.write.NewDef(t)
	s.defs.Set(t, d)
	return d
}

// IsNilable reports whether values of a type may be nil.
func IsNilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Map, *types.Signature:
		return true
	}
	return false
}

func (w *typePart) writeElems(t model.GoType, elems ...types.Type) (model.GoType, error) {
	if len(elems) > 0 {
		t.Elems = make([]model.GoType, 0, len(elems))
	}
	for _, elem := range elems {
		e, err := w.writePart(elem)
		if err != nil {
			return t, err
		}
		t.Elems = append(t.Elems, e)
	}
	return t, nil
}

// costOfArgument is the number of additional steps for each part of a type argument, because the type checker
// writes and compares instances of generic types as text.
const costOfArgument = 50

func (w *typePart) writeNamed(obj *types.TypeName, args *types.TypeList) (model.GoType, error) {
	if obj.Pkg() == nil {
		return model.Basic(obj.Name()), nil
	}
	t := model.GoType{Path: obj.Pkg().Path(), Name: obj.Name()}
	if obj.Pkg() != w.Package.Types {
		t.Pkg = obj.Pkg().Name()
	}
	if t.Path != w.Target.Path {
		if name, isC := strings.CutPrefix(obj.Name(), "_Ctype_"); isC {
			return t, newUnnameableError("C.%s of package %s is a type that only cgo knows", name, obj.Pkg().Name())
		}
		if !obj.Exported() {
			return t, newUnnameableError("type %s is not exported, so package %s cannot name it", w.Package.TypeName(obj.Type()), w.Target.Name)
		}
		if err := w.CheckImport(obj.Pkg()); err != nil {
			return t, err
		}
	}
	var list []types.Type
	for arg := range args.Types() {
		list = append(list, arg)
	}
	before := w.size
	goType, err := w.writeElems(t, list...)
	w.Budget.UseSteps(costOfArgument * (w.size - before))
	return goType, err
}

// CheckImport returns an error if the generated package may not import a package because it
// is internal or vendored.
func (w TypeWriter) CheckImport(p *types.Package) error {
	path := "/" + p.Path() + "/"
	if p.Path() == w.Target.Path {
		return nil
	}
	if strings.Contains(path, "/vendor/") {
		return newUnnameableError("package %s cannot import %s, which is vendored", w.Target.Path, p.Path())
	}
	at := strings.LastIndex(path, "/internal/")
	importers := path[:at+1] // prefix of the packages that may import it
	if at == 0 {             // a package of the standard library
		importers = "/internal/"
	}
	if at < 0 || strings.HasPrefix("/"+w.Target.Path+"/", importers) {
		return nil
	}
	return newUnnameableError("package %s cannot import %s, which is internal", w.Target.Path, p.Path())
}

func (w *typePart) writeFunc(sig *types.Signature) (model.GoType, error) {
	var params, results []types.Type
	for v := range sig.Params().Variables() {
		params = append(params, v.Type())
	}
	for v := range sig.Results().Variables() {
		results = append(results, v.Type())
	}
	t, err := w.writeElems(model.GoType{Kind: model.GoFunc, Variadic: sig.Variadic()}, params...)
	if err != nil {
		return t, err
	}
	r, err := w.writeElems(model.GoType{}, results...)
	t.Result = r.Elems
	return t, err
}

func (w *typePart) writeStruct(s *types.Struct) (model.GoType, error) {
	t := model.GoType{Kind: model.GoStruct}
	for i := range s.NumFields() {
		v := s.Field(i)
		if !v.Exported() && v.Pkg().Path() != w.Target.Path {
			return t, newUnnameableError("a struct with the unexported field %s cannot be written in package %s", v.Name(), w.Target.Name)
		}
		ft, err := w.writePart(v.Type())
		if err != nil {
			return t, err
		}
		field := model.GoField{Type: ft, Tag: s.Tag(i)}
		if !v.Embedded() {
			field.Name = v.Name()
		}
		t.Fields = append(t.Fields, field)
	}
	return t, nil
}

func (w *typePart) writeInterface(i *types.Interface) (model.GoType, error) {
	if i.Empty() {
		return model.Basic("any"), nil
	}
	t := model.GoType{Kind: model.GoInterface}
	for e := range i.EmbeddedTypes() {
		et, err := w.writePart(e)
		if err != nil {
			return t, err
		}
		t.Fields = append(t.Fields, model.GoField{Type: et})
	}
	for m := range i.ExplicitMethods() {
		if !m.Exported() && m.Pkg().Path() != w.Target.Path {
			return t, newUnnameableError("an interface with the unexported method %s cannot be written in package %s", m.Name(), w.Target.Name)
		}
		mt, err := w.writePart(m.Signature())
		if err != nil {
			return t, err
		}
		t.Fields = append(t.Fields, model.GoField{Name: m.Name(), Type: mt})
	}
	return t, nil
}
