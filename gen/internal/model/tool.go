package model

import (
	"go/ast"
	"go/token"
	"iter"
	"slices"
)

// Tool is one tool and the function behind it.
type Tool struct {
	Name        string
	Description string
	Link        string
	Title       string
	Example     string // arguments of an example call, JSON; "" if there is none
	Annotations Annotations
	Untold      bool     // the definition has no schema of the result
	Notes       []string // what a reader of the generated code is to know, one line each
	Input       string   // JSON Schema of the arguments
	Output      string   // JSON Schema of the result, "" if it is not told

	GoName      string // exported Go form of Name
	InputName   string // constant
	OutputName  string // constant, "" if there is none
	Definition  string // variable
	Constructor string // function that returns the tool
	Run         string // function that runs it on its arguments
	Variable    string // what the names of variables that keep parts of its result begin with, "" if none do
	Invoke      string // function that makes a call of it, without hooks

	Args    *Type // the arguments object, a struct
	Result  *Type // nil when the function returns nothing but an error
	Func    *Func // nil for a tool that is a link only
	Declare []Struct
}

// TakesScope reports whether the function of a tool takes the scope itself.
func (t *Tool) TakesScope() bool {
	return t.Func != nil && slices.ContainsFunc(t.Func.Args, func(a Arg) bool { return a.Source == FromScope })
}

// Needs are the arguments that variables alone can be, so that there have to be some
// that fit in the scope of a call.
func (t *Tool) Needs() (refs []*Type) {
	for _, f := range t.Args.Fields {
		if f.Type.Kind == Ref && !f.Optional {
			refs = append(refs, f.Type)
		}
	}
	return refs
}

// Required yields what no document can say of all that a call has to give: the required
// arguments that are references, and such parts of others, with the names that lead to
// them, * for any element. A part is none of Needs: a variable may stand for the whole
// that has it. Of very many it yields the first.
func (t *Tool) Required() iter.Seq2[[]string, *Type] {
	return func(yield func([]string, *Type) bool) {
		left := maxRequired
		counted := func(path []string, ref *Type) bool {
			left--
			return yield(path, ref) && left > 0
		}
		if t.Args.HoldsRef() { // few do
			t.Args.required(nil, nil, counted)
		}
	}
}

// maxRequired limits how many parts Required yields.
const maxRequired = 1000

// Lacks reports whether no call of a tool can give its function all without a scope.
func (t *Tool) Lacks() bool {
	for range t.Required() {
		return true
	}
	return t.TakesScope()
}

// Lost are the results that a call without a scope would lose, for all that they tell
// are references. A result that is the only one has no name.
func (t *Tool) Lost() []*Field {
	if !t.Result.HoldsRef() {
		return nil
	}
	results := []*Field{{Type: t.Result}}
	if t.Func != nil && t.Func.Returned() > 1 {
		results = t.Result.Fields
	}
	return slices.DeleteFunc(slices.Clone(results), func(f *Field) bool { return !f.Type.OnlyRefers() })
}

// Scoped reports whether a tool can be called in a scope alone: without one, it lacks
// something, or loses a result.
func (t *Tool) Scoped() bool { return t.Lacks() || len(t.Lost()) > 0 }

// UsesScope reports whether a tool has to do with a scope, if there is one.
func (t *Tool) UsesScope() bool { return t.Lacks() || t.Result.HoldsRef() }

// Returns are the types of the results, in their order, nil for those that the tool
// does not return.
func (t *Tool) Returns() (all []*Type) {
	several := t.Func.Returned() > 1
	next := 0
	for _, returned := range t.Func.Results {
		switch {
		case !returned:
			all = append(all, nil)
		case several:
			all = append(all, t.Result.Fields[next].Type)
			next++
		default:
			all = append(all, t.Result)
		}
	}
	return all
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
	HolderNil  bool     // it may be nil
	Walk       []Step   // of a method of what a field has: the fields that lead there
	Literal    *Literal // of a function literal: what is to be declared as Name
	Type       GoType   // exact type; of a method expression, receiver first
	Args       []Arg
	Fill       []Fill // before the call
	Results    []bool // whether the tool returns it, of each but a final error
	Err        bool
}

// A Step is a field on the way to what has a method.
type Step struct {
	Name    string
	Nilable bool // it is a pointer or an interface
}

// RunsItself reports whether the function is just what a call needs: it takes context
// and a pointer to the arguments, nothing that is left out behind them, and returns the
// result and an error.
func (f *Func) RunsItself() bool {
	return f != nil && f.Err && !f.Type.Spread && len(f.Walk)+len(f.Fill) == 0 && len(f.Results) == f.Returned() && len(f.Results) <= 1 && slices.EqualFunc(f.Args, []ArgSource{FromContext, FromArgsPtr}, func(a Arg, s ArgSource) bool {
		return a.Source == s
	})
}

// Returned is how many of the results the tool returns.
func (f *Func) Returned() (n int) {
	for _, returned := range f.Results {
		if returned {
			n++
		}
	}
	return n
}

// Injected reports whether the function takes more from the application than a
// receiver.
func (f *Func) Injected() bool {
	return f != nil && (slices.ContainsFunc(f.Args, func(a Arg) bool { return a.Source == FromDeps }) ||
		slices.ContainsFunc(f.Fill, func(f Fill) bool { return f.Source == FromDeps }))
}

// Drops reports whether the tool does not return all results.
func (f *Func) Drops() bool { return f != nil && f.Returned() < len(f.Results) }

// Supplied reports whether the function takes something from the runtime.
func (f *Func) Supplied() bool {
	return f != nil && slices.ContainsFunc(f.Args, func(a Arg) bool { return a.Source.Supplied() })
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

// A Fill puts into a field of the arguments what no model writes.
type Fill struct {
	Way    []Step // to the field
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
	FromDeps                      // what the application supplies
)

// Given reports whether an argument comes from what the model wrote.
func (s ArgSource) Given() bool { return s == FromField || s == FromArgs || s == FromArgsPtr }

// InContext reports whether an argument is the context, or is always there in it.
func (s ArgSource) InContext() bool { return s == FromContext || s == FromExchange }

// Supplied reports whether an argument comes from the runtime, by way of the context,
// where it may be missing.
func (s ArgSource) Supplied() bool {
	return !s.InContext() && s != FromZero && s != FromDeps && !s.Given()
}
