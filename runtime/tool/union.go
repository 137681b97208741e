package tool

// Union declares the implementations of an interface, its variants, so that arguments and results can have
// values of the interface. It is a declaration of the package that has the .aion files:
//
//	var _ = tool.Union[geo.Shape](geo.Circle{}, &geo.Square{})
//
// A variant is a named type or a pointer to one, listed with any value. In JSON, a value is an object whose
// member type names the variant: the Go type in snake case. If the variant is a struct, its fields are the other
// members; otherwise the member value has the value:
//
//	{"type": "circle", "radius": 2}
//	{"type": "label", "value": "here"}
//
// An interface with an unexported method needs no declaration: its variants are the exported types of its package
// that implement it. A declaration replaces that list.
//
// aiongen reads the declaration, so that names must be constants. It does nothing when the program runs.
func Union[T any](variants ...T) UnionDeclaration[T] { return UnionDeclaration[T]{} }

// UnionDeclaration is the result of [Union]. Its methods change the names in JSON.
type UnionDeclaration[T any] struct{}

// Member names the member that names the variant, instead of type.
func (d UnionDeclaration[T]) Member(name string) UnionDeclaration[T] { return d }

// Name gives the type of a listed variant another name.
func (d UnionDeclaration[T]) Name(name string, variant T) UnionDeclaration[T] { return d }
