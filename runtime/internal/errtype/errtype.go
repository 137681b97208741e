// Package errtype checks the type of an error itself. The functions of package errors also look at the errors
// that it wraps, which may belong to something else, such as a call that the function of a tool made.
package errtype

// As returns err as a T, if it is one.
func As[T any](err error) (T, bool) {
	e, ok := err.(T) //nolint:errorlint // wrapped errors must not match
	return e, ok
}

// Is reports whether err is a T.
func Is[T any](err error) bool {
	_, ok := As[T](err)
	return ok
}
