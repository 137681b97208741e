package syntax

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/lazyregexp"
	"github.com/aiongen/aiongen/internal/words"
)

// ElementProperties are the properties of an element, in canonical order.
var ElementProperties = []string{"name", "function", "args_schema", "link", "description"}

// PromptProperties are the properties of the array itself.
var PromptProperties = []string{"system_prompt", "wrapped_query", "rules"}

// synonyms maps names of other formats to properties.
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

// GuessProperty returns the property, among candidates, that a name was most likely meant
// to be, or "" if that is unclear.
func GuessProperty(name string, candidates []string) string {
	if synonym := synonyms[name]; slices.Contains(candidates, synonym) {
		return synonym
	}
	return words.Nearest(name, candidates)
}

// portPattern matches variants of the keys of an interface block.
var portPattern = lazyregexp.Regexp{Text: `^(?i:(?:(arg|argument|param|parameter|input)|(?:return|ret|result|output))s?)[-_ ]?0*([0-9]+)$`}

// ParsePort parses variants of a key of an interface block, such as arg-1, arg_1 or Arg1.
// It returns arg or return, and the digits of the number without leading zeros.
func ParsePort(name string) (kind, number string, ok bool) {
	m := portPattern.Get().FindStringSubmatch(name)
	if m == nil {
		return "", "", false
	}
	if m[1] != "" {
		return "arg", m[2], true
	}
	return "return", m[2], true
}

// abbreviations maps names that can only mean one property to that property.
var abbreviations = map[string]string{
	"desc": "description", "descr": "description", "func": "function", "fn": "function",
	"argsSchema": "args_schema", "args-schema": "args_schema",
	"parameters": "args_schema", "params": "args_schema", "input_schema": "args_schema", "inputSchema": "args_schema",
	"args": "args_schema", "arguments": "args_schema",
	"systemPrompt": "system_prompt", "system-prompt": "system_prompt", "wrappedQuery": "wrapped_query", "wrapped-query": "wrapped_query",
}

// IsCertainProperty reports whether a name can only mean one property: it differs only in
// case, or is a common abbreviation.
func IsCertainProperty(name, meant string) bool {
	return strings.EqualFold(name, meant) || abbreviations[name] == meant
}

// isKnownName reports whether a name is that of a property or an entry, or a variant of one.
func isKnownName(name string) bool {
	_, _, port := ParsePort(name)
	return port || GuessProperty(name, slices.Concat(ElementProperties, PromptProperties)) != ""
}

// GuessPort returns the key of an interface block that a name most likely means: arg-2 for
// param2, return-1 for result. It returns false if no key is similar.
func GuessPort(name string) (nearest string, likely bool) {
	word := strings.TrimRight(name, "0123456789")
	number := strings.TrimLeft(name[len(word):], "0")
	word = strings.ToLower(strings.Trim(word, "-_"))
	kinds := map[string]string{
		"arg": "arg", "args": "arg", "argument": "arg", "param": "arg", "parameter": "arg", "input": "arg", "inputs": "arg", "in": "arg",
		"return": "return", "returns": "return", "ret": "return", "result": "return", "results": "return", "output": "return", "outputs": "return", "out": "return",
	}
	kind := cmp.Or(kinds[word], words.Nearest(word, []string{"arg", "return"}))
	if kind == "" {
		return "", false
	}
	return kind + "-" + cmp.Or(number, "1"), true
}
