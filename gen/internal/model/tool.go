package model

import (
	"go/ast"
	"go/token"
	"iter"
	"slices"
)

// Tool is one tool with its function.
type Tool struct {
	Name        string
	Description string
	Link        string // URL, "" if there is none; a tool without a function returns it
	Title       string
	Example     string // arguments of an example call, JSON; "" if there is none
	Annotations Annotations
	OmitsOutput bool     // the definition has no schema of the result
	Notes       []string // comments for readers of the generated code, one line each
	LeftOut     []Unseen // variadic parameters of the function that the model cannot set
	Binding     Binding
	Input       string // JSON Schema of the arguments
	Output      string // JSON Schema of the result, "" if there is none

	// Names of generated declarations.

	GoName      string // exported Go form of Name
	InputName   string // constant that holds Input
	OutputName  string // constant that holds Output, "" if there is none
	Definition  string // variable that holds the definition
	Constructor string // function that returns the tool
	Run         string // function that runs the tool on its arguments
	Variable    string // prefix of the variables that hold parts of its result in a scope, "" if there are none
	Invoke      string // function that executes a call without hooks

	Args    *Type // the arguments object, a struct
	Result  *Type // nil when the function returns nothing but an error
	Func    *Func // nil for a tool that is only a link
	Declare []Struct
}

// TakesScope reports whether the function of the tool has a scope parameter.
func (t *Tool) TakesScope() bool {
	return t.Func != nil && slices.ContainsFunc(t.Func.Args, func(a Arg) bool { return a.Source == FromScope })
}

// RequiredVariables returns the types of the required arguments that JSON cannot carry. The scope of a
// call must hold a matching variable for each.
func (t *Tool) RequiredVariables() (refs []*Type) {
	for _, f := range t.Args.Fields {
		if f.Type.Kind == Ref && !f.Optional {
			refs = append(refs, f.Type)
		}
	}
	return refs
}

// RequiredReferences yields the references that every call must contain, because a required argument, or a
// required part of one, is a value that JSON cannot carry. With each reference it yields its path, such as
// rows, *, conn, where * stands for every element. Instead of a reference to each part, a call can contain
// one reference to a variable that holds the whole value. RequiredReferences yields at most maxRequired
// references.
func (t *Tool) RequiredReferences() iter.Seq2[[]string, *Type] {
	return func(yield func([]string, *Type) bool) {
		remaining := maxRequired
		yieldCounted := func(path []string, ref *Type) bool {
			remaining--
			return yield(path, ref) && remaining > 0
		}
		t.Args.yieldRequired(nil, nil, yieldCounted)
	}
}

// maxRequired limits how many references RequiredReferences yields.
const maxRequired = 1000

// RequiresScope reports whether every call needs a scope, because the function takes one or because some
// arguments must be references.
func (t *Tool) RequiresScope() bool {
	for range t.RequiredReferences() {
		return true
	}
	return t.TakesScope()
}

// LostResults returns the results that consist only of references, which a call without a scope would lose.
// If the function has a single result, its Field has no name.
func (t *Tool) LostResults() []*Field {
	if !t.Result.HoldsRef() {
		return nil
	}
	results := []*Field{{Type: t.Result}}
	if t.Func != nil && t.Func.CountReturned() > 1 {
		results = t.Result.Fields
	}
	return slices.DeleteFunc(slices.Clone(results), func(f *Field) bool { return !f.Type.Described().HasOnlyRefs() })
}

// NeedsScope reports whether the tool is only useful in a scope: without one, arguments are
// missing or a result is lost.
func (t *Tool) NeedsScope() bool { return t.RequiresScope() || len(t.LostResults()) > 0 }

// UsesScope reports whether the tool uses a scope if there is one.
func (t *Tool) UsesScope() bool { return t.RequiresScope() || t.Result.HoldsRef() }

// DescribedResult returns the type of the result as notes describe it, with a list instead of each sequence.
func (t *Tool) DescribedResult() *Type {
	if t.Func == nil || t.Func.Sequence == nil || t.Func.Sequence.Form == Decoded || t.Result.Collected {
		return t.Result.Described()
	}
	described := *t.Result
	described.Fields = slices.Clone(t.Result.Fields)
	for i, f := range described.Fields {
		if f.Type.Collected {
			described.Fields[i] = new(*f)
			described.Fields[i].Type = f.Type.Described()
		}
	}
	return &described
}

// ResultTypes returns the types of the function's results as notes describe them, in order. The type is nil
// for a result that the tool does not return.
func (t *Tool) ResultTypes() (all []*Type) {
	for _, f := range t.ResultFields() {
		if f == nil {
			all = append(all, nil)
		} else {
			all = append(all, f.Type)
		}
	}
	return all
}

// ResultFields is like ResultTypes, but also returns the names and descriptions of the results. A single result has no
// name.
func (t *Tool) ResultFields() (all []*Field) {
	fields := []*Field{{Type: t.Result}}
	if t.Func.CountReturned() > 1 {
		fields = t.Result.Fields
	}
	for _, returned := range t.Func.Results {
		if !returned {
			all = append(all, nil)
			continue
		}
		f := *fields[0]
		f.Type, fields = f.Type.Described(), fields[1:]
		all = append(all, &f)
	}
	return all
}

// Annotations describe what calls of a tool change, as in package tool. If ReadOnly is set, so are the
// annotations that it implies.
type Annotations struct {
	ReadOnly, Additive, Idempotent, ClosedWorld bool
}

// Binding says where a tool is declared and where its function is. Files are relative to the
// module of the tool; those of other modules begin with their import path.
type Binding struct {
	File     string // .aion file
	Line     int    // of the tool in File
	LineName string // constant that holds Line
	Previous *Tool  // the tool before it in the same file, nil for the first
	Function string // file and line of the function, "" if the tool has none
	Declared *Func  // the function as declared, nil if generated code cannot refer to it by name
}

// Struct is a struct type that generated code declares for a tool: its arguments, or several
// results.
type Struct struct {
	Doc  string
	Type *Type
}

// Func is the Go function of a tool.
type Func struct {
	Path, Name string   // a method has only Name
	TypeArgs   []GoType // for a generic function
	Dep        *Dep     // for a method: the field that holds its receiver
	Holder     string   // for a method of a variable of package Path: the name of the variable
	HolderNil  bool     // the variable Holder may be nil
	Walk       []Step   // for a method of a field: the fields that lead to the receiver
	Literal    *Literal // for a function literal: the declaration of Name
	Type       GoType   // exact type; for a method, that of the method expression, with the receiver first
	Args       []Arg
	Fill       []Fill    // fields of the arguments to set before the call
	Results    []bool    // for each result except a final error: whether the tool returns it
	Sequence   *Sequence // the result that is collected into a list, nil if there is none
	Err        bool      // the last result is an error
}

// A Step is one field in a chain of selectors, such as Store in Server.Store.
type Step struct {
	Name    string
	Nilable bool // the field is a pointer or an interface
}

// RunsItself reports whether generated code can pass the function to the runtime without a wrapper: the
// function takes a context and a pointer to the arguments, and returns the result and an error.
func (f *Func) RunsItself() bool {
	return f != nil && f.Err && f.Sequence == nil && !f.Type.Variadic && len(f.Walk)+len(f.Fill) == 0 && len(f.Results) == f.CountReturned() && len(f.Results) <= 1 && slices.EqualFunc(f.Args, []ArgSource{FromContext, FromArgsPtr}, func(a Arg, s ArgSource) bool {
		return a.Source == s
	})
}

// CountReturned returns the number of results that the tool returns.
func (f *Func) CountReturned() (n int) {
	for _, returned := range f.Results {
		if returned {
			n++
		}
	}
	return n
}

// TakesInjected reports whether the application supplies an argument, or a field of one. Receivers do not
// count.
func (f *Func) TakesInjected() bool {
	return f != nil && (slices.ContainsFunc(f.Args, func(a Arg) bool { return a.Source == FromDeps }) ||
		slices.ContainsFunc(f.Fill, func(f Fill) bool { return f.Source == FromDeps }))
}

// DropsResults reports whether the tool does not return all results of the function.
func (f *Func) DropsResults() bool { return f != nil && f.CountReturned() < len(f.Results) }

// TakesSupplied reports whether the runtime supplies an argument of the function; see IsSupplied.
func (f *Func) TakesSupplied() bool {
	return f != nil && slices.ContainsFunc(f.Args, func(a Arg) bool { return a.Source.IsSupplied() })
}

// Literal is a function literal, turned into a declaration that uses the package names of generated code.
type Literal struct {
	Decl    *ast.FuncDecl
	Fset    *token.FileSet // maps the positions in Decl to lines of the .aion file
	Imports []string       // paths of the packages that Decl mentions, in order
	Lambda  *Lambda        // the lambda that it was compiled from, nil if it was written in Go
}

// Lambda is the lambda that a function literal was compiled from.
type Lambda struct {
	Text  string
	Calls []*Func // the functions that it calls: Path, Name and Type
}

// A Fill is a field of the arguments that generated code sets, because the model does not write it.
type Fill struct {
	Way    []Step // the fields that lead to it, and the field itself
	Source ArgSource
	Dep    *Dep // for FromDeps
}

// Arg is one argument of the call to the function.
type Arg struct {
	Source   ArgSource
	Field    string // for FromField
	Type     GoType // for FromZero
	Dep      *Dep   // for FromDeps
	Variadic bool
	Option   *ContextOption // for a variadic argument: the function that makes its first value, or nil
}

// A ContextOption is a function such as WithContext, which takes the context of the call and returns a
// functional option.
type ContextOption struct {
	Path, Name string
	Elem       GoType // the type of the option
}

// ArgSource says where an argument of the call comes from.
type ArgSource int

// The sources of an argument.
const (
	FromContext  ArgSource = iota // the context of the call
	FromField                     // a field of the decoded arguments
	FromArgs                      // the decoded arguments as a whole
	FromArgsPtr                   // a pointer to the decoded arguments
	FromExchange                  // the exchange of the call
	FromCall                      // the record of the call
	FromScope                     // the scope that the context carries
	FromLogger                    // the logger of the registry
	FromMemory                    // the store that the context carries
	FromZero                      // the zero value of its type
	FromDeps                      // a value that the application supplies
)

// IsFromModel reports whether an argument comes from what the model wrote.
func (s ArgSource) IsFromModel() bool { return s == FromField || s == FromArgs || s == FromArgsPtr }

// IsInContext reports whether an argument is the context, or the exchange, which the context of every call
// contains.
func (s ArgSource) IsInContext() bool { return s == FromContext || s == FromExchange }

// IsSupplied reports whether the runtime takes an argument from something that the context of a call may
// lack, such as a scope.
func (s ArgSource) IsSupplied() bool {
	return !s.IsInContext() && s != FromZero && s != FromDeps && !s.IsFromModel()
}
