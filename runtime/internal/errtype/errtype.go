// Package errtype checks the type of an error without unwrapping it. errors.As would also match a wrapped
// error, which may describe another failure: for example, that of a call made by the function of a tool.
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
