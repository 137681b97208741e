// Package ir defines the typed intermediate code of a lambda and classifies Go types by their Python
// kinds.
//
// A Builder appends the steps of a lambda in the order in which Python evaluates them. Every operand
// is a separate step: `a() + b()` is two calls and an addition. The code that builds steps therefore does not
// deal with Go's evaluation order, and package lower, which prints the steps as Go, does not deal with Python.
//
// The functions of the packages runtime/py and runtime/py/dyn that generated code calls are the helpers.
package ir

import (
	"go/token"
	"go/types"
)

// Op is the operation of a step.
type Op int

// The operations. Those before Assign produce a value.
const (
	Literal Op = iota // Constant, or nil
	Local             // a parameter or an element of a loop
	Global            // Object, which is declared at package level
	Ref               // Name in package Path, or a predeclared name if Path is empty, instantiated with Type if it is set; if Name is empty, Type itself
	Call              // Args[0](Args[1:]...), or Args[0].Fields(Args[1:]...)
	Convert           // Type(Args[0])
	Unary             // Token Args[0]
	Binary            // Args[0] Token Args[1]
	Select            // Args[0].Fields
	Index             // Args[0][Number]
	Rest              // Args[0][Number:]
	Display           // the elements of a list, or alternating keys and values of a dict
	Func              // a function of Param that returns the result of the block
	Logic             // Args[0] && or || the result of a block
	Choose            // the result of one of two blocks, by Args[0]
	Define            // a variable, initialized with Args[0] if present

	Assign // Target = Args[0], or Target[Args[0]] = Args[1]
	If     // runs a block if Args[0] is true
	Range  // runs a block for each element of Args[0], which is in Param
	Break  // leaves the innermost Range
	FailIf // returns the error Args[1] if Args[0] is true
	Return // returns Args
)

// Timing says when a step may be evaluated.
type Timing int

// The timings, from least to most strict.
const (
	Anytime Timing = iota // at any time and any number of times, as a name, a constant or a field of a variable
	Once                  // at any time or never, but at most once because it is expensive
	InTurn                // only in its position among the other steps, as a call that has an effect
)

// Step is one operation of a function.
type Step struct {
	Op        Op
	OwnTiming Timing // of the step itself, regardless of its operands
	Timing    Timing // the strictest of the step and its operands; Anytime if the result is in a variable
	Args      []*Step
	Type      types.Type // of the value; nil if the step has no value
	Constant  any
	Object    types.Object
	Path      string
	Name      string // the name of a Ref, otherwise the preferred name of the variable that holds the value
	Fields    []string
	Token     token.Token
	Number    int
	Target    *Step
	Param     *Step
	Blocks    []*Block
	Results   []*Step // one variable for each result, if a call has several

	Fails      bool   // a call that also returns an error, which the function then returns
	Place      string // position in the .aion file, added to errors of helpers; empty for Go functions that the lambda names
	Foreign    bool   // a call of a Go function that the lambda names, not of a helper
	Spread     bool   // the last argument of a call is followed by ...
	InVariable bool   // must be stored in a variable
}

// Block is a list of steps. Result is the value of the block, or nil.
type Block struct {
	Steps  []*Step
	Result *Step
}

// IsRef reports whether a step refers to the given name of a package.
func (s *Step) IsRef(path, name string) bool { return s.Op == Ref && s.Path == path && s.Name == name }

// IsCall reports whether a step calls the given function of a package.
func (s *Step) IsCall(path, name string) bool { return s.Op == Call && s.Args[0].IsRef(path, name) }

// HasElements reports whether a step is a display that is not empty.
func (s *Step) HasElements() bool { return s.Op == Display && len(s.Args) > 0 }

// The packages that generated code may import.
const (
	pyPath  = "github.com/aiongen/aiongen/runtime/py"
	dynPath = "github.com/aiongen/aiongen/runtime/py/dyn"
)

// PyRef refers to a name of package runtime/py.
func PyRef(name string) *Step { return PackageRef(pyPath, name) }

// DynRef refers to a name of package runtime/py/dyn.
func DynRef(name string) *Step { return PackageRef(dynPath, name) }

// GoRef refers to a predeclared name.
func GoRef(name string) *Step { return PackageRef("", name) }

// PackageRef refers to a name of the package with the given import path.
func PackageRef(path, name string) *Step { return &Step{Op: Ref, Path: path, Name: name} }

// InstantiateRef instantiates a generic function for a type.
func InstantiateRef(ref *Step, t types.Type) *Step {
	ref.Type = t
	return ref
}

// Program is the intermediate code of a whole lambda, the input of package lower.
type Program struct {
	Params  []*Step // the parameters that the runtime supplies, the context first, and then those of the lambda
	Body    *Block
	Results []types.Type // without the error
	Names   []string     // of the results, if they have names
	Fails   bool
}

// IsTrivial reports whether a block does nothing but compute its result.
func (b *Block) IsTrivial() bool {
	for _, s := range b.Steps {
		if s.Timing != Anytime || s.Fails || s.Foreign || s.Op >= Logic {
			return false
		}
	}
	return true
}
