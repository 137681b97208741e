// Package code is typed code, between Python and Go: the steps of a lambda in the
// order in which Python takes them. Every operand is a step of its own, so that who
// makes them (check, by way of ops) never asks what comes before what, and who writes
// them as Go (lower) knows nothing of Python: a step that is used once goes back to
// where it is used if that changes no order, the others become variables.
//
// Its layers, from top to bottom:
//
//	builder  steps, appended one behind the other
//	value    what is known of what a step makes
//	step     a step, a block and a program
package code

import (
	"go/token"
	"go/types"
)

// An Op is what a step does.
type Op int

// The operations. All but the last ones make a value.
const (
	Literal Op = iota // Known, or nil
	Local             // a parameter or an element of a loop
	Global            // Object, of a package
	Ref               // Name of the package Path, which generated code imports, or of Go itself; of Type, if it is generic; a type without Name
	Call              // Args[0](Args[1:]...), or Args[0].Fields(Args[1:]...)
	Convert           // Type(Args[0])
	Unary             // Token Args[0]
	Binary            // Args[0] Token Args[1]
	Select            // Args[0].Fields
	Index             // Args[0][Number]
	Rest              // Args[0][Number:]
	Display           // of a list; the keys and values in turn, of a dict
	Func              // a function of Param, whose result is that of the block
	Logic             // Args[0] && or || the result of a block
	Choose            // the result of one of two blocks, by Args[0]
	Define            // a variable, which Args[0] starts if it is there

	Assign // Target = Args[0]
	If     // Args[0], with a block
	Range  // over Args[0], with Param and a block
	Refuse // fails with Args[1] if Args[0]
	Return // Args
)

// When says when a step may be taken.
type When int

// The times, each of which includes those behind it.
const (
	Anytime When = iota // and several times: a name, a constant, a field of a variable
	Once                // at any time, or never, but it costs
	InTurn              // behind what is before it, and before what is behind it
)

// A Step of a function.
type Step struct {
	Op      Op
	Own     When // of the step itself
	When    When // of the step with its operands, where they are not in variables
	Args    []*Step
	Type    types.Type // of the value; nil if there is none
	Known   any
	Object  types.Object
	Path    string
	Name    string // of a Ref, or a wish for the variable
	Fields  []string
	Token   token.Token
	Number  int
	Target  *Step
	Param   *Step
	Blocks  []*Block
	Results []*Step // the variables of a call with several results

	Fails   bool   // there is an error as well, with which the function ends
	Place   string // in errors of Python; empty for a Go function, which has its own
	Foreign bool   // a call of a function that lambdas can name
	Spread  bool   // the last argument of a call is spread
	Keep    bool   // it is put into a variable
}

// A Block is a list of steps; Result is the value that they lead to, if there is one.
type Block struct {
	Steps  []*Step
	Result *Step
}

// IsRef reports whether a step is a name of a package.
func (s *Step) IsRef(path, name string) bool { return s.Op == Ref && s.Path == path && s.Name == name }

// IsCall reports whether a step calls a function of a package.
func (s *Step) IsCall(path, name string) bool { return s.Op == Call && s.Args[0].IsRef(path, name) }

// HasElements reports whether a step is a display of something.
func (s *Step) HasElements() bool { return s.Op == Display && len(s.Args) > 0 }

// The packages that generated code may import.
const (
	pyPath  = "github.com/aiongen/aiongen/runtime/py"
	dynPath = "github.com/aiongen/aiongen/runtime/py/dyn"
)

// Py and Dyn are the helpers of the runtime, Std a name of Go's library, and Go one of
// Go itself.
func Py(name string) *Step        { return Std(pyPath, name) }
func Dyn(name string) *Step       { return Std(dynPath, name) }
func Go(name string) *Step        { return Std("", name) }
func Std(path, name string) *Step { return &Step{Op: Ref, Path: path, Name: name} }

// Of is a generic function for a type.
func Of(ref *Step, t types.Type) *Step {
	ref.Type = t
	return ref
}

// A Program is a function as lower takes it.
type Program struct {
	Supplied []*Step // what the runtime supplies, the context first
	Params   []*Step
	Body     *Block
	Results  []types.Type // without the error
	Names    []string     // of the results, where they have some
	Fails    bool
}

// Trivial reports whether nothing is done in a block.
func (b *Block) Trivial() bool {
	for _, s := range b.Steps {
		if s.When != Anytime || s.Fails || s.Foreign || s.Op >= Logic {
			return false
		}
	}
	return true
}
