// Package shape determines how values of Go types look in JSON.
//
// The shape of a type, a *model.Type, describes its JSON: the kind of value, the fields, and the limits
// that tags, constants and notes set. It depends only on the type and on whether values are read, as
// arguments, or written, as results. Generated code neither reads nor writes a field that the shape lacks.
//
// The form of a type is how its values look in JSON: the form of time.Time, for example, is a string. Values
// of types without a form, such as channels, are passed by reference: the JSON contains a string such as
// "<<var:events>>", the name of a variable that holds the Go value.
//
// A TypeWriter converts Go types for the package that code is generated into, JSONFields finds the fields
// that encoding/json uses, and CustomArgument finds the form of a type that has its own JSON methods.
package shape

import (
	"errors"
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/protodesc"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// Shapes holds the shapes of the Go types that a package uses. Arguments and results of a
// type may have different shapes.
type Shapes struct {
	write        TypeWriter
	docs         *source.DocReader
	fills        func(types.Type) bool
	representing typeutil.Map // types.Type to the types.Type that represents it
	unions       typeutil.Map // interfaces to *source.Union, nil if the implementations are unknown

	plain              *Shapes                                         // see HasGeneratedForm
	arguments, results typeutil.Map                                    // types.Type to *model.Type
	defs               typeutil.Map                                    // types.Type to *model.Def
	structFields       typeutil.Map                                    // struct types without clashes to []JSONField
	argumentFields     typeutil.Map                                    // like structFields, for arguments that generated code reads
	constants          map[*types.Package]map[*types.TypeName][]string // names by type, in source order
	enums              map[string]constantSet                          // by enumKey
	foreign            map[*types.Package]bool                         // packages of other modules
	handles            map[*model.Type]handle                          // by shape, of kind Ref or ErrorText
	undescribed        map[*model.Type]*undescribedStruct              // by shape, of kind Custom
	references         map[direction]map[types.Type]bool               // whether values can only be passed by reference
	implemented        typeutil.Map                                    // interfaces to implementations
	paramTypes         map[*types.Package]*typeutil.Map                // see parameterTypes
	descriptors        map[string]*protodesc.Package                   // by path of the Go package
	described          [2]typeutil.Map                                 // as arguments and as results: shapes of the parts of structs with their own JSON methods
	messageForms       map[formKey]*model.Type                         // forms of messages and enums of Protocol Buffers
}

// A direction says whether values of a type are read or written, and whether encoding/json does that instead
// of generated code.
type direction struct{ output, nested bool }

// New returns Shapes that have not read any type yet. They convert the names of types with w. The function
// fills reports whether the application injects values of a type, so that arguments do not contain them.
func New(w TypeWriter, docs *source.DocReader, fills func(types.Type) bool) *Shapes {
	return &Shapes{write: w, docs: docs, fills: fills, constants: map[*types.Package]map[*types.TypeName][]string{}, enums: map[string]constantSet{}, foreign: map[*types.Package]bool{}, handles: map[*model.Type]handle{}, undescribed: map[*model.Type]*undescribedStruct{}, references: map[direction]map[types.Type]bool{}, paramTypes: map[*types.Package]*typeutil.Map{}, descriptors: map[string]*protodesc.Package{}, messageForms: map[formKey]*model.Type{}}
}

// Represent records which types represent others in JSON. Call it before any type is read.
func (s *Shapes) Represent(all []source.Representation) {
	for _, r := range all {
		s.representing.Set(r.Type, r.Form)
	}
}

// ReadArgument reads the shape of a type for arguments. The list contains errors in struct tags, at the
// position of the tag or, for tags in other packages, at the given span. A type is read only once, so
// later calls do not report its errors again.
func (s *Shapes) ReadArgument(t types.Type, at diag.Span) (*model.Type, diag.List, error) {
	r := typeReader{Shapes: s, shapes: &s.arguments, at: at}
	m, err := r.readType(t)
	return m, r.faults, err
}

// ReadResult reads the shape of a type for results.
func (s *Shapes) ReadResult(t types.Type, at diag.Span) (*model.Type, diag.List, error) {
	r := typeReader{Shapes: s, shapes: &s.results, at: at, output: true}
	m, err := r.readType(t)
	return m, r.faults, err
}

// IsReference reports whether values of a type can only be passed by reference.
func (s *Shapes) IsReference(t types.Type) bool {
	m, _, err := s.fork().ReadArgument(t, diag.Span{})
	return err == nil && m.Kind == model.Ref
}

// IsText reports whether arguments of a type are strings in JSON, and not bytes in base64.
func (s *Shapes) IsText(t types.Type) bool {
	m, _, err := s.fork().ReadArgument(t, diag.Span{})
	return err == nil && TypeWord(m) == "string" && m.Kind != model.Bytes
}

// HasGeneratedForm reports whether generated code and encoding/json write a type, or a part of it,
// differently. It matters for values of type any, which encoding/json writes.
func (s *Shapes) HasGeneratedForm(t types.Type) (different bool) {
	if s.plain == nil {
		s.plain = s.fork()
	}
	form, _, err := s.plain.ReadResult(t, diag.Span{})
	if err != nil {
		return false
	}
	form.Walk(func(part *model.Type) (enter bool) {
		different = different || part.Codec == model.ProtoJSON || part.Kind == model.ErrorText || part.Accessors || slices.Contains(differentKinds, part.Kind)
		return !different && part.Kind != model.Opaque // encoding/json writes an opaque type anyway
	})
	return different
}

// fork returns shapes with the configuration of s that have not read any type yet. A type that the fork has
// read still counts as unread in s, so s reports its errors later.
func (s *Shapes) fork() *Shapes {
	other := New(s.write, s.docs, s.fills)
	other.representing, other.unions = s.representing, s.unions
	return other
}

// IsObject reports whether a parameter of a type can be the whole arguments object: a struct
// that JSON represents as an object, or a pointer to one.
func (s *Shapes) IsObject(t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok && s.representingType(t) == nil {
		t = types.Unalias(p.Elem())
	}
	if _, ok := t.Underlying().(*types.Struct); !ok {
		return false
	}
	r := typeReader{Shapes: s}
	kind, own := r.ownForm(t)
	if kind == model.Custom && (isMessage(t) || r.fieldsDescribeJSON(t)) {
		m, _, err := s.fork().ReadArgument(t, diag.Span{})
		return err == nil && m.Kind == model.StructKind
	}
	return !own && !r.isByReference(t) && !r.isByReference(types.NewPointer(t))
}

// A typeReader reads one type and all its parts in one direction.
type typeReader struct {
	*Shapes
	shapes    *typeutil.Map // types.Type to *model.Type
	output    bool
	nested    bool        // encoding/json, not generated code, reads or writes the type
	nestedErr error       // why generated code does not do it, if nested
	codec     model.Codec // the codec of the value that contains the type
	byFields  types.Type  // a struct whose fields describe its JSON, because a note says so; or nil
	partial   bool        // within a request of Protocol Buffers with a field mask
	at        diag.Span
	faults    diag.List
	depth     int // of the type that is being read
	cycles    cycleFinder
}

// typesPerStep sets the cost of deep nesting: reading a type at depth n costs n/typesPerStep additional
// steps, because the path to the type grows with its depth.
const typesPerStep = 50

func (r *typeReader) readType(t types.Type) (m *model.Type, err error) {
	err = r.readInto(&m, t)
	return m, err
}

// readInto sets *dest to the shape of a type before it reads the parts of the type, because the parts of a
// recursive type refer to that shape.
func (r *typeReader) readInto(dest **model.Type, declared types.Type) error {
	t := types.Unalias(declared)
	r.depth++
	defer func() { r.depth-- }()
	goType, unnameable := r.write.GoType(t)
	r.write.chargeSize(t)
	if r.write.Budget.UseSteps(1 + r.depth/typesPerStep); r.write.Budget.Err() != nil {
		return r.write.Budget.Err()
	}
	if isInvalid(t) {
		return ErrInvalid
	}
	if cached, ok := r.shapes.At(t).(*model.Type); ok {
		*dest = cached
		r.cycles.meetType(cached)
		return nil
	}
	m := &model.Type{Go: goType, Form: r.codec}
	*dest = m
	r.shapes.Set(t, m)
	defer r.cycles.enterType(m)()
	if unnameable != nil {
		if m.Go, unnameable = r.write.GoType(declared); unnameable != nil && !r.nested { // generated code may name the alias instead
			r.shapes.Delete(t)
			*dest = nil
			return unnameable
		}
	}
	if err := r.fillType(m, t); err != nil {
		r.shapes.Delete(t)
		*dest = nil
		return err
	}
	return nil
}

// fillType sets the kind and the parts of a shape.
func (r *typeReader) fillType(m *model.Type, t types.Type) (err error) {
	if named, ok := t.(*types.Named); ok {
		m.Description = r.docOf(named.Obj().Pkg(), named.Obj().Name())
		m.Def = r.findDef(named)
	}
	if r.isOpaque(t) || !r.output && r.losesJSON(t) || r.isFilled(t) || r.nested && r.output && isHeader(t) { // encoding/json would write the secrets in a header
		return r.fillRef(m, t)
	}
	if r.output {
		_, pointer := t.Underlying().(*types.Pointer)
		m.Nilable, m.Stringer = pointer || types.IsInterface(t), hasSelectable(t, stringMethod)
	}
	if own, err := r.fillOwnForm(m, t); own || err != nil {
		return err
	}
	if r.isErrorText(t) {
		r.fillErrorText(m, t)
		return nil
	}
	if r.isByReference(t) {
		return r.fillRef(m, t)
	}
	return r.fillUnderlying(m, t)
}

// fillUnderlying sets the kind and the parts of a shape for the underlying type.
func (r *typeReader) fillUnderlying(m *model.Type, t types.Type) error {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return r.fillBasic(m, u, t)
	case *types.Interface:
		if union := r.knownUnion(t); union != nil {
			return r.fillUnion(m, union)
		}
		if accessors := r.resultAccessors(t); accessors != nil {
			return r.fillAccessors(m, accessors)
		}
		m.Kind = model.Any
		return nil
	case *types.Pointer:
		if onlyPointers(t) {
			return fmt.Errorf("%s points to nothing but itself", r.write.Package.TypeName(t))
		}
		return r.fillPointer(m, t, u.Elem())
	case *types.Slice:
		if isBytes(u) {
			return r.fillBytes(m, u)
		}
		m.Kind = model.Slice
		return r.readInto(&m.Elem, u.Elem())
	case *types.Array:
		m.Kind, m.Len = model.Array, u.Len()
		return r.readInto(&m.Elem, u.Elem())
	case *types.Map:
		return r.fillMap(m, u)
	case *types.Struct:
		return r.fillStruct(m, t)
	}
	return fmt.Errorf("%s is not a value that JSON can carry", r.write.Package.TypeName(t))
}

// fillAccessors sets the fields of an interface that counts as data (see accessorsOf), one for each accessor.
func (r *typeReader) fillAccessors(m *model.Type, accessors []*types.Func) error {
	m.Kind, m.Accessors = model.StructKind, true
	for _, accessor := range accessors {
		f := &model.Field{Name: accessorName(accessor), Path: []string{accessor.Name()}}
		if err := r.readInto(&f.Type, accessor.Signature().Results().At(0).Type()); err != nil {
			return &fieldError{field: accessor.Name(), err: err}
		}
		m.Fields = append(m.Fields, f)
	}
	return nil
}

// isFilled reports whether the application injects values of a type. If the application injects *T, results
// of type T count as injected, too. For arguments that generated code reads, isFilled returns false, because
// fillFields handles their injected fields.
func (r *typeReader) isFilled(t types.Type) bool {
	if r.output {
		return r.fills(t) || r.fills(types.NewPointer(t))
	}
	return r.nested && r.fills(t)
}

// HandleFields returns the shape of a handle, such as *csv.Reader, with its fields. It returns nil if t is
// not a handle or has no fields.
func (s *Shapes) HandleFields(t *model.Type) *model.Type {
	h, ok := s.handles[t]
	if !ok {
		return nil
	}
	r := typeReader{Shapes: s, shapes: h.shapes, output: h.output}
	elem, err := r.readType(h.elem)
	if err != nil || elem.Kind != model.StructKind {
		return nil
	}
	return &model.Type{Kind: model.Pointer, Go: t.Go, Elem: elem, Nilable: t.Nilable, Stringer: t.Stringer}
}

// fillPointer fills the shape of a pointer. If JSON cannot carry the value, the pointer
// itself is passed by reference.
func (r *typeReader) fillPointer(m *model.Type, t, elem types.Type) error {
	m.Kind = model.Pointer
	if err := r.readInto(&m.Elem, elem); err != nil {
		return err
	}
	if m.Elem.Kind == model.Ref {
		m.Elem = nil
		return r.fillRef(m, t)
	}
	return nil
}

// ErrInvalid reports that a type does not type-check.
var ErrInvalid = errors.New("its type is invalid")

func (r *typeReader) fillMap(m *model.Type, t *types.Map) (err error) {
	m.Kind = model.Map
	if m.Key, err = r.readKey(types.Unalias(t.Key())); err != nil {
		return fmt.Errorf("map key: %w", err)
	}
	return r.readInto(&m.Elem, t.Elem())
}

// readKey reads the type of map keys. As in encoding/json, text methods apply to keys, except that keys of
// a string type are written unchanged.
func (r *typeReader) readKey(t types.Type) (*model.Type, error) {
	isString, isInteger := isBasic(t, types.IsString), isBasic(t, types.IsInteger)
	hasText := hasMethod(t, unmarshalText)
	if r.output {
		hasText = !isString && types.NewMethodSet(t).Lookup(nil, marshalText.name) != nil
	}
	shape, err := r.readType(t)
	switch {
	case err != nil:
		return nil, err
	case shape.Kind == model.Represented:
		return representedKey(shape)
	case hasText:
		return r.textKey(shape, t), nil
	case isString && shape.Kind != model.String:
		return &model.Type{Kind: model.String, Go: shape.Go}, nil
	case isInteger && shape.Kind != model.Int && shape.Kind != model.Uint:
		return &model.Type{Kind: model.Int, Go: shape.Go}, nil
	case isString || isInteger:
		return openKey(shape), nil
	}
	return nil, fmt.Errorf("%s is neither a string nor an integer, and has no text form", r.write.Package.TypeName(t))
}

// isBasic reports whether the underlying type of t is a basic type with this property.
func isBasic(t types.Type, property types.BasicInfo) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&property != 0
}

// openKey returns the shape of map keys without its enum, because a map may also have keys that are not
// constants of the type.
func openKey(shape *model.Type) *model.Type {
	if len(shape.Enum) == 0 {
		return shape
	}
	return openType(shape)
}

// textKey returns the type of map keys for a type that has a text form.
func (r *typeReader) textKey(shape *model.Type, t types.Type) *model.Type {
	if shape.Kind == model.Text || shape.Kind == model.Time {
		return shape
	}
	key := &model.Type{Kind: model.Text, Go: shape.Go}
	r.fillText(key, t)
	return key
}

// representedKey returns the type of map keys for a type that is represented as a string.
func representedKey(shape *model.Type) (*model.Type, error) {
	if shape.Elem.Kind != model.String {
		return nil, fmt.Errorf("%s is represented as %s, which is not a string", shape.Go, shape.Elem.Go)
	}
	if len(shape.Elem.Enum) == 0 {
		return shape, nil
	}
	key := *shape
	key.Elem = openType(shape.Elem)
	return &key, nil
}

// fillOwnForm fills the shape of a type whose JSON form differs from its structure, and reports whether t
// is such a type.
func (r *typeReader) fillOwnForm(m *model.Type, t types.Type) (own bool, err error) {
	if m.Kind, own = r.ownForm(t); !own {
		return false, nil
	}
	switch m.Kind {
	case model.Text:
		r.fillText(m, t)
	case model.Null:
		err = r.fillNull(m, t)
	case model.Custom:
		if isMessage(t) && !r.nested {
			return true, r.fillMessage(m, t)
		}
		err = r.fillCustom(m, t)
	case model.Represented:
		m.Nilable = isPointerOrInterface(t)
		err = r.readInto(&m.Elem, r.representingType(t))
	default:
		m.Description = "" // the form describes the type
	}
	return true, err
}

// fillCustom sets the form of a type with its own JSON methods, if the form is known.
func (r *typeReader) fillCustom(m *model.Type, t types.Type) error {
	m.ZeroIsNull = isNullZero(t)
	if elem := nullableElem(t); elem != nil {
		return r.fillNullable(m, elem)
	}
	if r.output {
		if m.Elem = customResult(t); m.Elem == nil && r.fieldsDescribeJSON(t) {
			return r.fillDescribed(m, t)
		}
		r.rememberUndescribed(m, t)
		return nil
	}
	m.Elem = CustomArgument(t, r.docs.PackageDoc)
	if m.Elem == nil {
		m.Elem, m.Unread = writtenText(t), explainUnread(t, r.docs.PackageDoc)
	}
	if m.Elem == nil {
		if m.Elem = r.generatedArgument(t); m.Elem != nil {
			m.Unseen = unreadParams(r.write, t)
		}
	}
	if m.Elem == nil && r.fieldsDescribeJSON(t) {
		m.Unread = ""
		return r.fillDescribed(m, t)
	}
	r.rememberUndescribed(m, t)
	if m.Elem != nil && m.Elem.Description != "" {
		m.Description, m.Elem.Description = m.Elem.Description, ""
	}
	return nil
}

// errOwnMethods explains why the parts of a struct with its own JSON methods cannot be passed by
// reference.
var errOwnMethods = errors.New("the type reads and writes its JSON itself")

// fillDescribed fills the shape of a struct that has its own JSON methods, but whose fields describe its
// JSON. The parts have the shapes that encoding/json gives them.
func (r *typeReader) fillDescribed(m *model.Type, t types.Type) error {
	if r.nested {
		if err := r.fillStruct(m, t); err != nil {
			return err
		}
		r.openReplaced(m, t)
		return nil
	}
	direction := 0
	if r.output {
		direction = 1
	}
	inner := typeReader{
		Shapes: r.Shapes, shapes: &r.described[direction], output: r.output, nested: true, nestedErr: errOwnMethods, codec: model.OwnMethods, at: r.at,
		byFields: r.byFields,
	}
	if r.byFields != nil {
		inner.shapes = &typeutil.Map{} // not shared: without the note, the type has another shape
	}
	object := &model.Type{}
	err := inner.fillStruct(object, t)
	r.faults = append(r.faults, inner.faults...)
	if err != nil {
		return err
	}
	inner.openReplaced(object, t)
	m.Kind, m.Codec, m.Fields, m.Clashes = model.StructKind, model.OwnMethods, object.Fields, object.Clashes
	if !r.output {
		m.Unseen = unreadParams(r.write, t)
	}
	return nil
}

// fillNullable sets the form of a type that encoding/json reads and writes as elem or null. If generated code
// reads or writes elem differently than encoding/json, the form stays unknown.
func (r *typeReader) fillNullable(m *model.Type, elem types.Type) error {
	m.Description = "" // the doc comment says how Go stores the value
	form, err := r.readType(elem)
	if err != nil {
		return err
	}
	sameForm := !form.HoldsRef()
	form.Walk(func(part *model.Type) (enter bool) {
		sameForm = sameForm && part.Kind != model.Represented && !part.Accessors && !slices.Contains(differentKinds, part.Kind) && (!r.output || !slices.Contains(nilKinds, part.Kind))
		return sameForm && part.Kind != model.Opaque
	})
	if sameForm {
		m.Elem = orNull(form)
	}
	return nil
}

func (r *typeReader) fillNull(m *model.Type, t types.Type) error {
	value := t.Underlying().(*types.Struct).Field(0)
	m.Value = value.Name()
	m.Description = "" // the doc comment says how Go stores the value
	return r.readInto(&m.Elem, value.Type())
}

// pairsPerStep is the number of pairs of fields that cost one step. The cost of a struct grows with the
// square of its fields, so that the budget rejects structs with tens of thousands of fields. They are
// useless to a model, and each field takes a kilobyte.
const pairsPerStep = 500

func (r *typeReader) fillStruct(m *model.Type, t types.Type) error {
	m.Kind = model.StructKind
	if named, ok := t.(*types.Named); ok && r.nested {
		if populated := r.populatedStruct(named); populated != nil {
			return r.fillPopulated(m, populated)
		}
	}
	return r.fillFields(m, t)
}

// fillPopulated fills the shape of a struct whose fields have the names that its MarshalJSON gives them, not
// those in tags.
func (r *typeReader) fillPopulated(m *model.Type, t *types.Named) error {
	if err := r.fillFields(m, t); err != nil {
		return err
	}
	r.renamePopulated(m, t)
	return nil
}

// fillFields fills the fields of the shape of a struct.
func (r *typeReader) fillFields(m *model.Type, t types.Type) error {
	pointers := map[*types.Var]*model.Embedded{}
	fields, clashes := r.fieldsOf(t)
	m.Clashes = clashes
	if !r.output {
		m.Structs = r.ownStructs(t, fields)
	}
	if !r.write.Budget.UseSteps(len(fields) * len(fields) / pairsPerStep) {
		return r.write.Budget.Err()
	}
	for _, f := range fields {
		field, err := r.readField(f, t, pointers)
		filled := !r.nested && r.fills(f.Variable().Type())
		switch {
		case filled && r.output: // the model does not see values that it cannot set
		case filled && err == nil:
			m.Filled = append(m.Filled, model.Filled{Path: field.Path, Within: field.Within, Type: field.Type.Go})
		case r.isUnseen(f, field, err):
			m.Unseen = append(m.Unseen, model.Unseen{Name: f.Name, Type: r.write.Package.TypeName(f.Variable().Type()), Field: field, Content: r.isLossOfContent(f)})
		case err != nil:
			return &fieldError{field: f.Variable().Name(), err: err}
		default:
			m.Fields = append(m.Fields, field)
			m.Parameters = m.Parameters || f.parameter
		}
	}
	if r.output {
		m.Unseen = append(m.Unseen, r.embeddedErrors(t, map[types.Type]bool{})...)
	}
	if len(m.Fields) == 0 && len(m.Unseen) > 0 {
		m.Unseen = nil
		return r.fillRef(m, t)
	}
	return nil
}

// embeddedErrors returns the values of type error that a struct embeds, itself or in embedded structs. They have no
// exported name, so encoding/json ignores them.
func (s *Shapes) embeddedErrors(t types.Type, visited map[types.Type]bool) (found []model.Unseen) {
	st, ok := t.Underlying().(*types.Struct)
	if !ok || visited[t] || !s.write.Budget.UseSteps(1) {
		return nil
	}
	visited[t] = true
	for i := range st.NumFields() {
		f := st.Field(i)
		name, _ := tagName(st.Tag(i))
		switch {
		case !f.Embedded() || name == "-":
		case source.IsError(f.Type()):
			found = append(found, model.Unseen{Name: f.Name(), Type: "error", Content: true})
		case embeddedStruct(f) != nil && name == "":
			found = append(found, s.embeddedErrors(embeddedStruct(f), visited)...)
		}
	}
	return found
}

// ownStructs returns the structs of the user's module that fields belong to, beginning with t.
// It leaves out structs that the generated package cannot write.
func (s *Shapes) ownStructs(t types.Type, fields []JSONField) (structs []model.PinnedStruct) {
	seen := map[types.Type]bool{}
	add := func(t types.Type) {
		named, ok := types.Unalias(t).(*types.Named)
		if !ok || seen[named] || named.Obj().Pkg() == nil || !s.write.OwnsPackage(named.Obj().Pkg().Path()) {
			return
		}
		seen[named] = true
		goType, err := s.write.GoType(named)
		if err != nil {
			return
		}
		if definition, err := s.write.GoType(named.Underlying()); err == nil {
			structs = append(structs, model.PinnedStruct{Go: goType, Definition: definition})
		}
	}
	add(t)
	for _, f := range fields {
		add(f.Owner)
	}
	return structs
}

// readField reads a field of the struct owner. The result of embeddedPointers is passed as pointers.
func (r *typeReader) readField(f JSONField, owner types.Type, pointers map[*types.Var]*model.Embedded) (*model.Field, error) {
	typ, err := r.fieldType(f)
	if r.codec != model.GeneratedCodec {
		typ, err = r.describedType(f, typ, err)
	}
	if err != nil {
		return nil, err
	}
	field := &model.Field{Name: f.Name, Type: typ, Description: r.fieldDoc(f), Omit: findOmission(f, typ), Presence: f.presence}
	if field.Path, err = r.fieldSelectors(f.Chain, owner); err != nil {
		return nil, err
	}
	if field.Within, err = r.embeddedPointers(f, owner, pointers); err != nil {
		return nil, err
	}
	field.Optional = !isRequiredParam(f) && (field.Presence != nil || f.hasOption("omitempty") || f.hasOption("omitzero") || IsNullable(typ) || typ.ZeroIsNull || len(field.Within) > 0 || r.isOption(f) || isOmittableEmbedded(f, typ))
	r.applyTags(field, f)
	return field, nil
}

// fieldType returns the shape of the type of a field. If generated code cannot name the type,
// encoding/json reads and writes it.
func (r *typeReader) fieldType(f JSONField) (*model.Type, error) {
	t := f.valueType()
	typ, err := r.readType(t)
	if _, outOfReach := errors.AsType[*outOfReachError](err); outOfReach {
		return nil, err
	}
	if why, ok := errors.AsType[*UnnameableError](err); ok {
		return r.readOpaque(t, why)
	}
	if err == nil && f.hasOption("string") {
		typ = quoteType(typ)
	}
	return typ, err
}

// readOpaque returns the shape of a type that generated code cannot name. encoding/json reads and
// writes its values, with fewer checks than generated code, so the schema has no required members.
func (r *typeReader) readOpaque(t types.Type, why error) (*model.Type, error) {
	inner := typeReader{Shapes: r.Shapes, shapes: &typeutil.Map{}, output: r.output, nested: true, nestedErr: why, at: r.at}
	elem, err := inner.readType(t)
	r.faults = append(r.faults, inner.faults...)
	if err != nil {
		return nil, &outOfReachError{err}
	}
	m := &model.Type{Kind: model.Opaque, Elem: elem}
	elem.Walk(func(part *model.Type) (enter bool) {
		if slices.Contains(differentKinds, part.Kind) || r.output && slices.Contains(nilKinds, part.Kind) {
			m.Elem = nil
		}
		for _, field := range part.Fields {
			field.Optional = true
		}
		return part.Kind != model.Opaque
	})
	return m, nil
}
