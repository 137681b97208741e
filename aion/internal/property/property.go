// Package property knows the names of properties, and which of them others were meant
// to be.
package property

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/lazyregexp"
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

// portForm is what people write for a key of an interface block, with its number.
var portForm = lazyregexp.Regexp{Text: `^(?i:(arg|return)s?)[-_ ]?0*([0-9]+)$`}

// ParsePort returns what a name says that spells a key of an interface block in one form or
// another, such as arg-1, arg_1 or Arg1: arg or return, and the digits of the number
// without zeros in front.
func ParsePort(name string) (kind, number string, ok bool) {
	m := portForm.Get().FindStringSubmatch(name)
	if m == nil {
		return "", "", false
	}
	return strings.ToLower(m[1]), m[2], true
}

// abbreviations are names that can only mean one property, whatever else is given.
var abbreviations = map[string]string{
	"desc": "description", "descr": "description", "func": "function", "fn": "function",
	"argsSchema": "args_schema", "args-schema": "args_schema",
	"systemPrompt": "system_prompt", "system-prompt": "system_prompt", "wrappedQuery": "wrapped_query", "wrapped-query": "wrapped_query",
}

// IsSure reports whether a name can have been meant only for one property: it differs in
// case, or is an abbreviation that everybody knows.
func IsSure(name, meant string) bool {
	return strings.EqualFold(name, meant) || abbreviations[name] == meant
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
