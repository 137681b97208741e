package model

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
)

// Kind says how a Go type is represented in JSON.
type Kind int

// The kinds of types.
const (
	Bool Kind = iota
	Int
	Uint
	Float
	String
	Bytes     // []byte
	ByteText  // []byte that holds text
	Stringer  // a result that is written with its method String
	ErrorText // an error in a result, which is written as its text; nil is null
	Any
	Raw    // json.RawMessage
	Number // json.Number
	Time
	Duration
	Text        // has its own methods MarshalText or UnmarshalText
	URL         // url.URL
	BigInt      // big.Int: an integer of any size
	Custom      // has its own JSON methods; arguments are first checked against Elem
	TextOr      // a String or an Elem; only as the Elem of a Custom
	NullOr      // null or an Elem; only as the Elem of a Custom
	Opaque      // read and written by encoding/json, because generated code cannot name it; Elem describes its JSON, nil if unknown
	Quoted      // the tag option ",string": a basic Elem in a string
	Null        // a type of package sql such as sql.NullString: an Elem or null
	Represented // converted from and to Elem, by two functions that the user declared
	Union       // an interface whose implementations are known; they are the variants
	Asserted    // an interface without methods whose values, according to a note, are of type Elem
	Ref         // a reference to a variable, for values that JSON cannot carry
	Pointer
	Slice
	Array
	Map
	StructKind
)

// Type describes the JSON of a Go type in one direction: of arguments, which are read, or of results, which
// are written. Within a direction each Go type has one *Type, so a recursive type is a cycle.
type Type struct {
	Kind        Kind
	Go          GoType
	Description string   // doc comment of the declaration
	Bits        int      // Int, Uint, Float: 0 is int and uint
	Elem        *Type    // Pointer, Slice, Array, Map, Null, Quoted, Custom, TextOr, NullOr, Opaque, Represented, Asserted; Bytes: the type of the elements if it is not byte
	Key         *Type    // Map: a String, an Int, a Uint, a type with text methods, or one represented as a String
	Len         int64    // Array
	Value       string   // Null: the field that holds the value
	Fields      []*Field // StructKind: the fields that are read or written; Union: the variants, see VariantObject
	Member      string   // Union: the JSON member that holds the name of the variant
	Filled      []Filled // StructKind in arguments: fields that the model does not write
	Unseen      []Unseen // StructKind: fields that JSON cannot carry
	Clashes     []Clash  // StructKind: fields with the same name, which encoding/json drops
	Enum        []Const  // named String, Int or Uint: the allowed values
	Known       []Const  // named String, Int or Uint: the declared values, if others are allowed as well
	Min, Max    string   // inclusive bounds of a number, or of the length of a String or Slice; JSON, "" if none
	Above       string   // Float: exclusive lower bound; JSON
	Below       string   // Float: exclusive upper bound; JSON
	MultipleOf  string   // of a number; JSON
	Unique      bool     // Slice, Array: no two elements are equal
	Format      string   // of a String or Text: a format of JSON Schema; see CheckedFormat
	Pattern     string   // of a String or Text: a regular expression that it matches
	Schema      string   // Any: the members of the JSON Schema that the method of a Custom type returns
	Parameters  bool     // StructKind in arguments: some fields are parameters of a request, which encoding/json ignores
	RejectsNull bool     // Any: the schema does not allow null
	Codec       Codec    // StructKind, Custom: what reads and writes values
	Form        Codec    // what reads and writes the enclosing value; unless it is GeneratedCodec, generated code only checks this part
	Unread      string   // Custom: the help that says why its method JSONSchema cannot be used; "" if it can, or if there is no such method

	Def        *Def // set for named types, shared by every *Type of the Go type
	OnValue    bool // Text: values have the text methods, not only pointers
	Stringer   bool // result: has a method String, which a note can select
	ZeroIsNull bool // Custom: the zero value is null, so that an argument may be omitted
	Nilable    bool // result or Represented: a pointer or an interface, which may be nil
	NonNil     bool // type of a whole result: a Pointer that is nil only if the call fails
	Narrowed   bool // a copy for a single field or parameter, with the limits that its note adds
	Selected   bool // has only the fields that a note names
	Checked    bool // arguments are checked with the pattern, not by the parser of the type
	Collected  bool // type of a whole result: a StructKind that holds the list of a sequence's items
	Accessors  bool // result: a StructKind that is an interface in Go. The paths of the fields are methods; nil is written as null

	// Structs are the structs of the user's module that declare the fields of arguments: the type itself and
	// the structs that it embeds.
	Structs []PinnedStruct

	// Names of generated declarations, which bind sets last.

	Reader    string // function func(wire.Value, *T); "" if values are read in place
	Writer    string // function func(*wire.Encoder, string, *T); "" if values are written in place
	Values    string // table of the enum's values
	Converter string // variable that converts a Represented
	Match     string // pattern that arguments must match; "" if there is none
	Check     string // function func(wire.Value) that checks an object that another codec reads; "" if generated code reads it
	Select    string // selection of the members of a result that are written; "" if all are written

	refs refState // whether it contains a Ref, set by SettleRefs
}

// A Codec says what reads and writes the values of a type.
type Codec int

// The codecs.
const (
	GeneratedCodec Codec = iota // generated code, field by field
	ProtoJSON                   // package protojson; generated code only checks arguments
	OwnMethods                  // UnmarshalJSON and MarshalJSON of the type; generated code only checks arguments
)

// A PinnedStruct is a named struct with its definition, so that generated code can check that the
// definition, including the tags, has not changed.
type PinnedStruct struct{ Go, Definition GoType }

// A Def holds the names of a Go type from which generated names are made.
type Def struct {
	Package string // name of the package that declares it
	Stem    string // used in names of generated code: Page, StorePage, PageInt
	Name    string // used in $defs: Page, store_Page, Page_int
}

// IsInteger reports whether values are Go integers.
func (t *Type) IsInteger() bool { return t.Kind == Int || t.Kind == Uint }

// VariantValue is the JSON member that holds the value of a variant of a union if the variant is not an
// object; see VariantObject.
const VariantValue = "value"

// VariantObject returns the struct of a variant f if its fields are JSON members next to the name of the
// variant, as in {"type": "circle", "radius": 1}. For other variants it returns nil. Their value is in the
// member VariantValue, as in {"type": "name", "value": "x"}.
func (f *Field) VariantObject() *Type {
	t := f.Type
	if t.Kind == Pointer {
		t = t.Elem
	}
	if t.Kind != StructKind || t.Codec != GeneratedCodec {
		return nil
	}
	return t
}

// HasLimits reports whether t allows only some values of its kind.
func (t *Type) HasLimits() bool {
	return t.Values != "" || t.Min != "" || t.Max != "" || t.Above != "" || t.Below != "" || t.MultipleOf != "" || t.Unique || t.Match != "" ||
		t.CheckedFormat() != ""
}

// CheckedFormat returns the format of a String or Text that generated code checks, or "". The parser of a
// Text may accept more than its format allows.
func (t *Type) CheckedFormat() string {
	if _, checked := jsonschema.LookupFormat(t.Format); checked && (t.Kind == String || t.Kind == Text) {
		return t.Format
	}
	return ""
}

// ReceivesNull reports whether null is passed to the code that reads an argument of the type. For all other
// types, null means that an optional argument is absent.
func (t *Type) ReceivesNull() bool {
	if t.Kind == Represented || t.Kind == Asserted {
		return t.Elem.ReceivesNull() && t.Elem.AcceptsNull()
	}
	return t.Kind == Custom && t.Codec == GeneratedCodec || t.Kind == Raw || t.Kind == Opaque
}

// AcceptsNull reports whether null is a value of the type in the schema of arguments, and not only another
// way to omit an optional argument.
func (t *Type) AcceptsNull() bool {
	switch t.Kind {
	case Any:
		return !t.RejectsNull
	case Custom:
		return t.Codec == GeneratedCodec && (t.Elem == nil || t.Elem.AcceptsNull())
	case Represented, Asserted:
		return t.Elem.AcceptsNull()
	}
	return t.Kind == Raw || t.Kind == Null || t.Kind == NullOr
}

// exactTypes lists, for each kind, the names of the Go types for which IsExactType returns true.
var exactTypes = map[Kind][]string{
	Bool:     {"bool"},
	String:   {"string"},
	Int:      {"int", "int8", "int16", "int32", "int64", "rune"},
	Uint:     {"uint", "uint8", "uint16", "uint32", "uint64", "byte"},
	Float:    {"float32", "float64"},
	Any:      {"any"},
	Time:     {"Time"},
	Duration: {"Duration"},
	Raw:      {"RawMessage"},
	Number:   {"Number"},

	ErrorText: {"error"},
}

// IsExactType reports whether the methods of package wire read and write values of the Go type without a
// conversion. It is true for string, for example, but false for ID if that is declared as `type ID string`.
func (t *Type) IsExactType() bool {
	if t.Kind == Bytes {
		return t.Go.Kind == GoSlice && t.Elem == nil
	}
	predeclared := t.Go.Path == "" || t.Kind == Time || t.Kind == Duration || t.Kind == Raw || t.Kind == Number
	for _, name := range exactTypes[t.Kind] {
		if predeclared && t.Go.Name == name {
			return true
		}
	}
	return false
}

// Described returns the type that the note on a result describes: the list of the items of a
// sequence, otherwise the type itself.
func (t *Type) Described() *Type {
	if t != nil && t.Collected {
		return t.Fields[0].Type
	}
	return t
}

// WithElem returns t with another Elem: a narrowed copy, or t itself if it already has this Elem.
func (t *Type) WithElem(elem *Type) *Type {
	if elem == t.Elem {
		return t
	}
	changed := new(*t)
	changed.Elem, changed.Narrowed = elem, true
	return changed
}

// A TypeSet is a set of types, optimized for few elements.
type TypeSet struct {
	few  [8]*Type
	n    int
	more map[*Type]bool
}

// Add adds a type and reports whether it was not in the set before.
func (m *TypeSet) Add(t *Type) bool {
	switch {
	case slices.Contains(m.few[:m.n], t), m.more[t]:
		return false
	case m.n < len(m.few):
		m.few[m.n] = t
		m.n++
	case m.more == nil:
		m.more = map[*Type]bool{t: true}
	default:
		m.more[t] = true
	}
	return true
}

// HoldsRef reports whether t is a Ref or contains one.
func (t *Type) HoldsRef() bool {
	if t != nil && t.refs != refsUnknown && t.Kind != Ref {
		return t.refs == hasRefs
	}
	return t.FindRef() != nil
}

// FindRef returns t if it is a Ref, else the first Ref that it contains, or nil.
func (t *Type) FindRef() (ref *Type) {
	t.Walk(func(part *Type) (enter bool) {
		if ref == nil && part.Kind == Ref {
			ref = part
		}
		return ref == nil && part.refs != noRefs
	})
	return ref
}

// Walk calls visit for t and the types that it contains, at any depth. It does not enter a type for which visit
// returns false, and enters no type twice.
func (t *Type) Walk(visit func(part *Type) (enter bool)) { t.walk(&TypeSet{}, visit) }

func (t *Type) walk(entered *TypeSet, visit func(*Type) bool) {
	if t == nil || !visit(t) || t.isLeaf() || !entered.Add(t) {
		return
	}
	t.Elem.walk(entered, visit)
	t.Key.walk(entered, visit)
	for _, f := range t.Fields {
		f.Type.walk(entered, visit)
	}
}

// yieldRequired calls yield for each Ref that every value of type t contains, with the path of the Ref,
// which begins with path. It returns false once yield has returned false. It skips lists and maps, because
// they may be empty. The types in enclosing contain t.
func (t *Type) yieldRequired(path []string, enclosing []*Type, yield func([]string, *Type) bool) bool {
	if !t.HoldsRef() || slices.Contains(enclosing, t) {
		return true
	}
	enclosing = append(slices.Clip(enclosing), t)
	switch {
	case t.Kind == Ref:
		return yield(path, t)
	case t.Kind == Union:
		return true // a value of another variant may contain no Ref
	case t.Kind == Pointer:
		return t.Elem.yieldRequired(path, enclosing, yield)
	case t.Kind == Array && t.Len > 0:
		return t.Elem.yieldRequired(append(slices.Clip(path), "*"), enclosing, yield)
	}
	for _, f := range t.ShownFields() {
		if !f.Optional && !f.Type.yieldRequired(append(slices.Clip(path), f.Name), enclosing, yield) {
			return false
		}
	}
	return true
}

// HasOnlyRefs reports whether a type contains references and nothing that JSON can carry.
func (t *Type) HasOnlyRefs() bool { return t.HoldsRef() && !t.hasJSONPart(&TypeSet{}) }

// hasJSONPart reports whether JSON can carry t or a part of it, such as a field.
func (t *Type) hasJSONPart(visited *TypeSet) bool {
	if t == nil || t.Kind == Ref || !visited.Add(t) {
		return false
	}
	switch t.Kind {
	case Pointer, Slice, Array, Map, Null, Represented, Asserted:
		return t.Elem.hasJSONPart(visited)
	case StructKind:
		return slices.ContainsFunc(t.Fields, func(f *Field) bool { return f.Type.hasJSONPart(visited) })
	}
	return true
}

// Const is one value of an enumeration.
type Const struct {
	Name        string // in Go
	Value       string // JSON: a quoted string or an integer
	Description string
}

// Field is a member of a JSON object.
type Field struct {
	Name        string      // JSON name
	Path        []string    // Go selectors that lead to it: Base, ID
	Within      []*Embedded // the embedded pointers in Path, outermost first
	Type        *Type
	Description string
	Optional    bool   // arguments may omit it
	Default     string // JSON value if it is omitted; "" for the zero value
	New         bool   // a pointer that is set to a new zero value if it is omitted
	Title       string
	Examples    []string // JSON
	Hidden      bool     // not in arguments, only in results
	Omit        Omit
	Alias       string // another name that arguments may use; "" if there is none
	Oneof       string // name of a group of fields of which arguments may have at most one; "" if it is in no group

	Presence *Presence // the struct that wraps the value in Go, nil if the field is the value itself
}

// A Presence describes a generic struct that wraps the value of a field and says whether there is a value,
// such as struct{ Value T; Present bool }. It holds the names of the fields of that struct, because generated
// code cannot name the type of the struct.
type Presence struct {
	Value   string
	Present string // a bool that is set if there is a value
	Null    string // a bool that is set for null; "" if null means that there is no value
}

// TakesNull reports whether the Presence of f lets Go code distinguish an argument that is null from one that
// is omitted.
func (f *Field) TakesNull() bool {
	return f.Presence != nil && f.Presence.Null != "" && f.Optional && f.Default == ""
}

// Rivals returns the groups of fields of which arguments may have at most one; see Oneof. It omits groups that
// show the model only one field.
func (t *Type) Rivals() (groups [][]*Field) {
	indexes := map[string]int{}
	for _, f := range t.ShownFields() {
		if f.Oneof == "" {
			continue
		}
		i, ok := indexes[f.Oneof]
		if !ok {
			i = len(groups)
			indexes[f.Oneof] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	return slices.DeleteFunc(groups, func(group []*Field) bool { return len(group) < 2 })
}

// Filled is a field of arguments that the runtime or the application fills instead of the
// model.
type Filled struct {
	Path   []string
	Within []*Embedded
	Type   GoType
}

// Unseen is a field or a variadic parameter that is left out because JSON cannot carry it.
type Unseen struct {
	Name    string   // the name that it would have in JSON
	Path    []string // JSON names that lead to it from a whole argument or result
	Type    string   // as messages show it
	Field   *Field   // the field that a note can keep; nil if no note can, and for parameters
	Param   bool     // it is a variadic parameter
	Content bool     // without it, the tool may lack data that it needs
	Repeats bool     // the same field is already in the list, with another path
}

// Clash holds fields with the same name in embedded structs, which encoding/json drops.
type Clash struct {
	Name     string   // their name in JSON
	Ways     []string // the Go selector of each field
	Separate bool     // the embedded structs are separate objects, so no field is dropped
}

// Embedded is an embedded pointer to a struct. Reading one of its fields from JSON allocates the struct. If the
// pointer is nil, its fields are not written.
type Embedded struct {
	Path []string // Go selectors that lead to the pointer
	Elem GoType
}

// FieldsWithin returns those of fields that are reached through the pointer.
func (p *Embedded) FieldsWithin(fields []*Field) (within []*Field) {
	for _, f := range fields {
		if slices.Contains(f.Within, p) {
			within = append(within, f)
		}
	}
	return within
}

// Omit says when a field is left out of the output.
type Omit int

// The values of Omit.
const (
	OmitNever     Omit = iota
	OmitFalse          // a bool that is false
	OmitZero           // a number that is 0
	OmitBlank          // an empty string
	OmitNil            // a pointer, interface, slice or map that is nil
	OmitLen            // a value without elements
	OmitValue          // a value that equals T{}
	OmitIsZero         // a value whose method IsZero returns true
	OmitNilIsZero      // a pointer or interface that is nil or whose method IsZero returns true
	OmitUnset          // the zero value of a type that is not comparable
)

// ShownFields returns the fields of an object, or the variants of a union, that a model may see. It returns nil for
// other types, and for nil.
func (t *Type) ShownFields() []*Field {
	if t == nil || t.Kind != StructKind && t.Kind != Union {
		return nil
	}
	hidden := func(f *Field) bool { return f.Hidden }
	if !slices.ContainsFunc(t.Fields, hidden) {
		return slices.Clip(t.Fields)
	}
	return slices.DeleteFunc(slices.Clone(t.Fields), hidden)
}

// HasPart reports whether JSON can carry t or a part of it. Unlike hasJSONPart, it does not look into structs,
// so that it can be called before their fields are known.
func (t *Type) HasPart() bool {
	for visited := (&TypeSet{}); visited.Add(t); t = t.Elem {
		switch t.Kind {
		case Ref:
			return false
		case Pointer, Slice, Array, Map, Represented:
			if t.Elem == nil {
				return true // Elem is not read yet
			}
		default:
			return true
		}
	}
	return true // a list or map that contains itself
}
