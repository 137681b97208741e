// Package gotype writes Go types down for the package that code is generated
// into, which cannot name all of them.
package gotype

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/budget"
)

// A Target is the package that the generated files belong to.
type Target struct {
	Path, Name string
	Declared   []string // names that its other files declare
	Imported   []string // names that its other files import packages by
	Source     string   // from its directory to the .aion files: "", or "../tools/"
}

// A Writer writes down the types of a package, and of those that it imports.
type Writer struct {
	Package *load.Package
	Target  Target
	Budget  *budget.Budget // limits the work for the package; nil is no limit

	known map[types.Type]known // what was written before; nil keeps nothing
	sizes map[types.Type]int   // of type literals, with aliases expanded
}

// known is a type that was written before, with the number of types that it is made of.
type known struct {
	written model.GoType
	size    int
}

// NewWriter returns a Writer that takes the types it writes from the budget.
func NewWriter(limit *budget.Budget, pkg *load.Package, target Target) Writer {
	return Writer{Package: pkg, Target: target, Budget: limit, known: map[types.Type]known{}, sizes: map[types.Type]int{}}
}

// Foreign reports whether the generated code goes to another package.
func (w Writer) Foreign() bool { return w.Target.Path != w.Package.Path }

// Owns reports whether a package is of the module that the generated code goes to,
// so that its author can change it.
func (w Writer) Owns(path string) bool {
	return w.Package.Owns(w.Target.Path) && w.Package.Owns(path)
}

// An UnnameableError says which type the generated package cannot name, and why.
type UnnameableError struct{ reason string }

func (e *UnnameableError) Error() string { return e.reason }

func unnameable(format string, args ...any) error {
	return &UnnameableError{fmt.Sprintf(format, args...)}
}

// Type writes a Go type down for the generated package. The error says which
// part of it that package cannot name, or that the budget is used up. Other stages look at
// all parts of a type as well, so they ask for it before they do.
func (w Writer) Type(t types.Type) (model.GoType, error) {
	written, _, err := w.part(t, 0)
	return written, err
}

// part writes a part of a type, which is that many levels deep in it, and returns the
// number of types that it is made of. Each of them is a step, also where it was written
// before: generated code repeats it.
func (w Writer) part(t types.Type, depth int) (written model.GoType, size int, err error) {
	if k, ok := w.known[t]; ok {
		w.Budget.Step(costOfRepeat * k.size)
		return k.written, k.size, w.Budget.Err()
	}
	if !w.Budget.Step(1) || !w.Budget.Nest(depth) {
		return model.GoType{}, 0, w.Budget.Err()
	}
	f := form{Writer: w, depth: depth + 1, size: 1}
	if written, err = f.write(t); err == nil && w.known != nil {
		w.known[t] = known{written, f.size}
	}
	return written, f.size, err
}

// Measure takes a type literal from the budget as others see it that expand aliases, to
// compare types for instance, and reports whether it was left. Aliases of structs can make
// a few lines of source stand for billions of fields.
func (w Writer) Measure(t types.Type) bool {
	if _, literal := types.Unalias(t).(*types.Struct); !literal || w.sizes == nil {
		return w.Budget.Err() == nil
	}
	return w.Budget.Step(w.size(t, 0))
}

// size is the number of types that a literal is made of, which is that many levels deep in
// another.
func (w Writer) size(t types.Type, depth int) int {
	t = types.Unalias(t)
	if n, ok := w.sizes[t]; ok {
		return n
	}
	n := 1
	if !w.Budget.Nest(depth) {
		return n
	}
	switch t := t.(type) {
	case *types.Struct:
		for v := range t.Fields() {
			n += w.size(v.Type(), depth+1)
		}
	case *types.Map:
		n += w.size(t.Key(), depth+1) + w.size(t.Elem(), depth+1)
	case interface{ Elem() types.Type }:
		n += w.size(t.Elem(), depth+1)
	}
	n = min(n, budget.MaxSteps)
	w.sizes[t] = n
	return n
}

// costOfRepeat is how many steps it takes to repeat a type: generated code writes each that
// has no name in several places.
const costOfRepeat = 2

// A form is the form of one type, whose parts are one level deeper.
type form struct {
	Writer
	depth int
	size  int // of the type so far
}

func (w *form) part(t types.Type) (model.GoType, error) {
	written, size, err := w.Writer.part(t, w.depth)
	w.size += size
	return written, err
}

func (w *form) write(t types.Type) (model.GoType, error) {
	switch t := t.(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return model.GoType{Path: "unsafe", Name: "Pointer"}, nil
		}
		return model.Basic(t.Name()), nil
	case *types.Alias:
		return w.goNamed(t.Obj(), t.TypeArgs())
	case *types.Named:
		return w.goNamed(t.Obj(), t.TypeArgs())
	case *types.Pointer:
		return w.goElems(model.GoType{Kind: model.GoPointer}, t.Elem())
	case *types.Slice:
		return w.goElems(model.GoType{Kind: model.GoSlice}, t.Elem())
	case *types.Array:
		return w.goElems(model.GoType{Kind: model.GoArray, Len: t.Len()}, t.Elem())
	case *types.Map:
		return w.goElems(model.GoType{Kind: model.GoMap}, t.Key(), t.Elem())
	case *types.Chan:
		kinds := map[types.ChanDir]model.GoKind{
			types.SendRecv: model.GoChan, types.SendOnly: model.GoSendChan, types.RecvOnly: model.GoReceiveChan,
		}
		return w.goElems(model.GoType{Kind: kinds[t.Dir()]}, t.Elem())
	case *types.Signature:
		return w.goFunc(t)
	case *types.Struct:
		return w.goStruct(t)
	case *types.Interface:
		return w.goInterface(t)
	}
	return model.GoType{}, unnameable("type %s cannot be written in generated code", w.Package.TypeName(t))
}

// Def is what names are made of for a type: that of an instance has its type
// arguments behind, that of another package the package in front.
func (w Writer) Def(t *types.Named) *model.Def {
	d := &model.Def{Stem: t.Obj().Name(), Name: t.Obj().Name()}
	if p := t.Obj().Pkg(); p != nil {
		d.Package = p.Name()
		if p != w.Package.Types {
			d.Stem = goname.Capitalised(d.Package) + goname.Capitalised(d.Stem)
		}
	}
	for arg := range t.TypeArgs().Types() {
		words := goname.Words(w.Package.TypeName(arg))
		d.Name += "_" + strings.Join(words, "_")
		for _, word := range words {
			d.Stem += goname.Capitalised(word)
		}
	}
	d.Stem = goname.Capitalised(d.Stem)
	return d
}

// IsNilable reports whether values of a type may be nil, so that generated code asks.
func IsNilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Map, *types.Signature:
		return true
	}
	return false
}

func (w *form) goElems(t model.GoType, elems ...types.Type) (model.GoType, error) {
	if len(elems) > 0 {
		t.Elems = make([]model.GoType, 0, len(elems))
	}
	for _, elem := range elems {
		e, err := w.part(elem)
		if err != nil {
			return t, err
		}
		t.Elems = append(t.Elems, e)
	}
	return t, nil
}

// costOfArgument is how many more steps a type argument takes than other parts: the type
// checker writes and compares instances as text.
const costOfArgument = 50

func (w *form) goNamed(obj *types.TypeName, args *types.TypeList) (model.GoType, error) {
	if obj.Pkg() == nil {
		return model.Basic(obj.Name()), nil
	}
	t := model.GoType{Path: obj.Pkg().Path(), Name: obj.Name()}
	if obj.Pkg() != w.Package.Types {
		t.Pkg = obj.Pkg().Name()
	}
	if t.Path != w.Target.Path {
		if name, isC := strings.CutPrefix(obj.Name(), "_Ctype_"); isC {
			return t, unnameable("C.%s of package %s is a type that only cgo knows", name, obj.Pkg().Name())
		}
		if !obj.Exported() {
			return t, unnameable("type %s is not exported, so package %s cannot name it", w.Package.TypeName(obj.Type()), w.Target.Name)
		}
		if err := w.Importable(obj.Pkg()); err != nil {
			return t, err
		}
	}
	var list []types.Type
	for arg := range args.Types() {
		list = append(list, arg)
	}
	before := w.size
	written, err := w.goElems(t, list...)
	w.Budget.Step(costOfArgument * (w.size - before))
	return written, err
}

// Importable reports why the generated package may not import a package: that is
// internal to another tree, or vendored there.
func (w Writer) Importable(p *types.Package) error {
	path := "/" + p.Path() + "/"
	if p.Path() == w.Target.Path {
		return nil
	}
	if strings.Contains(path, "/vendor/") {
		return unnameable("package %s cannot import %s, which is vendored", w.Target.Path, p.Path())
	}
	at := strings.LastIndex(path, "/internal/")
	inside := path[:at+1]
	if at == 0 { // the standard library's
		inside = "/internal/"
	}
	if at < 0 || strings.HasPrefix("/"+w.Target.Path+"/", inside) {
		return nil
	}
	return unnameable("package %s cannot import %s, which is internal", w.Target.Path, p.Path())
}

func (w *form) goFunc(sig *types.Signature) (model.GoType, error) {
	var params, results []types.Type
	for v := range sig.Params().Variables() {
		params = append(params, v.Type())
	}
	for v := range sig.Results().Variables() {
		results = append(results, v.Type())
	}
	t, err := w.goElems(model.GoType{Kind: model.GoFunc, Spread: sig.Variadic()}, params...)
	if err != nil {
		return t, err
	}
	r, err := w.goElems(model.GoType{}, results...)
	t.Result = r.Elems
	return t, err
}

func (w *form) goStruct(s *types.Struct) (model.GoType, error) {
	t := model.GoType{Kind: model.GoStruct}
	for i := range s.NumFields() {
		v := s.Field(i)
		if !v.Exported() && v.Pkg().Path() != w.Target.Path {
			return t, unnameable("a struct with the unexported field %s cannot be written in package %s", v.Name(), w.Target.Name)
		}
		ft, err := w.part(v.Type())
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

func (w *form) goInterface(i *types.Interface) (model.GoType, error) {
	if i.Empty() {
		return model.Basic("any"), nil
	}
	t := model.GoType{Kind: model.GoInterface}
	for e := range i.EmbeddedTypes() {
		et, err := w.part(e)
		if err != nil {
			return t, err
		}
		t.Fields = append(t.Fields, model.GoField{Type: et})
	}
	for m := range i.ExplicitMethods() {
		if !m.Exported() && m.Pkg().Path() != w.Target.Path {
			return t, unnameable("an interface with the unexported method %s cannot be written in package %s", m.Name(), w.Target.Name)
		}
		mt, err := w.part(m.Signature())
		if err != nil {
			return t, err
		}
		t.Fields = append(t.Fields, model.GoField{Name: m.Name(), Type: mt})
	}
	return t, nil
}
