package tool

// Annotate says in a package with .aion files what a user may want to know of a function,
// a method expression, or one tool by its name, before it is called:
//
//	var _ = tool.Annotate(Find, tool.ReadOnly, tool.Title("Find a ticket"))
//	var _ = tool.Annotate("find_ticket", tool.ReadOnly)
//
// aiongen reads it into the definitions, so that all must be constant; it does nothing
// when the program runs. A tool that nothing is said of counts as destructive, not
// idempotent, and of the world outside.
func Annotate(functionOrTool any, annotations ...Annotation) struct{} { return struct{}{} }

// Annotation is something that [Annotate] says of a function.
type Annotation struct {
	claim string // what it says that a call does to the world, as in the JSON of [Annotations]
}

// What a call does to the world, and that its result is to have no schema.
var (
	ReadOnly       = Annotation{"read_only"}    // it changes nothing; so it is not destructive and idempotent, too
	Additive       = Annotation{"additive"}     // it does not overwrite or delete what was there
	Idempotent     = Annotation{"idempotent"}   // the same call again changes nothing more
	ClosedWorld    = Annotation{"closed_world"} // it deals with nothing outside the program
	NoOutputSchema = Annotation{}               // where that costs a model more than it tells
)

// Title is a name of the tool for people.
func Title(text string) Annotation { return Annotation{} }

// Example is the arguments of an example call, as JSON.
func Example(arguments string) Annotation { return Annotation{} }

// Inject declares T as injected: a client, credentials, configuration. It is for a
// declaration of the package that has the .aion files:
//
//	var _ = tool.Inject[*github.Client]()
//
// A parameter of that type, a named one, a pointer to one or an interface, is then passed
// by the application to the generated Register, in a field of Deps of the type's name, or
// the given one. So are fields of structs that functions take, but not in lists and maps.
func Inject[T any](field ...string) struct{} { return struct{}{} }
