package shape

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// IsBlank reports whether results of a type carry no information, so that a tool may omit them. Such a
// type is a struct, or a pointer to one, that has no exported methods, no fields for JSON, and no value
// that other calls could use.
func (s *Shapes) IsBlank(t types.Type) bool {
	r := typeReader{Shapes: s, output: true}
	return r.isBlank(types.Unalias(t), map[types.Type]bool{}) && !s.isToken(t)
}

func (r *typeReader) isBlank(t types.Type, visited map[types.Type]bool) bool {
	elem := t
	if p, ok := t.Underlying().(*types.Pointer); ok {
		elem = types.Unalias(p.Elem())
	}
	st, ok := elem.Underlying().(*types.Struct)
	if !ok || visited[elem] || !r.write.Budget.UseSteps(1+st.NumFields()) || !r.isAffordable(elem) {
		return ok && visited[elem] // its fields are being examined
	}
	visited[elem] = true
	if isMessage(elem) {
		form, err := formReader{r}.readForm(elem.(*types.Named))
		return err == nil && form != nil && form.Kind == model.StructKind && len(form.Fields) == 0
	}
	_, own := r.ownForm(elem)
	return !own && !r.isOpaque(elem) && !r.isFilled(elem) && !hasBehavior(elem, st) && r.hasBlankFields(st, visited)
}

// isAffordable reports whether the budget suffices for the parts of a type. In generic structs, the type
// arguments can double at each level.
func (s *Shapes) isAffordable(t types.Type) bool {
	_, _ = s.write.GoType(t) // for its cost only: a blank type need not have a name
	return s.write.Budget.Err() == nil
}

// hasBlankFields reports whether no field of a struct has a form in JSON or is of use for other calls.
func (r *typeReader) hasBlankFields(st *types.Struct, visited map[types.Type]bool) bool {
	for i := range st.NumFields() {
		f := st.Field(i)
		if !f.Exported() && embeddedStruct(f) == nil {
			continue
		}
		name, tagged := tagName(st.Tag(i))
		t := types.Unalias(f.Type())
		inner, isStruct := t.Underlying().(*types.Struct)
		_, own := r.ownForm(t)
		switch {
		case tagged && name != "-" && r.write.OwnsPackage(f.Pkg().Path()):
			return false // its author expects it in the JSON
		case r.isOpaque(t), isStruct && isHidden(inner) && !own && !types.Implements(t, errorInterface):
		case name == "-" && !r.isByReference(t):
		case !r.isBlank(t, visited):
			return false
		}
	}
	return true
}

// isHidden reports whether a struct has fields and all of them are unexported.
func isHidden(st *types.Struct) bool {
	for f := range st.Fields() {
		if f.Exported() || f.Embedded() {
			return false
		}
	}
	return st.NumFields() > 0
}

// messageMethods are the methods that generated protobuf messages without fields have.
var messageMethods = map[string]bool{
	"Descriptor": true, "Equal": true, "GoString": true, "Marshal": true, "MarshalTo": true, "MarshalToSizedBuffer": true, "ProtoMessage": true,
	"ProtoReflect": true, "Reset": true, "Size": true, "String": true, "Unmarshal": true, "VerboseEqual": true,
}

// hasProtoMessage reports whether a type has the method by which older code marks protobuf messages.
func hasProtoMessage(t types.Type) bool {
	return types.NewMethodSet(types.NewPointer(t)).Lookup(nil, "ProtoMessage") != nil
}

// hasBehavior reports whether a struct has exported methods. Methods of protobuf messages and those
// that serialize the struct do not count, and neither does String for a struct without data.
func hasBehavior(t types.Type, st *types.Struct) bool {
	methods, message := types.NewMethodSet(types.NewPointer(t)), hasProtoMessage(t)
	for i := range methods.Len() {
		switch name := methods.At(i).Obj().Name(); {
		case !methods.At(i).Obj().Exported():
		case message && (messageMethods[name] || strings.HasPrefix(name, "XXX_") || strings.HasSuffix(name, "VT")):
		case strings.HasPrefix(name, "Serialize"), strings.HasPrefix(name, "Deserialize"): // in generated clients of AWS
		case (name == "String" || name == "GoString") && !hasData(st):
		default:
			return true
		}
	}
	return false
}

// hasData reports whether a struct has data: a field that is not a struct, or that is itself a struct with
// data.
func hasData(st *types.Struct) bool {
	for f := range st.Fields() {
		inner, ok := f.Type().Underlying().(*types.Struct)
		if !ok || inner != st && hasData(inner) {
			return true
		}
	}
	return false
}

// isToken reports whether later calls may need a result of a type, or of a pointer to it: the type has
// data, and a function takes it as a parameter. The function belongs to the package of the type or to the
// package of the tools.
func (s *Shapes) isToken(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || hasProtoMessage(named) || !hasData(named.Underlying().(*types.Struct)) {
		return false
	}
	return s.parameterTypes(named.Obj().Pkg()).At(named) != nil || s.parameterTypes(s.write.Package.Types).At(named) != nil
}

// parameterTypes returns the types that occur in the parameters of the exported functions and methods of a package.
func (s *Shapes) parameterTypes(pkg *types.Package) *typeutil.Map {
	if cached := s.paramTypes[pkg]; cached != nil {
		return cached
	}
	all := &typeutil.Map{}
	s.paramTypes[pkg] = all
	parts := partReader{Shapes: s, found: all, structs: map[*types.Named]bool{}}
	add := func(f *types.Func) {
		if !f.Exported() {
			return
		}
		for v := range f.Signature().Params().Variables() {
			parts.add(v.Type())
		}
	}
	for _, name := range pkg.Scope().Names() {
		switch obj := pkg.Scope().Lookup(name).(type) {
		case *types.Func:
			add(obj)
		case *types.TypeName:
			methods := declaredMethods(obj)
			if i, ok := obj.Type().Underlying().(*types.Interface); ok && !obj.IsAlias() {
				methods = slices.Collect(i.Methods()) // also those of embedded interfaces
			}
			for _, m := range methods {
				add(m)
			}
		}
	}
	return all
}

// A partReader finds the types that occur in parameters.
type partReader struct {
	*Shapes
	found   *typeutil.Map
	structs map[*types.Named]bool // generic structs whose fields were read; a recursive one may have infinitely many instances
}

// add adds a type and the types of its parts.
func (r *partReader) add(t types.Type) {
	t = types.Unalias(t)
	_, _ = r.write.GoType(t) // for its cost only: the type arguments in generic structs can double at each level
	if !r.write.Budget.UseSteps(1) || r.found.At(t) != nil {
		return
	}
	r.found.Set(t, true)
	switch t := t.(type) {
	case *types.Map:
		r.add(t.Key())
		r.add(t.Elem())
	case interface{ Elem() types.Type }: // a pointer, list or channel
		r.add(t.Elem())
	case *types.Signature:
		r.addVariables(t.Params())
		r.addVariables(t.Results())
	case *types.Struct:
		r.addFields(t)
	case *types.Named:
		r.addNamed(t)
	}
}

// addNamed adds the type arguments of a named type and the types in its declaration.
func (r *partReader) addNamed(t *types.Named) {
	for arg := range t.TypeArgs().Types() {
		r.add(arg)
	}
	if r.structs[t.Origin()] {
		return
	}
	r.structs[t.Origin()] = true
	if _, ok := t.Underlying().(*types.Interface); !ok {
		r.add(t.Underlying())
	}
}

func (r *partReader) addVariables(all *types.Tuple) {
	for v := range all.Variables() {
		r.add(v.Type())
	}
}

// addFields adds the types of the exported fields of a struct. Functions in fields are callbacks, which nobody
// calls with the result of a tool.
func (r *partReader) addFields(st *types.Struct) {
	for f := range st.Fields() {
		if _, ok := f.Type().Underlying().(*types.Signature); !ok && (f.Exported() || f.Embedded()) {
			r.add(f.Type())
		}
	}
}
