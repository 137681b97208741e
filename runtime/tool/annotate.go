package tool

// Annotate says of a function, or a method expression, what a model's user may
// want to know before it is called. It is for a declaration of the package that
// has the .aion files:
//
//	var _ = tool.Annotate(Find, tool.ReadOnly, tool.Title("Find a ticket"))
//
// aiongen reads it when it generates, and writes it into the definition of each
// tool that is bound to the function; so every part of it must be a constant. In
// the place of the function may stand the name of one tool, for what a function
// does not tell apart, and for lambdas and functions of other packages:
//
//	var _ = tool.Annotate("find_ticket", tool.ReadOnly)
//
// Annotate does nothing when the program runs. A tool that nothing is said of
// counts as destructive, not idempotent, and dealing with the world outside.
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
	title
	example
)

// What a call does to the world.
var (
	ReadOnly    = Annotation{kind: readOnly}    // it changes nothing; so it is not destructive and idempotent, too
	Additive    = Annotation{kind: additive}    // it does not overwrite or delete what was there
	Idempotent  = Annotation{kind: idempotent}  // the same call again changes nothing more
	ClosedWorld = Annotation{kind: closedWorld} // it deals with nothing outside the program
)

// Title is a name of the tool for people.
func Title(text string) Annotation { return Annotation{title, text} }

// Example is the arguments of an example call, as JSON.
func Example(arguments string) Annotation { return Annotation{example, arguments} }
