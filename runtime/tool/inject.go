package tool

// Inject declares T as injected: a client, credentials, configuration. It is for a
// declaration of the package that has the .aion files, where T is a named type, a
// pointer to one, or an interface:
//
//	var _ = tool.Inject[*github.Client]()
//
// A parameter of that type is no argument then, of functions and of literals: the
// application passes it to the generated Register, in a field of Deps that has the
// name of the type, or the given one. Fields of that type in structs that functions
// take are filled alike, but not in lists and maps. aiongen reads the declaration when it
// generates, so the name must be a constant. Inject does nothing when the program
// runs.
func Inject[T any](field ...string) struct{} { return struct{}{} }
