package model

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema/text"
)

// Kind is how a Go type looks as JSON.
type Kind int

// The kinds of types.
const (
	Bool Kind = iota
	Int
	Uint
	Float
	String
	Bytes    // []byte
	ByteText // []byte as the text that it is
	Stringer // a result as the text of its method String
	Any
	Raw    // json.RawMessage
	Number // json.Number
	Time
	Duration
	Text   // reads and writes itself as text
	URL    // url.URL
	BigInt // big.Int: an integer of any size
	Custom // reads and writes itself as JSON; that of arguments is first checked to be an Elem
	TextOr // a String, or an Elem: only in a Custom, as what it takes or writes
	Opaque // generated code cannot name it, and leaves it to encoding/json; Elem is its form, nil for any
	Quoted // the tag option ",string": a basic Elem in a string
	Null   // sql.Null…: a value of Elem, or none
	Ref    // what JSON cannot carry: a reference to a variable
	Pointer
	Slice
	Array
	Map
	StructKind
)

// Type is a Go type as JSON sees it in one direction: an argument to be read, or
// a result to be written. Within that, types of one Go type are one *Type, so a
// recursive type is a cycle.
type Type struct {
	Kind        Kind
	Go          GoType
	Description string   // doc comment of the declaration
	Bits        int      // Int, Uint, Float: 0 is int and uint
	Elem        *Type    // Pointer, Slice, Array, Map, Null, Quoted, Custom, TextOr, Opaque; Bytes: a named type of byte
	Key         *Type    // Map: String, Int, Uint, or what has a text
	Len         int64    // Array
	Value       string   // Null: the field that holds the value
	Fields      []*Field // StructKind: what is read or written; other fields of the Go type are not
	Filled      []Filled // StructKind, of arguments
	Unseen      []Unseen // StructKind: the other fields that encoding/json would look at
	Clashes     []Clash  // StructKind: fields of one name, which encoding/json drops
	Enum        []Const  // named String, Int or Uint: the values allowed
	Known       []Const  // the same, where they are named but others are allowed
	Min, Max    string   // bounds of a number, or of the length of a String or Slice; JSON, "" is none
	Above       string   // Float: a bound that is not in range itself; JSON
	Below       string   // the same from above
	MultipleOf  string   // of a number; JSON
	Unique      bool     // Slice, Array: no two elements are equal
	Format      string   // of a String or Text, as JSON Schema calls it; see CheckedFormat
	Pattern     string   // of a String or Text: a regular expression that it matches

	Def      *Def // of a named type, one for all that are of it; nil for others
	OnValue  bool // Text: a value writes itself, not a pointer to one alone
	Stringer bool // of a result: it has a method String, which a note may ask for
	Nilable  bool // of a result: a pointer or an interface, which may be nil
	Sure     bool // of a result as a whole: a Pointer that is not nil, or the call fails
	Narrowed bool // a copy, with limits that are those of its place alone
	Checked  bool // arguments are checked with the pattern, not by the type's own parser

	// The names below are given last, to what is used.

	Reader string // generated function func(wire.Value, *T); "" is read in place
	Writer string // generated function func(*wire.Encoder, string, *T); "" is written in place
	Values string // generated table of the enum's values
	Match  string // generated pattern that arguments are checked with; "" are not checked

	refs refState // whether it has a Ref, once SettleRefs has found out
}

// A Def is what other names are made of where a Go type has one.
type Def struct {
	Package string // name of the package that declares it
	Stem    string // in names of generated code: Page, StorePage, PageInt
	Name    string // in $defs: Page, store_Page, Page_int
}

// IsInteger reports whether values are integers of Go.
func (t *Type) IsInteger() bool { return t.Kind == Int || t.Kind == Uint }

// Limited reports whether not every value of the kind is allowed.
func (t *Type) Limited() bool {
	return t.Values != "" || t.Min != "" || t.Max != "" || t.Above != "" || t.Below != "" || t.MultipleOf != "" || t.Unique || t.Match != "" ||
		t.CheckedFormat() != ""
}

// CheckedFormat is the format that a String is checked for, or a Text whose parser
// would take more; "" for others.
func (t *Type) CheckedFormat() string {
	if _, checked := text.FormatOf(t.Format); checked && (t.Kind == String || t.Kind == Text) {
		return t.Format
	}
	return ""
}

// ownTypes are the Go types that are of a kind by themselves.
var ownTypes = map[Kind][]string{
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
}

// IsOwn reports whether the Go type is the one of its kind, not one declared as that,
// so that a value needs no conversion.
func (t *Type) IsOwn() bool {
	if t.Kind == Bytes {
		return t.Go.Kind == GoSlice && t.Elem == nil
	}
	predeclared := t.Go.Path == "" || t.Kind == Time || t.Kind == Duration || t.Kind == Raw || t.Kind == Number
	for _, name := range ownTypes[t.Kind] {
		if predeclared && t.Go.Name == name {
			return true
		}
	}
	return false
}

// Met are the types that were met on a way through what a type is made of: mostly few.
type Met struct {
	few  [8]*Type
	n    int
	more map[*Type]bool
}

// First reports whether a type is met for the first time.
func (m *Met) First(t *Type) bool {
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

// HoldsRef reports whether a type is, or has a part that is, a Ref.
func (t *Type) HoldsRef() bool {
	if t != nil && t.refs != refsUnknown && t.Kind != Ref {
		return t.refs == hasRefs
	}
	return t.FindRef() != nil
}

// FindRef returns the first Ref that a type is or has as a part, nil if there is
// none.
func (t *Type) FindRef() *Type { return t.findRef(&Met{}) }

func (t *Type) findRef(met *Met) *Type {
	switch {
	case t == nil:
		return nil
	case t.Kind == Ref:
		return t
	case t.refs == noRefs, t.isLeaf(), !met.First(t):
		return nil
	}
	if found := t.Elem.findRef(met); found != nil {
		return found
	}
	for _, f := range t.Fields {
		if found := f.Type.findRef(met); found != nil {
			return found
		}
	}
	return nil
}

// required yields the Refs that every document of a type has, which stands at the end
// of a path in others, and reports whether to go on. Lists and maps may be empty, an
// array is as long as it is, and nothing in it is null.
func (t *Type) required(path []string, in []*Type, yield func([]string, *Type) bool) bool {
	if !t.HoldsRef() || slices.Contains(in, t) {
		return true
	}
	in = append(slices.Clip(in), t)
	switch {
	case t.Kind == Ref:
		return yield(path, t)
	case t.Kind == Pointer:
		return t.Elem.required(path, in, yield)
	case t.Kind == Array && t.Len > 0:
		return t.Elem.required(append(slices.Clip(path), "*"), in, yield)
	}
	for _, f := range t.Shown() {
		if !f.Optional && !f.Type.required(append(slices.Clip(path), f.Name), in, yield) {
			return false
		}
	}
	return true
}

// OnlyRefers reports whether all that a type tells are references.
func (t *Type) OnlyRefers() bool { return t.HoldsRef() && !t.tells(&Met{}) }

// tells reports whether JSON can carry some of a type.
func (t *Type) tells(met *Met) bool {
	if t == nil || t.Kind == Ref || !met.First(t) {
		return false
	}
	switch t.Kind {
	case Pointer, Slice, Array, Map, Null:
		return t.Elem.tells(met)
	case StructKind:
		return slices.ContainsFunc(t.Fields, func(f *Field) bool { return f.Type.tells(met) })
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
	Within      []*Embedded // the embedded pointers on that way, from outside
	Type        *Type
	Description string
	Optional    bool   // may be left out of the input
	Default     string // JSON value of what is left out; "" is the zero value
	New         bool   // a pointer that points to a zero value where it is left out
	Title       string
	Examples    []string // JSON
	Hidden      bool     // no argument: only results have it
	Omit        Omit
}

// Filled is a field of arguments that no model writes, but runtime or application fills.
type Filled struct {
	Path   []string
	Within []*Embedded
	Type   GoType
}

// Unseen is a field that is left out of an object, since JSON cannot carry it.
type Unseen struct {
	Name  string // as JSON would have it
	Type  string // as messages show it
	Field *Field // which a note may keep; nil if that cannot be, and of parameters
}

// Clash is fields of one name in embedded structs, of which encoding/json sees none.
type Clash struct {
	Name  string   // as JSON would have it
	Ways  []string // Go selectors that lead to each
	Apart bool     // the embedded structs are objects of their own, so that none is dropped
}

// Embedded is an embedded pointer. What it points to is made when one of its
// fields is read, and none of them is written where it is nil.
type Embedded struct {
	Path []string // Go selectors that lead to it
	Elem GoType
}

// Behind returns which fields are behind the pointer.
func (p *Embedded) Behind(fields []*Field) (behind []*Field) {
	for _, f := range fields {
		if slices.Contains(f.Within, p) {
			behind = append(behind, f)
		}
	}
	return behind
}

// Omit says when a field is left out of the output.
type Omit int

// The ways of leaving out.
const (
	OmitNever     Omit = iota
	OmitFalse          // a bool that is false
	OmitZero           // a number that is 0
	OmitBlank          // a string without text
	OmitNil            // a pointer, interface, slice or map that is nil
	OmitLen            // what has no elements
	OmitValue          // what equals the composite literal T{}
	OmitIsZero         // what its IsZero method reports
	OmitNilIsZero      // a pointer or interface that is nil, or as its IsZero method reports
	OmitUnset          // what has nothing set in it, of a type that == does not take
)

// Shown are the fields of an object that a model may see.
func (t *Type) Shown() []*Field {
	if t.Kind != StructKind {
		return nil
	}
	hidden := func(f *Field) bool { return f.Hidden }
	if !slices.ContainsFunc(t.Fields, hidden) {
		return slices.Clip(t.Fields)
	}
	return slices.DeleteFunc(slices.Clone(t.Fields), hidden)
}

// HasPart reports whether JSON can carry some of a type.
func (t *Type) HasPart() bool {
	for met := (&Met{}); met.First(t); t = t.Elem {
		switch t.Kind {
		case Ref:
			return false
		case Pointer, Slice, Array, Map:
			if t.Elem == nil {
				return true // it is yet to be read
			}
		default:
			return true
		}
	}
	return true // a list or map of itself
}
