package tool

import (
	"runtime"

	"github.com/aiongen/aiongen/runtime/wire"
)

// Represent declares that values of type T appear in JSON as values of type F. The generated code calls
// decode to convert an F in the arguments to a T, and encode to convert a T in the results to an F. Use
// Represent for a type of another module that has no JSON form, or a form that does not suit a model. Call it in
// a variable declaration of the package that has the .aion files:
//
//	var _ = tool.Represent(func(s string) (money.Amount, error) { return money.Parse(s) }, money.Amount.String)
//
// aiongen reads the declaration. The functions apply wherever a T occurs in arguments and results: in fields,
// elements, map values and behind pointers, and in keys of maps if F is a string. T is a named type or a
// pointer to one. A declaration for a type also applies to pointers to it; a nil pointer is null in JSON. F is any
// type that has a JSON form.
//
// The functions must be safe for concurrent use. If decode returns an error, the call fails before the
// function of the tool runs, and the model reads the error with the path of the value.
//
//go:noinline
func Represent[T, F any, E interface {
	func(T) F | func(T) (F, error)
}](decode func(F) (T, error), encode E) struct{} {
	var fallible func(T) (F, error)
	switch encode := any(encode).(type) {
	case func(T) (F, error):
		fallible = encode
	case func(T) F:
		if encode != nil {
			fallible = func(x T) (F, error) { return encode(x), nil }
		}
	}
	var caller [1]uintptr
	runtime.Callers(2, caller[:])
	frame, _ := runtime.CallersFrames(caller[:]).Next()
	wire.AddConversion(packagePath(frame.Function), decode, fallible)
	return struct{}{}
}
