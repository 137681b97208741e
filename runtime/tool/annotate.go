package tool

import "context"

// Annotate describes a function in a package with .aion files: a function, a method expression, or one tool
// by its name. Clients may show the annotations to their users before they call the tool:
//
//	var _ = tool.Annotate(Find, tool.ReadOnly, tool.Title("Find a ticket"))
//	var _ = tool.Annotate("find_ticket", tool.ReadOnly)
//
// aiongen reads the call and adds the annotations to the definitions, so all arguments must be constants. The
// call does nothing when the program runs. A tool without annotations counts as destructive, not idempotent,
// and connected to the outside world.
func Annotate(functionOrTool any, annotations ...Annotation) struct{} { return struct{}{} }

// Annotation is one statement that [Annotate] makes about a function.
type Annotation struct {
	claim string // what calls do, as in the JSON of [Annotations]
}

// These annotations state what calls do, and that the result should have no schema.
var (
	ReadOnly       = Annotation{"read_only"}    // changes nothing, and therefore is also additive and idempotent
	Additive       = Annotation{"additive"}     // does not overwrite or delete existing data
	Idempotent     = Annotation{"idempotent"}   // repeating the call changes nothing more
	ClosedWorld    = Annotation{"closed_world"} // interacts with nothing outside the program
	NoOutputSchema = Annotation{}               // for results whose schema costs a model more than it explains
)

// Title gives the tool a name for people.
func Title(text string) Annotation { return Annotation{} }

// Example gives the arguments of an example call, as JSON.
func Example(arguments string) Annotation { return Annotation{} }

// Inject declares T as injected: a client, credentials, configuration. It is for a
// declaration of the package that has the .aion files:
//
//	var _ = tool.Inject[*github.Client]()
//
// The generated Register takes the value of a parameter of that type in a field of Deps. The field is named
// for the type, or has the given name. T is a named type, a pointer to one, or an interface. Fields of
// structs that functions take are set as well, but not those inside lists and maps.
func Inject[T any](field ...string) struct{} { return struct{}{} }

// PassContext declares a function that makes an option from a context, for clients whose methods
// take the context as an option. It is for a declaration of the package that has the .aion files:
//
//	var _ = tool.PassContext(gitlab.WithContext)
//
// If a function of a tool, or one that a lambda calls, has a variadic parameter of type T, generated
// code passes the option with the context of the call, so that deadlines and cancellation reach the
// function. The parameter is not an argument of the tool.
func PassContext[T any](option func(ctx context.Context) T) struct{} { return struct{}{} }
