package shape

import (
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// isStainlessParam reports whether a struct embeds the type of this name from package param of an API client
// that Stainless generates. Parameters of requests and their parts embed APIObject; those with several forms
// embed APIUnion.
func isStainlessParam(s *types.Struct, name string) bool {
	for f := range s.Fields() {
		named, ok := types.Unalias(f.Type()).(*types.Named)
		if ok && f.Embedded() && isInParamPackage(named.Obj()) && named.Obj().Name() == name {
			return true
		}
	}
	return false
}

// isParamField reports whether a field belongs to the parameters of a request in a client of Stainless.
func isParamField(f JSONField) bool {
	s, ok := f.Owner.Underlying().(*types.Struct)
	return ok && isStainlessParam(s, "APIObject")
}

// isRequiredParam reports whether a field is a parameter that a request needs, although its json tag has
// omitzero or a struct wraps its value.
func isRequiredParam(f JSONField) bool {
	return (isParamField(f) || f.presence != nil) && (f.hasOption("required") || slices.Contains(strings.Split(f.Tag.Get("api"), ","), "required"))
}

// hasOwnTimeFormat reports whether the methods of a client of Stainless read and write a time in the format that a tag
// gives, such as a date.
func hasOwnTimeFormat(f JSONField) bool {
	format := f.Tag.Get("format")
	return format != "" && format != "date-time" && isParamField(f) && !isBasic(f.Variable().Type(), types.IsString)
}

// unreadParams returns the exported fields that UnmarshalJSON does not read in the parameters of a request,
// because they belong to the query or the header of the request. It returns nil for other types.
func unreadParams(w TypeWriter, t types.Type) (unread []model.Unseen) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || !isStainlessParam(s, "APIObject") {
		return nil
	}
	for i := range s.NumFields() {
		f := s.Field(i)
		if name, tagged := tagName(s.Tag(i)); f.Exported() && !f.Embedded() && tagged && name == "-" {
			unread = append(unread, model.Unseen{Name: f.Name(), Type: w.Package.TypeName(f.Type()), Content: true})
		}
	}
	return unread
}

// generatedArgument returns the form of arguments of a type with an UnmarshalJSON that a generator of API
// clients wrote. It returns nil for other types, and for structs whose fields describe their JSON.
func (r *typeReader) generatedArgument(t types.Type) *model.Type {
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	switch u := named.Underlying().(type) {
	case *types.Struct:
		if isAnyParam(t, u) {
			return anyType()
		}
	case *types.Slice:
		if elem, ok := u.Elem().Underlying().(*types.Struct); ok && isStainlessParam(elem, "APIUnion") {
			return listType(anyType())
		}
	case *types.Basic:
		plain := &model.Type{Go: model.Basic(u.Name())}
		if isOpenAPIEnum(named, u) && r.fillBasic(plain, u, t) == nil {
			return openType(plain) // UnmarshalJSON decides which values it rejects
		}
	}
	if isElasticType(named) && named.Obj().Name() == "Float64" {
		return orType(patternType(`^(NaN|-?Infinity)$`), floatType(64))
	}
	return nil
}

// isAnyParam reports whether a struct reads and writes JSON that its fields do not describe.
func isAnyParam(t types.Type, s *types.Struct) bool {
	if hasEmbeddedMethod(t) {
		return false
	}
	// The methods of parameters without json tags read and write the only field.
	isParam := isStainlessParam(s, "APIUnion") || isStainlessParam(s, "APIObject") && !isMeantAsJSON(s)
	return isParam || isOpenAPIUnion(t, s)
}

// isOpenAPIEnum reports whether a type is an enum as in clients of OpenAPI Generator: a string or a number with the
// methods Ptr and IsValid.
func isOpenAPIEnum(t *types.Named, u *types.Basic) bool {
	if u.Info()&(types.IsString|types.IsInteger) == 0 {
		return false
	}
	pointer, ok := lookupMethod(t, "Ptr")
	if !ok || !types.Identical(withoutReceiver(pointer.Signature()), newSignature(nil, types.NewPointer(t))) {
		return false
	}
	valid, ok := lookupMethod(t, "IsValid")
	return ok && types.Identical(withoutReceiver(valid.Signature()), newSignature(nil, types.Typ[types.Bool]))
}

// isOpenAPIUnion reports whether a struct is a union of several types, as in clients of OpenAPI Generator:
// its method GetActualInstance returns the value that is set.
func isOpenAPIUnion(t types.Type, s *types.Struct) bool {
	f, ok := lookupMethod(t, "GetActualInstance")
	return ok && !isMeantAsJSON(s) && f.Signature().Params().Len() == 0 && f.Signature().Results().Len() == 1 &&
		types.IsInterface(f.Signature().Results().At(0).Type()) && !source.IsError(f.Signature().Results().At(0).Type())
}

// isElasticType reports whether a type belongs to the typed API of Elasticsearch.
func isElasticType(t *types.Named) bool {
	path := t.Obj().Pkg().Path()
	return strings.HasPrefix(path, "github.com/elastic/go-elasticsearch/") && strings.Contains(path, "/typedapi/")
}
