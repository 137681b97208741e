package values

// TypeWords are the words that a note may use for types instead of Go types. Synonyms are next to
// each other.
var TypeWords = []string{
	"string", "str", "int", "integer", "float", "number", "bool", "boolean",
	"list", "array", "dict", "object", "any", "none", "null",
}
