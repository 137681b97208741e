package shape

import (
	"cmp"
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/protodesc"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// In this file, a form is the JSON of a message of Protocol Buffers, as package protojson reads and writes it. It
// depends only on the descriptor and the direction, not on the options with which the Go type was generated.

// reflectPath is the path of package protoreflect. The method ProtoReflect of a message returns its type
// Message.
const reflectPath = "google.golang.org/protobuf/reflect/protoreflect"

// isMessage reports whether a type is a message: it declares the method ProtoReflect itself. A struct that
// embeds a message also has the method, but encoding/json reads and writes its fields.
func isMessage(t types.Type) bool {
	named, ok := t.(*types.Named)
	if !ok || types.IsInterface(t) {
		return false
	}
	obj, index, _ := types.LookupFieldOrMethod(named, true, nil, "ProtoReflect")
	f, ok := obj.(*types.Func)
	if !ok || len(index) != 1 || f.Signature().Params().Len() != 0 || f.Signature().Results().Len() != 1 {
		return false
	}
	result, ok := types.Unalias(f.Signature().Results().At(0).Type()).(*types.Named)
	return ok && result.Obj().Name() == "Message" && result.Obj().Pkg() != nil && result.Obj().Pkg().Path() == reflectPath
}

// descriptorsOf returns the descriptors in a Go package.
func (s *Shapes) descriptorsOf(p *types.Package) *protodesc.Package {
	descriptors := s.descriptors[p.Path()]
	if descriptors == nil {
		descriptors = protodesc.Read(s.docs.PackageDoc(p).Descriptors)
		s.descriptors[p.Path()] = descriptors
	}
	return descriptors
}

// A formKey identifies the form of a message or the values of an enum.
type formKey struct {
	t       *types.TypeName
	output  bool
	partial bool
}

// fillMessage fills the shape of a message of Protocol Buffers.
func (r *typeReader) fillMessage(m *model.Type, t types.Type) error {
	form, err := formReader{r}.readForm(t.(*types.Named))
	if err != nil {
		return err
	}
	m.Codec, m.Description = model.ProtoJSON, ""
	if form == nil || form.Kind != model.StructKind {
		m.Kind, m.Elem = model.Custom, form
		return nil
	}
	m.Kind, m.Fields, m.Description = form.Kind, form.Fields, form.Description
	return nil
}

// A formReader reads the forms of messages and enums of Protocol Buffers from their descriptors.
type formReader struct{ *typeReader }

// readForm returns the form of a message, nil if its descriptor cannot be read.
func (r formReader) readForm(t *types.Named) (*model.Type, error) {
	key := formKey{t.Obj(), r.output, r.partial}
	if cached, ok := r.messageForms[key]; ok {
		return cached, nil
	}
	d := r.descriptorsOf(t.Obj().Pkg()).Messages[t.Obj().Name()]
	if d == nil {
		return nil, nil
	}
	form := wellKnownForm(d)
	if form == nil {
		form = &model.Type{Kind: model.StructKind, Def: r.findDef(t), Description: r.docOf(t.Obj().Pkg(), t.Obj().Name())}
	}
	form.Form = model.ProtoJSON
	r.messageForms[key] = form // before its fields are read, because they may refer to it
	form.Go, _ = r.write.GoType(t)
	if form.Kind != model.StructKind {
		return form, r.write.Budget.Err()
	}
	if err := r.readFormFields(form, t, d); err != nil {
		return nil, err
	}
	return form, nil
}

// readFormFields reads the fields of the form of a message.
func (r formReader) readFormFields(form *model.Type, t *types.Named, d *protodesc.Message) error {
	outer := r.partial // a field mask selects a part of this message, so its fields are not required
	r.partial = r.partial || !r.output && slices.ContainsFunc(d.Fields, (*protodesc.Field).IsFieldMask)
	defer func() { r.partial = outer }()
	for _, f := range d.Fields {
		if f.Behavior.OutputOnly && !r.output {
			continue
		}
		if !r.write.Budget.UseSteps(1 + len(d.Fields)/pairsPerStep) {
			return r.write.Budget.Err()
		}
		field, err := r.readFormField(t, f)
		if err != nil {
			return err
		}
		if f.Behavior.Required && f.Oneof == "" && !outer && !r.output {
			field.Optional = false
		}
		form.Fields = append(form.Fields, field)
	}
	return nil
}

// readFormField returns a field of the form of a message.
func (r formReader) readFormField(owner *types.Named, d *protodesc.Field) (*model.Field, error) {
	typ, err := r.fieldForm(owner, d)
	if err != nil {
		return nil, err
	}
	f := &model.Field{
		Name: d.JSONName, Path: []string{d.GoName}, Type: typ, Optional: !d.Required, Oneof: d.Oneof,
		Description: r.messageFieldDoc(owner, d),
	}
	if d.TextName != d.JSONName {
		f.Alias = d.TextName
	}
	if !d.Required {
		f.Omit = model.OmitLen // protojson leaves out fields that are not set
	}
	return f, nil
}

// messageFieldDoc returns the comment of a field, which may be in the struct of the message, in that of a
// oneof, or in the builder of an opaque message. In results, fields of other modules have none; see
// describesField.
func (r formReader) messageFieldDoc(owner *types.Named, d *protodesc.Field) string {
	pkg, name := owner.Obj().Pkg(), owner.Obj().Name()
	if r.output && r.isForeign(pkg) {
		return ""
	}
	holder := name + "." + d.GoName
	if d.Oneof != "" {
		wrapper := name + "_" + d.GoName
		for descriptors := r.descriptorsOf(pkg); descriptors.Messages[wrapper] != nil || descriptors.Enums[wrapper] != nil; {
			wrapper += "_" // protoc-gen-go keeps the name for the nested type
		}
		holder = wrapper + "." + d.GoName
	}
	return cmp.Or(r.docOf(pkg, holder), r.docOf(pkg, name+"_builder."+d.CamelName))
}

// fieldForm returns the form of a field: a list, a map or a single value.
func (r formReader) fieldForm(owner *types.Named, d *protodesc.Field) (*model.Type, error) {
	goType := getterResult(owner, d)
	switch {
	case d.Value != nil:
		var value types.Type
		if m, ok := goType.(*types.Map); ok {
			value = m.Elem()
		}
		elem, err := r.valueForm(d.Value, value)
		return &model.Type{Kind: model.Map, Form: model.ProtoJSON, Key: keyForm(d.Key), Elem: elem}, err
	case d.Repeated:
		var value types.Type
		if s, ok := goType.(*types.Slice); ok {
			value = s.Elem()
		}
		elem, err := r.valueForm(d, value)
		return &model.Type{Kind: model.Slice, Form: model.ProtoJSON, Elem: elem}, err
	}
	return r.valueForm(d, goType)
}

// getterResult returns the Go type of a field, nil if the field has no getter. Generated messages of all
// kinds have getters, but their fields differ.
func getterResult(owner *types.Named, d *protodesc.Field) types.Type {
	for _, name := range []string{"Get" + d.GoName, "Get_" + d.CamelName, "Get" + d.CamelName} {
		obj, _, _ := types.LookupFieldOrMethod(owner, true, nil, name)
		if f, ok := obj.(*types.Func); ok && f.Signature().Results().Len() == 1 {
			return types.Unalias(f.Signature().Results().At(0).Type())
		}
	}
	return nil
}

// valueForm returns the form of a single value, whose Go type is nil if it is unknown.
func (r formReader) valueForm(d *protodesc.Field, goType types.Type) (*model.Type, error) {
	switch d.Type {
	case protodesc.MessageType, protodesc.Group:
		if p, ok := goType.(*types.Pointer); ok {
			if named, ok := types.Unalias(p.Elem()).(*types.Named); ok {
				form, err := r.readForm(named)
				if form != nil || err != nil {
					return form, err
				}
			}
		}
	case protodesc.EnumType:
		if goType != nil {
			if named, ok := types.Unalias(goType).(*types.Named); ok {
				if form := r.enumForm(named); form != nil {
					return form, nil
				}
			}
		}
	default:
		return scalarForm(d.Type), nil
	}
	return newForm(model.Any, "any", 0), nil
}

func newForm(kind model.Kind, name string, bits int) *model.Type {
	return &model.Type{Kind: kind, Go: model.Basic(name), Bits: bits, Form: model.ProtoJSON}
}

// objectForm returns the form of an object with any members.
func objectForm() *model.Type {
	return &model.Type{Kind: model.Map, Key: newForm(model.String, "string", 0), Elem: newForm(model.Any, "any", 0)}
}

// scalarForm returns the form of a value that is neither a message nor an enum.
func scalarForm(t protodesc.Type) *model.Type {
	switch t {
	case protodesc.Bool:
		return newForm(model.Bool, "bool", 0)
	case protodesc.Double:
		return newForm(model.Float, "float64", 64)
	case protodesc.Float:
		return newForm(model.Float, "float32", 32)
	case protodesc.Int32, protodesc.Sint32, protodesc.Sfixed32:
		return newForm(model.Int, "int32", 32)
	case protodesc.Uint32, protodesc.Fixed32:
		return newForm(model.Uint, "uint32", 32)
	case protodesc.Int64, protodesc.Sint64, protodesc.Sfixed64:
		return &model.Type{Kind: model.Quoted, Go: model.Basic("int64"), Form: model.ProtoJSON, Elem: newForm(model.Int, "int64", 64)}
	case protodesc.Uint64, protodesc.Fixed64:
		return &model.Type{Kind: model.Quoted, Go: model.Basic("uint64"), Form: model.ProtoJSON, Elem: newForm(model.Uint, "uint64", 64)}
	case protodesc.Bytes:
		return &model.Type{Kind: model.Bytes, Form: model.ProtoJSON, Go: model.GoType{Kind: model.GoSlice, Elems: []model.GoType{model.Basic("byte")}}}
	case protodesc.String:
		return newForm(model.String, "string", 0)
	}
	return newForm(model.Any, "any", 0)
}

// keyForm returns the form of the keys of a map, which JSON writes as strings.
func keyForm(d *protodesc.Field) *model.Type {
	switch form := scalarForm(d.Type); form.Kind {
	case model.Quoted:
		return form.Elem
	case model.Bool:
		key := newForm(model.String, "string", 0)
		key.Pattern = "^(true|false)$" // protojson checks it
		return key
	default:
		return form
	}
}

// enumForm returns the form of an enum: the names of its values. It returns nil if the descriptor cannot be
// read.
func (r formReader) enumForm(t *types.Named) *model.Type {
	if t.Obj().Pkg() == nil {
		return nil
	}
	key := formKey{t: t.Obj(), output: r.output}
	if cached, ok := r.messageForms[key]; ok {
		return cached
	}
	d := r.descriptorsOf(t.Obj().Pkg()).Enums[t.Obj().Name()]
	if d == nil {
		return nil
	}
	form := newForm(model.String, "string", 0)
	if d.Name == "google.protobuf.NullValue" {
		form = newForm(model.Any, "any", 0)
		form.Schema = `"type":"null"`
	} else {
		form.Description, form.Def = r.docOf(t.Obj().Pkg(), t.Obj().Name()), r.findDef(t)
		for _, v := range d.Values {
			form.Enum = append(form.Enum, model.Const{Value: jsontext.Quote(v.Name), Description: r.docOf(t.Obj().Pkg(), v.Constant)})
		}
	}
	form.Go, _ = r.write.GoType(t)
	r.messageForms[key] = form
	return form
}

// durationPattern is the pattern of a google.protobuf.Duration.
const durationPattern = `^-?(0|[1-9][0-9]*)(\.[0-9]{1,9})?s$`

// wellKnownForm returns the form of a message that protojson treats specially, nil for other messages. The
// description of the form replaces the comment of the message, which is written for programmers.
func wellKnownForm(d *protodesc.Message) *model.Type {
	described := func(form *model.Type, description string) *model.Type {
		form.Description = description
		return form
	}
	switch d.Name {
	case "google.protobuf.Timestamp":
		return newForm(model.Time, "string", 0)
	case "google.protobuf.Duration":
		form := newForm(model.String, "string", 0)
		form.Pattern, form.Checked = durationPattern, true
		return described(form, "a duration in seconds, such as 90s or 1.5s")
	case "google.protobuf.FieldMask":
		return described(newForm(model.String, "string", 0), "names of fields, separated by commas, such as displayName,owner.name")
	case "google.protobuf.Any":
		return described(objectForm(), "a message of any type, with the URL of the type in the member @type")
	case "google.protobuf.Struct":
		return objectForm()
	case "google.protobuf.ListValue":
		return &model.Type{Kind: model.Slice, Elem: newForm(model.Any, "any", 0)}
	case "google.protobuf.Value":
		return newForm(model.Any, "any", 0)
	case "google.protobuf.Empty":
		return &model.Type{Kind: model.StructKind}
	case "google.protobuf.BoolValue", "google.protobuf.BytesValue", "google.protobuf.DoubleValue", "google.protobuf.FloatValue",
		"google.protobuf.Int32Value", "google.protobuf.Int64Value", "google.protobuf.StringValue", "google.protobuf.UInt32Value",
		"google.protobuf.UInt64Value":
		if len(d.Fields) == 1 {
			return scalarForm(d.Fields[0].Type)
		}
	}
	return nil
}
