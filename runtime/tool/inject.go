package tool

// Inject declares T as injected: a client, credentials, configuration. It is for a
// declaration of the package that has the .aion files:
//
//	var _ = tool.Inject[*github.Client]()
//
// A parameter of that type, a named one, a pointer to one or an interface, is no
// argument then: the application passes it to the generated Register, in a field of
// Deps that has the name of the type, or the given one. So it is with fields of structs
// that functions take, but not in lists and maps. As with [Annotate], nothing happens
// when the program runs.
func Inject[T any](field ...string) struct{} { return struct{}{} }
