// Package shape reads Go types as JSON sees them: their fields, their forms, and
// the limits that tags, constants and notes set. It gives no names, and what it
// says of a type depends on nothing but that. A field that is not among those of a
// shape is neither read nor written.
//
// Its layers, from top to bottom:
//
//	shape            a type, and all that it is made of
//	tag              what the tags of a field allow
//	basic, struct    constants as values; fields, and the ways to them
//	reference        what JSON cannot carry, or must not
//	form             types with a form of their own
//	limit, word      limits, from wherever they are; types in words
package shape

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/custom"
	"github.com/aiongen/aiongen/gen/internal/godoc"
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/jsonfield"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// Shapes are the Go types that a package uses as JSON sees them. What arguments
// are read as is not always what results are written as.
type Shapes struct {
	write gotype.Writer
	docs  *godoc.Reader
	fills func(types.Type) bool

	arguments, results typeutil.Map                                    // types.Type to *model.Type
	defs               typeutil.Map                                    // types.Type to *model.Def
	unclashing         typeutil.Map                                    // types of structs to all their fields
	constants          map[*types.Package]map[*types.TypeName][]string // names by type, in source order
	enums              map[string]enum                                 // by enumKey
	handles            map[*model.Type]handle                          // by their shape, which is a Ref
	references         map[direction]map[types.Type]bool               // whether values can only be referred to
}

// A direction says which values of a type are looked at.
type direction struct{ output, nested bool }

// New returns the shapes of types that w can write. Fills reports whether fields of a
// type are filled in arguments, and not read.
func New(w gotype.Writer, docs *godoc.Reader, fills func(types.Type) bool) *Shapes {
	return &Shapes{write: w, docs: docs, fills: fills, constants: map[*types.Package]map[*types.TypeName][]string{}, enums: map[string]enum{}, handles: map[*model.Type]handle{}, references: map[direction]map[types.Type]bool{}}
}

// Argument reads a type that arguments are read into. The list holds what is wrong
// with its tags, each at its place or, where that is not to be shown, at the
// given one. A type is read once, and so are its faults.
func (s *Shapes) Argument(t types.Type, at diag.Span) (*model.Type, diag.List, error) {
	r := reading{Shapes: s, shapes: &s.arguments, at: at}
	m, err := r.shape(t)
	return m, r.faults, err
}

// Result reads a type that results are written from.
func (s *Shapes) Result(t types.Type, at diag.Span) (*model.Type, diag.List, error) {
	r := reading{Shapes: s, shapes: &s.results, at: at, output: true}
	m, err := r.shape(t)
	return m, r.faults, err
}

// IsReference reports whether values of a type can only be referred to.
func (s *Shapes) IsReference(t types.Type) bool {
	m, _, err := New(s.write, s.docs, s.fills).Argument(t, diag.Span{}) // s tells the faults of a type once, to who reads it
	return err == nil && m.Kind == model.Ref
}

// IsObject reports whether a parameter is the arguments object as a whole: a
// struct that JSON has as an object, or a pointer to one.
func (s *Shapes) IsObject(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	t = types.Unalias(t)
	if _, ok := t.Underlying().(*types.Struct); !ok {
		return false
	}
	r := reading{Shapes: s}
	_, own := r.ownForm(t)
	return !own && !r.byReference(t) && !r.byReference(types.NewPointer(t))
}

// A reading is one look at a type and all that it is made of, in one direction.
type reading struct {
	*Shapes
	shapes *typeutil.Map // types.Type to *model.Type
	output bool
	nested bool  // within a type that generated code cannot name
	why    error // it cannot, if nested
	at     diag.Span
	faults diag.List
	depth  int // of the type that is being read
	cycles cycles
}

// typesPerStep is how many types may lead to another for one step. Paths to a type are as
// long as the chain of types that leads there.
const typesPerStep = 50

func (r *reading) shape(t types.Type) (m *model.Type, err error) {
	err = r.read(&m, t)
	return m, err
}

// read puts the shape of a type into its place, before it is filled in: what is
// within may be the type again, and look there.
func (r *reading) read(place **model.Type, written types.Type) error {
	t := types.Unalias(written)
	r.depth++
	defer func() { r.depth-- }()
	goType, unnameable := r.write.Type(t)
	r.write.Measure(t)
	if r.write.Budget.Step(1 + r.depth/typesPerStep); r.write.Budget.Err() != nil {
		return r.write.Budget.Err()
	}
	if isInvalid(t) {
		return ErrInvalid
	}
	if known, ok := r.shapes.At(t).(*model.Type); ok {
		*place = known
		r.cycles.meet(known)
		return nil
	}
	m := &model.Type{Go: goType}
	*place = m
	r.shapes.Set(t, m)
	defer r.cycles.enter(m)()
	if unnameable != nil {
		if m.Go, unnameable = r.write.Type(written); unnameable != nil && !r.nested { // by the alias
			r.shapes.Delete(t)
			*place = nil
			return unnameable
		}
	}
	if err := r.fill(m, t); err != nil {
		r.shapes.Delete(t)
		*place = nil
		return err
	}
	return nil
}

// fill fills in a type.
func (r *reading) fill(m *model.Type, t types.Type) (err error) {
	if named, ok := t.(*types.Named); ok {
		m.Description = r.docs.Of(named.Obj().Pkg()).Text[named.Obj().Name()]
		m.Def = r.def(named)
	}
	if isOpaque(t) || !r.output && losesJSON(t) || r.isFilled(t) || r.nested && r.output && isHeader(t) { // encoding/json would have all of it
		return r.fillRef(m, t)
	}
	if r.output {
		_, pointer := t.Underlying().(*types.Pointer)
		m.Nilable, m.Stringer = pointer || types.IsInterface(t), hasStringMethod(t)
	}
	if own, err := r.fillOwnForm(m, t); own || err != nil {
		return err
	}
	if r.byReference(t) {
		return r.fillRef(m, t)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return r.fillBasic(m, u, t)
	case *types.Interface:
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
		return r.read(&m.Elem, u.Elem())
	case *types.Array:
		m.Kind, m.Len = model.Array, u.Len()
		return r.read(&m.Elem, u.Elem())
	case *types.Map:
		return r.fillMap(m, u)
	case *types.Struct:
		return r.fillStruct(m, t)
	}
	return fmt.Errorf("%s is no value that JSON can carry", r.write.Package.TypeName(t))
}

// isFilled reports whether a type is the application's: one that is filled in arguments,
// and in results also what an injected pointer points to.
func (r *reading) isFilled(t types.Type) bool {
	if r.output {
		return r.fills(t) || r.fills(types.NewPointer(t))
	}
	return r.nested && r.fills(t)
}

// Fields is a handle by its fields; nil if a type is none, or has none.
func (s *Shapes) Fields(t *model.Type) *model.Type {
	h, ok := s.handles[t]
	if !ok {
		return nil
	}
	r := reading{Shapes: s, shapes: h.shapes, output: h.output}
	elem, err := r.shape(h.elem)
	if err != nil || elem.Kind != model.StructKind {
		return nil
	}
	return &model.Type{Kind: model.Pointer, Go: t.Go, Elem: elem, Nilable: t.Nilable, Stringer: t.Stringer}
}

// fillPointer fills in a pointer. What JSON cannot carry is referred to by the
// pointer, not copied out of it.
func (r *reading) fillPointer(m *model.Type, t, elem types.Type) error {
	m.Kind = model.Pointer
	if err := r.read(&m.Elem, elem); err != nil {
		return err
	}
	if m.Elem.Kind == model.Ref {
		m.Elem = nil
		return r.fillRef(m, t)
	}
	return nil
}

// ErrInvalid is that a type does not type-check.
var ErrInvalid = errors.New("its type is invalid")

func (r *reading) fillMap(m *model.Type, t *types.Map) (err error) {
	m.Kind = model.Map
	if m.Key, err = r.key(types.Unalias(t.Key())); err != nil {
		return fmt.Errorf("map key: %w", err)
	}
	return r.read(&m.Elem, t.Elem())
}

// key reads the type of a map's keys, for which encoding/json has rules of its
// own: they are read from text where they can be, but what is a string is
// written as it is.
func (r *reading) key(t types.Type) (*model.Type, error) {
	basic, _ := t.Underlying().(*types.Basic)
	isString := basic != nil && basic.Info()&types.IsString != 0
	hasText := hasMethod(t, unmarshalText)
	if r.output {
		hasText = !isString && types.NewMethodSet(t).Lookup(nil, marshalText.name) != nil
	}
	shape, err := r.shape(t)
	switch {
	case err != nil:
		return nil, err
	case hasText && (shape.Kind == model.Text || shape.Kind == model.Time):
		return shape, nil
	case hasText:
		key := &model.Type{Kind: model.Text, Go: shape.Go}
		r.fillText(key, t)
		return key, nil
	case isString && shape.Kind != model.String:
		return &model.Type{Kind: model.String, Go: shape.Go}, nil
	case basic != nil && basic.Info()&types.IsInteger != 0 && shape.Kind != model.Int && shape.Kind != model.Uint:
		return &model.Type{Kind: model.Int, Go: shape.Go}, nil
	case isString || basic != nil && basic.Info()&types.IsInteger != 0:
		return shape, nil
	}
	return nil, fmt.Errorf("%s is neither a string nor an integer, and has no text form", r.write.Package.TypeName(t))
}

// def is what names are made of for a type: the same each time, since naming changes
// it.
func (s *Shapes) def(t *types.Named) *model.Def {
	if known, ok := s.defs.At(t).(*model.Def); ok {
		return known
	}
	d := s.write.Def(t)
	s.defs.Set(t, d)
	return d
}

// fillOwnForm fills in a type that has a form of its own, not that of its
// structure, and reports whether it has one.
func (r *reading) fillOwnForm(m *model.Type, t types.Type) (own bool, err error) {
	if m.Kind, own = r.ownForm(t); !own {
		return false, nil
	}
	switch m.Kind {
	case model.Text:
		r.fillText(m, t)
	case model.Null:
		err = r.fillNull(m, t)
	case model.Custom:
		r.fillCustom(m, t)
	default:
		m.Description = "" // the form says it all
	}
	return true, err
}

// fillCustom takes what is known of what a type reads or writes that does so itself.
func (r *reading) fillCustom(m *model.Type, t types.Type) {
	if r.output {
		m.Elem = custom.Result(t)
		return
	}
	m.Elem = custom.Argument(t, func(p *types.Package) map[string]ast.Expr { return r.docs.Of(p).Returns })
	if m.Elem == nil {
		m.Elem = writtenText(t)
	}
	if m.Elem != nil && m.Elem.Description != "" {
		m.Description, m.Elem.Description = m.Elem.Description, ""
	}
}

func (r *reading) fillNull(m *model.Type, t types.Type) error {
	value := t.Underlying().(*types.Struct).Field(0)
	m.Value = value.Name()
	m.Description = "" // it says how the value is stored
	return r.read(&m.Elem, value.Type())
}

// pairsPerStep makes the steps of a struct grow with the square of its fields: tens of
// thousands of them in one schema are of no use to a model, and take a kilobyte each.
const pairsPerStep = 500

func (r *reading) fillStruct(m *model.Type, t types.Type) error {
	m.Kind = model.StructKind
	pointers := map[*types.Var]*model.Embedded{}
	fields, clashes := r.fieldsOf(t, r.knownReferences())
	m.Clashes = clashes
	if !r.write.Budget.Step(len(fields) * len(fields) / pairsPerStep) {
		return r.write.Budget.Err()
	}
	for _, f := range fields {
		field, err := r.field(f, t, pointers)
		filled := !r.nested && r.fills(f.Var().Type())
		switch {
		case filled && r.output: // what no model gives, none is told
		case filled && err == nil:
			m.Filled = append(m.Filled, model.Filled{Path: field.Path, Within: field.Within, Type: field.Type.Go})
		case r.isUnseen(f, field, err):
			m.Unseen = append(m.Unseen, model.Unseen{Name: f.Name, Type: r.write.Package.TypeName(f.Var().Type()), Field: field})
		case err != nil:
			return &fieldError{field: f.Var().Name(), err: err}
		default:
			m.Fields = append(m.Fields, field)
		}
	}
	if len(m.Fields) == 0 && len(m.Unseen) > 0 {
		m.Unseen = nil
		return r.fillRef(m, t)
	}
	return nil
}

func (r *reading) field(f jsonfield.Field, owner types.Type, pointers map[*types.Var]*model.Embedded) (*model.Field, error) {
	typ, err := r.fieldType(f)
	if err != nil {
		return nil, err
	}
	field := &model.Field{Name: f.Name, Type: typ, Description: r.fieldDoc(f), Omit: omission(f, typ)}
	if field.Path, err = r.selectors(f.Chain, owner); err != nil {
		return nil, err
	}
	if field.Within, err = r.embeddedPointers(f, owner, pointers); err != nil {
		return nil, err
	}
	field.Optional = f.Has("omitempty") || f.Has("omitzero") || MayBeNull(typ) || len(field.Within) > 0 || r.isOption(f) || isLackingApart(f, typ)
	r.constrain(field, f)
	return field, nil
}

// fieldType is the shape of a field's type. What generated code cannot name it
// leaves to encoding/json.
func (r *reading) fieldType(f jsonfield.Field) (*model.Type, error) {
	t := f.Var().Type()
	typ, err := r.shape(t)
	if _, tried := errors.AsType[*outOfReachError](err); tried {
		return nil, err
	}
	if why, ok := errors.AsType[*gotype.UnnameableError](err); ok {
		return r.opaque(t, why)
	}
	if err == nil && f.Has("string") {
		typ = quoted(typ)
	}
	return typ, err
}

// opaque is the shape of a type that generated code cannot name. Its schema
// allows what encoding/json reads or writes: it takes less care than we do.
func (r *reading) opaque(t types.Type, why error) (*model.Type, error) {
	inner := reading{Shapes: r.Shapes, shapes: &typeutil.Map{}, output: r.output, nested: true, why: why, at: r.at}
	elem, err := inner.shape(t)
	r.faults = append(r.faults, inner.faults...)
	if err != nil {
		return nil, &outOfReachError{err}
	}
	m := &model.Type{Kind: model.Opaque, Elem: elem}
	walk(elem, &model.Met{}, func(part *model.Type) {
		if slices.Contains(differentKinds, part.Kind) || r.output && slices.Contains(nilKinds, part.Kind) {
			m.Elem = nil
		}
		for _, field := range part.Fields {
			field.Optional = true
		}
	})
	return m, nil
}
