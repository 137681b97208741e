package tool

import "context"

// Annotate annotates tools in a package with .aion files. A function or a method expression selects all tools
// that call it; a string selects the tool with this name. Clients may show the annotations to their users before
// they call the tool:
//
//	var _ = tool.Annotate(Find, tool.ReadOnly, tool.Title("Find a ticket"))
//	var _ = tool.Annotate("find_ticket", tool.ReadOnly)
//
// aiongen reads the call and adds the annotations to the definitions, so all arguments must be constants. The
// call does nothing at run time. A tool without annotations counts as destructive, not idempotent,
// and connected to the outside world.
func Annotate(functionOrTool any, annotations ...Annotation) struct{} { return struct{}{} }

// Annotation is one statement about a tool; see [Annotate].
type Annotation struct {
	claim string // name of the field in the JSON of [Annotations]; "" if there is no such field
}

// Annotations about the effects of calls, and about the schema of the result.
var (
	ReadOnly       = Annotation{"read_only"}    // changes nothing, and therefore is also additive and idempotent
	Additive       = Annotation{"additive"}     // does not overwrite or delete existing data
	Idempotent     = Annotation{"idempotent"}   // repeating the call changes nothing more
	ClosedWorld    = Annotation{"closed_world"} // interacts with nothing outside the program
	NoOutputSchema = Annotation{}               // the tool has no output schema, for example because it would use too many tokens
)

// Title gives the tool a name for people.
func Title(text string) Annotation { return Annotation{} }

// Example gives the arguments of an example call, as JSON.
func Example(arguments string) Annotation { return Annotation{} }

// Inject declares that the program, not the model, supplies parameters of type T, such as a client,
// credentials or a configuration. Call it in a variable declaration of the package that has the
// .aion files:
//
//	var _ = tool.Inject[*github.Client]()
//
// The program passes the value to the generated Register, in a field of Deps. The field is named after the type,
// unless a name is given. T is a named type, a pointer to one, or an interface. The value is also assigned to fields
// of type T in structs that are parameters, but not inside lists and maps.
func Inject[T any](field ...string) struct{} { return struct{}{} }

// PassContext declares a function that makes an option from a context, for clients whose methods
// take the context as an option. Call it in a variable declaration of the package that has the
// .aion files:
//
//	var _ = tool.PassContext(gitlab.WithContext)
//
// If the function of a tool, or a function that a lambda calls, has a variadic parameter of type T,
// generated code passes the option with the context of the call, so that deadlines and cancellation
// reach the function. The parameter is not an argument of the tool.
func PassContext[T any](option func(ctx context.Context) T) struct{} { return struct{}{} }
