package aion

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/internal/syntax"
	"github.com/aiongen/aiongen/internal/words"
)

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

// unknownProperty reports a property that its owner does not have, and returns
// the one that was meant, if that is likely.
func (r *reader) unknownProperty(key *syntax.Token, owner string, names []string) (meant string) {
	name := key.Value
	meant = words.Nearest(name, names)
	if known := synonyms[name]; slices.Contains(names, known) {
		meant = known
	}
	nearest := cmp.Or(meant, words.Closest(name, names))
	d := unknown(&r.List, name, nearest, r.At(key), "%s has no property %q", owner, name)
	port, ofBlock := nearestPort(name)
	switch {
	case slices.Contains(syntax.ElementProperties, name):
		d.WithHelp("%q belongs into an element, { … }", name)
	case slices.Contains(promptProperties, name):
		d.WithHelp("%q stands in the array, beside the elements", name)
	case strings.HasPrefix(name, "arg-"), strings.HasPrefix(name, "return-"):
		d.WithHelp("%q belongs into the interface block:\nfunction --> \"GoFunction\" --> { %s --> \"…\" }", name, name)
	case meant != "":
		d.WithHelp("did you mean %q?", meant)
	case ofBlock:
		d.WithHelp("arguments and results stand in the interface block:\nfunction --> \"GoFunction\" --> { %s --> \"…\" }", port)
	default:
		d.WithHelp("there are %s; the closest is %q", words.List(names, " and "), nearest)
	}
	return meant
}

// nearestPort is the key of an interface block that is closest to a name, with
// the number that it ends with. It is likely if the name is a word for the same.
func nearestPort(name string) (nearest string, likely bool) {
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
