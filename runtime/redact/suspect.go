package redact

import (
	"bytes"
	"encoding/json"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// withholdText returns the replacement of a text or value that cannot be parsed or assigned to an argument or
// result, and records that in x.withheld. From then on, texts that may quote the value are replaced, too. When
// collecting, it remembers what the text assigns to the name of a hidden argument or result, such as the number
// in "phone: 445550100".
func (x *pass) withholdText(text string) json.RawMessage {
	if x.collecting && text != "" {
		x.noteLikelyValues(text)
	}
	x.withheld = true
	return json.RawMessage(jsontext.Quote(replacement))
}

// noteLikelyValues remembers the values that follow the names of hidden members in a text, as in
// "phone: 445550100".
func (x *pass) noteLikelyValues(text string) {
	read, err := repair.JSON(text, nil)
	if err == nil {
		if n, err := jsontext.Parse(string(read.Value), jsontext.MaxDepth); err == nil {
			x.noteLikelyMembers(n, read.Value, 0)
		}
	}
	for value := range x.hiddenAssignments(text) {
		x.noteText(value, shownTexts{})
		if i := strings.IndexAny(value, "\"'`,;<>(){}[]\\"); i >= 0 { // up to the first quote, bracket or separator
			x.noteText(value[:i], shownTexts{})
		}
	}
}

// noteLikelyMembers remembers the values in a JSON value that should probably be hidden: hidden arguments of
// calls, and members with the same name as a hidden argument or member of a result.
func (x *pass) noteLikelyMembers(n *jsontext.Node, text json.RawMessage, depth int) {
	if name, calls := findCallee(n); calls {
		for _, m := range n.Items {
			if d, ok := x.nearestTool(name); ok && slices.Contains(inputs, strings.ToLower(m.Name())) {
				x.noteLikelyArguments(d, text[m.Start:m.End])
			}
		}
	}
	for _, item := range n.Items {
		raw := text[item.Start:item.End]
		if n.Is(jsontext.Object) && slices.ContainsFunc(x.catalog.findPlaces(item.Name()), func(p place) bool {
			shown := x.applyRule(p.tool, p.pointer, raw)
			if bytes.Equal(shown, raw) {
				return false
			}
			x.noteHidden(raw, shown)
			return true
		}) {
			continue
		}
		x.noteLikelyMembers(item, text, depth)
	}
	if inner, ok := parseContainer(n.Str()); ok && depth < maxTextDepth {
		x.noteLikelyMembers(inner, json.RawMessage(strings.TrimSpace(n.Str())), depth+1)
	}
}

// withholdArguments returns the replacement of arguments of an unknown tool, or of arguments that the
// tool rejects. When collecting, it remembers the values that the rule would hide as arguments of the
// tool, or of the tool with the most similar name.
func (x *pass) withholdArguments(toolName string, raw json.RawMessage) json.RawMessage {
	if x.collecting && len(raw) > 0 {
		if d, ok := x.nearestTool(toolName); ok {
			x.noteLikelyArguments(d, raw)
		}
	}
	return x.withholdText(string(raw))
}

// nearestTool returns the definition of the tool with this name, or with the most similar name.
func (x *pass) nearestTool(name string) (d tool.Definition, ok bool) {
	if d, found := x.catalog.findTool(name); found {
		return d, true
	}
	const maxGuesses = 100 // per event, because each guess compares the name with those of all tools
	if x.guesses++; x.guesses > maxGuesses {
		return d, false
	}
	return x.catalog.findTool(words.Nearest(name, x.catalog.names))
}

// noteLikelyArguments remembers the values in malformed arguments that the rule would hide under the name of
// any argument of the tool.
func (x *pass) noteLikelyArguments(d tool.Definition, raw json.RawMessage) {
	read, err := repair.JSON(string(raw), nil)
	if err != nil {
		return
	}
	n, err := jsontext.Parse(string(read.Value), jsontext.MaxDepth)
	if err != nil {
		return
	}
	if inner, ok := parseContainer(n.Str()); ok {
		n, read.Value = inner, json.RawMessage(strings.TrimSpace(n.Str()))
	}
	places := []place{{d.Name, "/arguments"}}
	for _, p := range x.catalog.places {
		if p.tool == d.Name && strings.HasPrefix(p.pointer, "/arguments/") {
			places = append(places, p)
		}
	}
	for _, item := range append(slices.Clip(n.Items), n) {
		value := read.Value[item.Start:item.End]
		for _, p := range places {
			if (item == n) != (p.pointer == "/arguments") {
				continue
			}
			if shown := x.applyRule(p.tool, p.pointer, value); !bytes.Equal(shown, value) {
				x.noteHidden(value, shown)
				break
			}
		}
	}
}

// Names that models give to the members of a call; see [repair.Requests].
var (
	callees = []string{"name", "function", "action", "tool", "tool_name", "recipient_name"}
	inputs  = []string{"arguments", "args", "parameters", "params", "input", "inputs", "action_input", "tool_input", "kwargs", "payload"}
)

// findCallee returns the name of the tool that an object calls.
func findCallee(object *jsontext.Node) (name string, calls bool) {
	for _, key := range callees {
		m := object.Member(key)
		if inner := m.Member("name"); inner != nil {
			m = inner
		}
		if m.Is(jsontext.String) {
			return m.Str(), true
		}
	}
	return "", false
}

// identifiers matches possible names of tools and arguments. The first group is the name, the second is the
// sign after it: one of : = > ( or nothing.
var identifiers = regexp.MustCompile(`([\pL_][\pL\pM\pN\p{Cf}_-]*)[^\pL\pN_\s:=>(]*\s*([:=>(]?)`)

// singleLine returns the first line of a text, without quotes and punctuation around it. It cuts long
// lines to keep the work linear.
func singleLine(text string) string {
	const maxLength = 1000
	text, _, _ = strings.Cut(text[:min(len(text), maxLength)], "\n")
	return strings.Trim(text, " \t\r\"'`,;()")
}

// hiddenAssignments yields the values that a text assigns to the names of hidden arguments and results.
func (x *pass) hiddenAssignments(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, match := range identifiers.FindAllStringSubmatchIndex(text, -1) {
			if sign := text[match[4]:match[5]]; sign == "" || sign == "(" {
				continue
			}
			places := x.catalog.findPlaces(text[match[2]:match[3]])
			if len(places) == 0 {
				continue
			}
			value := singleLine(text[match[1]:])
			if slices.ContainsFunc(places, func(p place) bool { return x.hidesText(p.tool, p.pointer, value) }) && !yield(value) {
				return
			}
		}
	}
}
