// Package model is the bound model: what the .aion files of a package and its
// Go code say together, resolved down to every name that will be printed.
// Binding builds it and emission prints it; nothing in it needs a type checker
// or a parser.
package model

import (
	"go/ast"
	"go/token"
	"slices"
)

// Package is one package of generated code.
type Package struct {
	Path, Name string   // of the package that the generated files belong to
	Source     string   // from the generated files to the .aion files: "", or "../tools/"
	Imports    []Import // every package that generated code may name, by path
	Files      []File   // in .aion name order
	Deps       []*Dep   // in the order of first use

	Prompts *Prompts // nil if the .aion files have none

	// Local gives the names of variables in generated functions, where the
	// usual one of Locals would hide something that they refer to.
	Local map[string]string
}

// Locals are the usual names of parameters and variables in generated functions.
var Locals = []string{
	"a", "all", "call", "ctx", "d", "data", "e", "err", "in", "lead", "logger", "o", "payload", "query", "r", "run", "scope", "store",
	"t", "text", "v", "x",
}

// Tools returns the tools of all files, in order.
func (p *Package) Tools() []*Tool {
	var tools []*Tool
	for i := range p.Files {
		tools = append(tools, p.Files[i].Tools...)
	}
	return tools
}

// Import is a package and the name it goes by in generated code.
type Import struct {
	Path, Name string
	Renamed    bool // Name is not the package's own
}

// Prompts is what the .aion files say beside their elements.
type Prompts struct {
	Base   string // the system prompt without its rules
	System string // the same with them
	Rules  []string
	Query  []Segment // the template of a wrapped query
}

// Segment is a piece of a template: text, or a place for the user's query or
// for the payload.
type Segment struct {
	Text           string
	Query, Payload bool
}

// File is the generated counterpart of one .aion file.
type File struct {
	Name    string  // users.aion.go
	Source  string  // the .aion file, slash-separated, relative to the generated file
	Tools   []*Tool // in source order
	Types   []*Type // whose readers and writers are printed in this file
	Enums   []*Type // whose values are printed in this file
	Matches []*Type // whose patterns are printed in this file
}

// Dep is a field of Deps: a receiver that the application supplies.
type Dep struct {
	Field string
	Type  GoType // a pointer or an interface
	Tool  string // name of the first tool that needs it
}

// Tool is one tool and the function behind it.
type Tool struct {
	Name        string
	Description string
	Link        string
	Title       string
	Example     string // arguments of an example call, JSON; "" if there is none
	Annotations Annotations
	Input       string // JSON Schema of the arguments
	Output      string // JSON Schema of the result

	GoName      string // exported Go form of Name
	InputName   string // constant
	OutputName  string // constant
	Definition  string // variable
	Constructor string // function that returns the tool
	Run         string // function that runs it on its arguments
	Invoke      string // function that makes a call of it

	Args    *Type // the arguments object, a struct
	Result  *Type // nil when the function returns nothing but an error
	Func    *Func // nil for a tool that is a link only
	Declare []Struct
}

// TakesScope reports whether the function of a tool takes the scope itself.
func (t *Tool) TakesScope() bool {
	return t.Func != nil && slices.ContainsFunc(t.Func.Args, func(a Arg) bool { return a.Source == FromScope })
}

// Annotations say what calls of a tool do to the world; see package tool. What
// follows from ReadOnly is set, too.
type Annotations struct {
	ReadOnly, Additive, Idempotent, ClosedWorld bool
}

// Struct is a struct type that the generated code declares for a tool: its
// arguments, or several results.
type Struct struct {
	Doc  string
	Type *Type
}

// Func is the Go function of a tool.
type Func struct {
	Path, Name string   // of a function; of a method only Name
	TypeArgs   []GoType // of a generic function
	Dep        *Dep     // of a method: where its receiver comes from
	Holder     string   // of a method of a variable of package Path: its name
	Literal    *Literal // of a function literal: what is to be declared as Name
	Type       GoType   // exact type; of a method expression, receiver first
	Args       []Arg
	Results    int // not counting a final error
	Err        bool
}

// Literal is a function literal as a declaration, all names as generated code
// has them.
type Literal struct {
	Decl    *ast.FuncDecl
	Fset    *token.FileSet // has the positions of Decl: lines of the .aion file
	Imports []string       // paths of the packages that Decl mentions, in order
	Lambda  *Lambda        // what it was in the .aion file, nil if it was Go there
}

// Lambda is a lambda that a function literal was made of.
type Lambda struct {
	Text  string
	Calls []*Func // the functions that it calls: Path, Name and Type
}

// Arg is one argument of the call to the function.
type Arg struct {
	Source   ArgSource
	Field    string // for FromField
	Variadic bool
}

// ArgSource says where an argument of the call comes from.
type ArgSource int

// The sources of an argument.
const (
	FromContext ArgSource = iota // the context of the call
	FromField                    // a field of the decoded arguments
	FromArgs                     // the decoded arguments as a whole
	FromArgsPtr                  // a pointer to the decoded arguments
	FromCall                     // the record of the call
	FromScope                    // the scope that the context carries
	FromLogger                   // the logger of the registry
	FromMemory                   // the store that the context carries
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
	Bytes // []byte
	Any
	Raw    // json.RawMessage
	Number // json.Number
	Time
	Duration
	Text   // reads and writes itself as text
	URL    // url.URL
	BigInt // big.Int: an integer of any size
	Custom // reads and writes itself as JSON; that of arguments is first checked to be an Elem
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
	Elem        *Type    // Pointer, Slice, Array, Map, Null, Quoted, Custom, Opaque; Bytes: a named type of byte
	Key         *Type    // Map: String, Int, Uint, or what has a text
	Len         int64    // Array
	Value       string   // Null: the field that holds the value
	Fields      []*Field // StructKind
	Enum        []Const  // named String, Int or Uint: the values allowed
	Known       []Const  // the same, where they are named but others are allowed
	Min, Max    string   // bounds of a number, or of the length of a String or Slice; JSON, "" is none
	Above       string   // Float: a bound that is not in range itself; JSON
	Below       string   // the same from above
	MultipleOf  string   // of a number; JSON
	Unique      bool     // Slice, Array: no two elements are equal
	Format      string   // of a String or Text, as JSON Schema calls it; not checked
	Pattern     string   // of a String or Text: a regular expression that it matches

	Short  string // name for $defs: Page, pkg_Page
	Reader string // generated function func(tool.Value) T; "" is read in place
	Writer string // generated function func(*tool.Encoder, string, T); "" is written in place
	Values string // generated table of the enum's values
	Match  string // generated pattern that arguments are checked with; "" are not checked
}

// HoldsRef reports whether a type is, or has a part that is, a Ref.
func (t *Type) HoldsRef() bool { return t.FindRef() != nil }

// FindRef returns the first Ref that a type is or has as a part, nil if there is
// none.
func (t *Type) FindRef() *Type { return t.findRef(map[*Type]bool{}) }

func (t *Type) findRef(seen map[*Type]bool) *Type {
	if t == nil || seen[t] {
		return nil
	}
	seen[t] = true
	if t.Kind == Ref {
		return t
	}
	if found := t.Elem.findRef(seen); found != nil {
		return found
	}
	for _, f := range t.Fields {
		if found := f.Type.findRef(seen); found != nil {
			return found
		}
	}
	return nil
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
	Title       string
	Examples    []string // JSON
	Hidden      bool     // no argument: only results have it
	Omit        Omit
}

// Embedded is an embedded pointer. What it points to is made when one of its
// fields is read, and none of them is written where it is nil.
type Embedded struct {
	Path []string // Go selectors that lead to it
	Elem GoType
}

// Omit says when a field is left out of the output.
type Omit int

// The ways of leaving out.
const (
	OmitNever  Omit = iota
	OmitFalse       // a bool that is false
	OmitZero        // a number that is 0
	OmitBlank       // a string without text
	OmitNil         // a pointer, interface, slice or map that is nil
	OmitLen         // what has no elements
	OmitValue       // what equals the composite literal T{}
	OmitIsZero      // what its IsZero method reports
)
