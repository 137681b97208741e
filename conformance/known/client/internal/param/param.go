// Package param imitates the package of older clients of Stainless that generated code cannot import.
package param

// Field is a value in a request.
type Field[T any] struct {
	Value   T
	Null    bool
	Present bool
	Raw     any
}
