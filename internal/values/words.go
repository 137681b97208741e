package values

// TypeWords are the words for types that a note may use without Go. Synonyms are next to
// each other.
var TypeWords = []string{
	"string", "str", "int", "integer", "float", "number", "bool", "boolean",
	"list", "array", "dict", "object", "any", "none", "null",
}
