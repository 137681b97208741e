package values

// TypeWords are the words for types that a note may use without Go, those that mean
// the same side by side.
var TypeWords = []string{
	"string", "str", "int", "integer", "float", "number", "bool", "boolean",
	"list", "array", "dict", "object", "any", "none", "null",
}

// Options are the parts of a note that are no description, with a = where
// a value follows. Those of Marks may have one.
var Options = []string{"default=", "enum=", "min=", "max=", "optional", "required", "open", "only=", "omit", "ref", "text"}

// Marks are the options that are said of a value as a whole or, with a = and paths,
// of places in it.
var Marks = []string{"optional", "required", "omit", "ref", "text"}
