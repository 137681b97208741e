package model

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
)

// Kind is the JSON form of a Go type.
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
	Text        // has its own text methods
	URL         // url.URL
	BigInt      // big.Int: an integer of any size
	Custom      // has its own JSON methods; arguments are first checked against Elem
	TextOr      // a String or an Elem, only as the form of a Custom
	NullOr      // null or an Elem, only as the form of a Custom
	Opaque      // encoding/json reads and writes it, because generated code cannot name it; Elem is its form, nil for any
	Quoted      // the tag option ",string": a basic Elem in a string
	Null        // sql.Null…: a value of Elem, or null
	Represented // converted from and to an Elem, by the functions of a declaration
	Union       // an interface with known implementations
	Asserted    // an interface without methods, whose values are of the type Elem as a note says
	Ref         // a reference to a variable, for values that JSON cannot carry
	Pointer
	Slice
	Array
	Map
	StructKind
)

// Type is a Go type as JSON sees it in one direction: an argument to be read, or a result to
// be written. Within a direction each Go type has one *Type, so a recursive type is a cycle.
type Type struct {
	Kind        Kind
	Go          GoType
	Description string   // doc comment of the declaration
	Bits        int      // Int, Uint, Float: 0 is int and uint
	Elem        *Type    // Pointer, Slice, Array, Map, Null, Quoted, Custom, TextOr, NullOr, Opaque, Represented, Asserted; Bytes: a named type of byte
	Key         *Type    // Map: String, Int, Uint, what has a text, or what is represented as a String
	Len         int64    // Array
	Value       string   // Null: the field that holds the value
	Fields      []*Field // StructKind: the fields that are read or written; Union: the variants by name, see VariantObject
	Member      string   // Union: the name of the member that names the variant
	Filled      []Filled // StructKind, of arguments
	Unseen      []Unseen // StructKind: fields that JSON cannot carry
	Clashes     []Clash  // StructKind: fields with the same name, which encoding/json drops
	Enum        []Const  // named String, Int or Uint: the allowed values
	Known       []Const  // the same, if other values are allowed as well
	Min, Max    string   // inclusive bounds of a number, or of the length of a String or Slice; JSON, "" if none
	Above       string   // Float: exclusive lower bound; JSON
	Below       string   // Float: exclusive upper bound; JSON
	MultipleOf  string   // of a number; JSON
	Unique      bool     // Slice, Array: no two elements are equal
	Format      string   // of a String or Text: a format of JSON Schema; see CheckedFormat
	Pattern     string   // of a String or Text: a regular expression that it matches
	Schema      string   // Any: the members of the JSON Schema that the type of a Custom gives itself
	Parameters  bool     // StructKind, of arguments: encoding/json does not write some fields
	RejectsNull bool     // Any: the schema does not allow null
	Codec       Codec    // StructKind, Custom: what reads and writes values
	Form        Codec    // what reads and writes the value of which it is a part; generated code only checks it
	Unread      string   // Custom: why its method JSONSchema does not describe it, "" if it has none

	Def        *Def // set for named types, shared by all shapes of the type
	OnValue    bool // Text: values have the method, not only pointers
	Stringer   bool // result: it has a method String, which a note can select
	ZeroIsNull bool // Custom: the zero value is null, so that an argument may be left out
	Nilable    bool // result or Represented: a pointer or an interface, which may be nil
	NonNil     bool // whole result: a Pointer that is nil only if the call fails
	Narrowed   bool // a copy with limits that apply only in one place
	Selected   bool // has only the fields that a note names
	Checked    bool // arguments are checked with the pattern, not by the parser of the type
	Collected  bool // whole result: a StructKind with the items of a sequence
	Accessors  bool // result: a StructKind that is an interface; the paths of the fields are methods, and nil is null

	// Structs are the structs of the user's module that the fields of arguments belong to: the
	// type itself and those that it embeds.
	Structs []PinnedStruct

	// Names of generated declarations, set last.

	Reader    string // generated function func(wire.Value, *T); "" is read in place
	Writer    string // generated function func(*wire.Encoder, string, *T); "" is written in place
	Values    string // generated table of the enum's values
	Converter string // generated variable of a Represented
	Match     string // generated pattern that arguments are checked with; "" are not checked
	Check     string // generated function func(wire.Value) that checks an object; "" if generated code reads it
	Select    string // generated selection of the members of a result that are written; "" writes all

	refs refState // whether it contains a Ref, set by SettleRefs
}

// A Codec says what reads and writes the values of a type.
type Codec int

// The codecs.
const (
	GeneratedCodec Codec = iota // generated code, field by field
	ProtoJSON                   // package protojson, after generated code has checked an argument
	OwnMethods                  // UnmarshalJSON and MarshalJSON, after generated code has checked an argument
)

// A PinnedStruct is a named struct with its definition, so that generated code can check that the
// definition, including the tags, has not changed.
type PinnedStruct struct{ Go, Definition GoType }

// A Def holds the parts of names that derive from a named Go type.
type Def struct {
	Package string // name of the package that declares it
	Stem    string // in names of generated code: Page, StorePage, PageInt
	Name    string // in $defs: Page, store_Page, Page_int
}

// IsInteger reports whether values are Go integers.
func (t *Type) IsInteger() bool { return t.Kind == Int || t.Kind == Uint }

// VariantValue is the member with the value of a variant of a union that is not a struct.
const VariantValue = "value"

// VariantObject returns the struct whose fields are the members of a variant of a union. It returns nil for other types,
// whose values are in the member value.
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

// HasLimits reports whether some values of the kind are not allowed.
func (t *Type) HasLimits() bool {
	return t.Values != "" || t.Min != "" || t.Max != "" || t.Above != "" || t.Below != "" || t.MultipleOf != "" || t.Unique || t.Match != "" ||
		t.CheckedFormat() != ""
}

// CheckedFormat returns the format that generated code checks: that of a String, or of a Text
// whose parser accepts more; "" for other types.
func (t *Type) CheckedFormat() string {
	if _, checked := jsonschema.LookupFormat(t.Format); checked && (t.Kind == String || t.Kind == Text) {
		return t.Format
	}
	return ""
}

// ReceivesNull reports whether reading null has an effect on an argument of the type. To all other
// types, null means that an optional argument is absent.
func (t *Type) ReceivesNull() bool {
	if t.Kind == Represented || t.Kind == Asserted {
		return t.Elem.ReceivesNull() && t.Elem.AcceptsNull()
	}
	return t.Kind == Custom && t.Codec == GeneratedCodec || t.Kind == Raw || t.Kind == Opaque
}

// AcceptsNull reports whether the schema of arguments allows null, in addition to values that are
// absent.
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

// exactTypes are the Go types that represent a kind without conversion.
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

// IsExactType reports whether values need no conversion, because the Go type is the one of
// its kind and not declared with it as underlying type.
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

// A TypeSet is a set of types, optimized for few elements.
type TypeSet struct {
	few  [8]*Type
	n    int
	more map[*Type]bool
}

// Add adds a type and reports whether it is new.
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

// HoldsRef reports whether a type is or contains a Ref.
func (t *Type) HoldsRef() bool {
	if t != nil && t.refs != refsUnknown && t.Kind != Ref {
		return t.refs == hasRefs
	}
	return t.FindRef() != nil
}

// FindRef returns the first Ref that a type is or contains, nil if there is none.
func (t *Type) FindRef() *Type { return t.findRef(&TypeSet{}) }

func (t *Type) findRef(visited *TypeSet) *Type {
	switch {
	case t == nil:
		return nil
	case t.Kind == Ref:
		return t
	case t.refs == noRefs, t.isLeaf(), !visited.Add(t):
		return nil
	}
	if found := t.Elem.findRef(visited); found != nil {
		return found
	}
	for _, f := range t.Fields {
		if found := f.Type.findRef(visited); found != nil {
			return found
		}
	}
	return nil
}

// yieldRequired yields the Refs that every document of a type contains, with their paths
// below path, and reports whether to go on. Lists and maps may be empty, and elements of
// arrays cannot be null.
func (t *Type) yieldRequired(path []string, in []*Type, yield func([]string, *Type) bool) bool {
	if !t.HoldsRef() || slices.Contains(in, t) {
		return true
	}
	in = append(slices.Clip(in), t)
	switch {
	case t.Kind == Ref:
		return yield(path, t)
	case t.Kind == Union:
		return true // another variant may not contain it
	case t.Kind == Pointer:
		return t.Elem.yieldRequired(path, in, yield)
	case t.Kind == Array && t.Len > 0:
		return t.Elem.yieldRequired(append(slices.Clip(path), "*"), in, yield)
	}
	for _, f := range t.ShownFields() {
		if !f.Optional && !f.Type.yieldRequired(append(slices.Clip(path), f.Name), in, yield) {
			return false
		}
	}
	return true
}

// HasOnlyRefs reports whether a type contains references and nothing that JSON can carry.
func (t *Type) HasOnlyRefs() bool { return t.HoldsRef() && !t.hasJSONPart(&TypeSet{}) }

// hasJSONPart reports whether JSON can carry a part of a type.
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
	Within      []*Embedded // the embedded pointers on that path, outermost first
	Type        *Type
	Description string
	Optional    bool   // may be left out of the input
	Default     string // JSON value if it is left out; "" for the zero value
	New         bool   // a pointer that is set to a new zero value if it is left out
	Title       string
	Examples    []string // JSON
	Hidden      bool     // not in arguments, only in results
	Omit        Omit
	Alias       string // another name that arguments may use; "" if there is none
	Oneof       string // of the fields with the same one, arguments may have at most one; "" if any

	Presence *Presence // nil if the field is the value itself
}

// A Presence is the struct around the value of a field, which says whether there is a value. Generated code cannot
// name its type. It holds the names of the fields of that struct.
type Presence struct {
	Value   string
	Present string // a bool
	Null    string // a bool that is set for null; "" if null means that there is no value
}

// TakesNull reports whether null has a meaning for an argument whose value is in a Presence. Otherwise it means that
// there is no value.
func (f *Field) TakesNull() bool {
	return f.Presence != nil && f.Presence.Null != "" && f.Optional && f.Default == ""
}

// Rivals returns the fields of which arguments may have at most one, by oneof. It leaves out those that have
// none to compete with.
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
	Name    string   // as JSON would have it
	Path    []string // JSON names that lead to it, if it is listed for a whole type
	Type    string   // as messages show it
	Field   *Field   // can be kept by a note; nil if it cannot, and for parameters
	Param   bool     // it is a variadic parameter
	Content bool     // the tool may not be able to do its work without it
	Repeats bool     // the list has it already, with another path
}

// Clash holds fields with the same name in embedded structs, which encoding/json drops.
type Clash struct {
	Name     string   // as JSON would have it
	Ways     []string // Go selectors of each
	Separate bool     // the embedded structs are separate objects, so no field is dropped
}

// Embedded is an embedded pointer. Reading one of its fields allocates its element. Its
// fields are not written if it is nil.
type Embedded struct {
	Path []string // Go selectors that lead to it
	Elem GoType
}

// FieldsWithin returns the fields that are reached through the pointer.
func (p *Embedded) FieldsWithin(fields []*Field) (behind []*Field) {
	for _, f := range fields {
		if slices.Contains(f.Within, p) {
			behind = append(behind, f)
		}
	}
	return behind
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
	OmitIsZero         // as its IsZero method reports
	OmitNilIsZero      // a pointer or interface that is nil, or as its IsZero method reports
	OmitUnset          // a zero value of a type that is not comparable
)

// ShownFields returns the fields of an object, or the variants of a union, that a model may see.
func (t *Type) ShownFields() []*Field {
	if t.Kind != StructKind && t.Kind != Union {
		return nil
	}
	hidden := func(f *Field) bool { return f.Hidden }
	if !slices.ContainsFunc(t.Fields, hidden) {
		return slices.Clip(t.Fields)
	}
	return slices.DeleteFunc(slices.Clone(t.Fields), hidden)
}

// HasPart reports whether JSON can carry a part of a type.
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
