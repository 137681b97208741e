package tool

// Union declares the variants of an interface, which are the types that implement it, so that arguments and results
// can contain values of the interface. Call it in a variable declaration of the package that has the .aion files:
//
//	var _ = tool.Union[geo.Shape](geo.Circle{}, &geo.Square{})
//
// A variant is a named type or a pointer to one; list any value of it. In JSON, a value is an object whose member
// "type" is the name of the variant: the name of the Go type in snake case. If the variant is a struct, its fields
// are the other members. Otherwise, the member "value" contains the value:
//
//	{"type": "circle", "radius": 2}
//	{"type": "label", "value": "here"}
//
// An interface with an unexported method needs no declaration: its variants are the exported types of its package
// that implement it. A declaration replaces that list.
//
// aiongen reads the declaration, so all names must be constants. The call does nothing when the program runs.
func Union[T any](variants ...T) UnionDeclaration[T] { return UnionDeclaration[T]{} }

// UnionDeclaration is the result of [Union]. Its methods change the names in JSON.
type UnionDeclaration[T any] struct{}

// Member sets the name of the member that contains the name of the variant. The default is "type".
func (d UnionDeclaration[T]) Member(name string) UnionDeclaration[T] { return d }

// Name sets the name of a variant that is listed in the declaration.
func (d UnionDeclaration[T]) Name(name string, variant T) UnionDeclaration[T] { return d }
