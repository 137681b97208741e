package shape

import (
	"go/types"
	"reflect"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// Generators of API clients give structs their own methods for JSON, for example to distinguish unset fields from
// null. The tags of the fields still describe the JSON.

// fieldsDescribeJSON reports whether the fields of a struct with its own methods for JSON describe what the methods read
// and write, because it comes from a known generator, or because its UnmarshalJSON decodes into the fields.
func (r *typeReader) fieldsDescribeJSON(t types.Type) bool {
	named, ok := t.(*types.Named)
	if !ok {
		return false
	}
	s, ok := named.Underlying().(*types.Struct)
	if ok && r.populatedStruct(named) != nil {
		return true
	}
	if !ok || !isMeantAsJSON(s) || hasEmbeddedMethod(t) {
		return false
	}
	if r.byFields != nil && types.Identical(t, r.byFields) {
		return true
	}
	if isElasticType(named) {
		return true
	}
	if _, decodes := r.replacedMembers(named); decodes && !r.output {
		return true
	}
	return isGoogleStruct(s) || hasJSONField(s) || isOpenAPIStruct(t, s) || isStainlessParam(s, "APIObject")
}

// replacedMembers reports whether the UnmarshalJSON of a struct decodes its JSON into the fields of the
// struct. It also returns the names of the members that the method reads in another form than that of the
// field.
func (s *Shapes) replacedMembers(t *types.Named) (names []string, ok bool) {
	if t.TypeArgs().Len() > 0 || t.Obj().Pkg() == nil || t.Obj().Parent() != t.Obj().Pkg().Scope() || !hasMethod(t, unmarshalJSON) {
		return nil, false
	}
	for _, m := range []jsonMethod{unmarshalJSON, unmarshalText} { // an embedded type with such a method would read the fields
		if obj, _, _ := types.LookupFieldOrMethod(t.Underlying(), true, nil, m.name); obj != nil {
			return nil, false
		}
	}
	names, ok = s.docs.PackageDoc(t.Obj().Pkg()).Decoded[t.Obj().Name()]
	return names, ok
}

// openReplaced allows any value for the members that replacedMembers returns. Members without a field are
// optional.
func (r *typeReader) openReplaced(m *model.Type, t types.Type) {
	named, ok := t.(*types.Named)
	if !ok || r.output {
		return
	}
	names, _ := r.replacedMembers(named)
	for _, name := range names {
		anything := &model.Type{Kind: model.Any, Go: model.Basic("any"), Form: r.codec}
		if i := slices.IndexFunc(m.Fields, func(f *model.Field) bool { return f.Name == name }); i >= 0 {
			m.Fields[i].Type = anything
		} else {
			m.Fields = append(m.Fields, &model.Field{Name: name, Path: []string{name}, Type: anything, Optional: true, Omit: model.OmitNil})
		}
	}
}

// excludedField returns the underlying type of the field with the given name if its tag is json:"-".
// Otherwise it returns nil.
func excludedField(s *types.Struct, name string) types.Type {
	for i := range s.NumFields() {
		if f := s.Field(i); f.Name() == name && reflect.StructTag(s.Tag(i)).Get("json") == "-" {
			return f.Type().Underlying()
		}
	}
	return nil
}

// isGoogleStruct reports whether a struct has the fields that google.golang.org/api adds to each struct.
func isGoogleStruct(s *types.Struct) bool {
	_, force := excludedField(s, "ForceSendFields").(*types.Slice)
	_, null := excludedField(s, "NullFields").(*types.Slice)
	return force && null
}

// hasJSONField reports whether a struct has the field JSON with the metadata of its fields, as in the clients of
// Stainless.
func hasJSONField(s *types.Struct) bool {
	metadata, ok := excludedField(s, "JSON").(*types.Struct)
	return ok && metadata.NumFields() > 0
}

// isOpenAPIStruct reports whether a struct has the method ToMap or the field UnparsedObject, as in the
// clients of OpenAPI Generator.
func isOpenAPIStruct(t types.Type, s *types.Struct) bool {
	if f, ok := lookupMethod(t, "ToMap"); ok && f.Signature().Params().Len() == 0 && f.Signature().Results().Len() == 2 {
		results := f.Signature().Results()
		_, isMap := results.At(0).Type().Underlying().(*types.Map)
		return isMap && source.IsError(results.At(1).Type())
	}
	_, unparsed := excludedField(s, "UnparsedObject").(*types.Map)
	return unparsed
}

// describedType returns the shape of a field of a struct with its own JSON methods. The arguments t and err
// are the outcome of reading the type of the field. If generated code cannot describe the type, or
// encoding/json writes it in another form, any value is allowed. A list or map in a result may be null.
func (r *typeReader) describedType(f JSONField, t *model.Type, err error) (*model.Type, error) {
	if err := r.write.Budget.Err(); err != nil {
		return nil, err
	}
	anything := &model.Type{Kind: model.Any, Go: model.Basic("any"), Form: r.codec}
	if err != nil || hasOwnTimeFormat(f) {
		return anything, nil
	}
	inner := t
	for seen := (&model.TypeSet{}); inner != nil && seen.Add(inner); inner = inner.Elem {
		null := inner != t && r.output && slices.Contains(nilKinds, inner.Kind) // encoding/json may write null inside a list
		if null || slices.Contains(differentKinds, inner.Kind) || inner.Kind == model.Ref {
			return anything, nil
		}
	}
	if r.output && slices.Contains(nilKinds, t.Kind) && !f.hasOption("omitempty") {
		return &model.Type{Kind: model.Pointer, Go: t.Go, Elem: t, Form: r.codec}, nil
	}
	return t, nil
}

// populatedStruct returns the struct whose generated methods read and write the JSON of a type in the Azure SDK: the
// type itself, or a struct that it embeds, as the types of responses do. It returns nil for other types.
func (s *Shapes) populatedStruct(t *types.Named) *types.Named {
	var owners []*types.Named
	for _, m := range []jsonMethod{marshalJSON, unmarshalJSON} {
		if !hasMethod(t, m) {
			return nil
		}
		f, _ := lookupMethod(t, m.name)
		owner := source.Receiver(f)
		if owner == nil || owner.TypeArgs().Len() > 0 {
			return nil
		}
		owners = append(owners, owner)
	}
	if _, ok := owners[0].Underlying().(*types.Struct); !ok || owners[0] != owners[1] || s.populatedFields(owners[0]) == nil {
		return nil
	}
	return owners[0]
}

// populatedFields returns the fields that the MarshalJSON of a type in the Azure SDK writes. It returns nil for other types.
func (s *Shapes) populatedFields(t *types.Named) []source.PopulatedField {
	return s.docs.PackageDoc(t.Obj().Pkg()).Populated[t.Obj().Name()]
}

// plainPopulate are the functions of the Azure SDK that write a field as encoding/json does.
var plainPopulate = map[string]bool{
	"populate": true, "populateAny": true, "populateTimeRFC3339": true, "populateDateTimeRFC3339": true,
}

// renamePopulated gives the fields of a struct the names that its MarshalJSON writes, and drops fields
// that the method does not write. The remaining fields are optional.
func (r *typeReader) renamePopulated(m *model.Type, t *types.Named) {
	byName := map[string]*model.Field{}
	for _, f := range m.Fields {
		byName[f.Path[len(f.Path)-1]] = f
	}
	m.Fields, m.Clashes = nil, nil
	for _, p := range r.populatedFields(t) {
		if p.Function == "" && !r.output {
			continue // a constant
		}
		field := &model.Field{Path: []string{p.JSONName}, Type: &model.Type{Kind: model.Any, Go: model.Basic("any"), Form: r.codec}}
		if declared := byName[p.GoName]; declared != nil {
			anything := field.Type
			if field = declared; !plainPopulate[p.Function] {
				field.Type = anything
			}
		}
		field.Name, field.Optional, field.Omit = p.JSONName, true, model.OmitNil
		m.Fields = append(m.Fields, field)
	}
}
