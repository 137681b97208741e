// Package property knows the names of properties, and which of them others were meant
// to be.
package property

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
)

// Element has the properties of an element, in canonical order.
var Element = []string{"name", "function", "args_schema", "link", "description"}

// Prompt has the properties of the array itself.
var Prompt = []string{"system_prompt", "wrapped_query", "rules"}

// synonyms are what other formats call a property.
var synonyms = map[string]string{
	"title": "name", "id": "name",
	"handler": "function", "fn": "function", "call": "function",
	"parameters": "args_schema", "params": "args_schema", "arguments": "args_schema", "schema": "args_schema",
	"input_schema": "args_schema", "inputSchema": "args_schema",
	"url": "link", "href": "link", "uri": "link",
	"doc": "description", "summary": "description",
	"prompt": "system_prompt", "system": "system_prompt", "instructions": "system_prompt",
	"query": "wrapped_query", "template": "wrapped_query", "user_prompt": "wrapped_query",
}

// Meant is the one of some properties that a name was most likely meant to be, empty if
// nobody can tell.
func Meant(name string, of []string) string {
	if known := synonyms[name]; slices.Contains(of, known) {
		return known
	}
	return words.Nearest(name, of)
}

// Port is the key of an interface block that is closest to a name, with
// the number that it ends with. It is likely if the name is a word for the same.
func Port(name string) (nearest string, likely bool) {
	word := strings.TrimRight(name, "0123456789")
	number := strings.TrimLeft(name[len(word):], "0")
	word = strings.ToLower(strings.Trim(word, "-_"))
	kinds := map[string]string{
		"arg": "arg", "args": "arg", "argument": "arg", "param": "arg", "parameter": "arg", "input": "arg", "inputs": "arg", "in": "arg",
		"return": "return", "returns": "return", "ret": "return", "result": "return", "results": "return", "output": "return", "outputs": "return", "out": "return",
	}
	known := []string{"arg", "return"}
	kind := cmp.Or(kinds[word], words.Nearest(word, known))
	return cmp.Or(kind, words.Closest(word, known)) + "-" + cmp.Or(number, "1"), kind != ""
}
