package tool

// Annotate says of a function, a method expression, or one tool by its name, what a
// user may want to know before it is called, in a package that has .aion files:
//
//	var _ = tool.Annotate(Find, tool.ReadOnly, tool.Title("Find a ticket"))
//	var _ = tool.Annotate("find_ticket", tool.ReadOnly)
//
// aiongen reads it when it generates, into the definitions of the tools, so that all
// of it must be constant; it does nothing when the program runs. A tool that nothing
// is said of counts as destructive, not idempotent, and of the world outside.
func Annotate(functionOrTool any, annotations ...Annotation) struct{} { return struct{}{} }

// Annotation is something that [Annotate] says of a function.
type Annotation struct {
	kind annotationKind
	text string
}

type annotationKind uint8

const (
	readOnly annotationKind = iota
	additive
	idempotent
	closedWorld
	noOutputSchema
	title
	example
)

// What a call does to the world, and that its result is to have no schema.
var (
	ReadOnly    = Annotation{kind: readOnly}    // it changes nothing; so it is not destructive and idempotent, too
	Additive    = Annotation{kind: additive}    // it does not overwrite or delete what was there
	Idempotent  = Annotation{kind: idempotent}  // the same call again changes nothing more
	ClosedWorld = Annotation{kind: closedWorld} // it deals with nothing outside the program

	NoOutputSchema = Annotation{kind: noOutputSchema} // where that costs a model more than it tells
)

// Title is a name of the tool for people.
func Title(text string) Annotation { return Annotation{title, text} }

// Example is the arguments of an example call, as JSON.
func Example(arguments string) Annotation { return Annotation{example, arguments} }
