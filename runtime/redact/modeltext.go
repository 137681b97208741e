package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// redactProse redacts free text of a model. If the text contains calls, or JSON with hidden parts, it
// returns only the redacted calls or JSON, without the text around them.
func (x *pass) redactProse(toolName, pointer, text string) string {
	return (&modelText{x, 0}).redactProse(toolName, pointer, text)
}

// modelText redacts text of a model, including JSON in the text, strings in that JSON, and so on. The
// depth counts these levels.
type modelText struct {
	*pass
	depth int
}

// newHooks returns hooks for JSON values in text of a model.
func (s *modelText) newHooks() *valueHooks { return &valueHooks{s.redactProse, s.redactMember} }

// redactModelText redacts a value that a model wrote.
func (x *pass) redactModelText(pointer string, raw json.RawMessage) json.RawMessage {
	return x.walkValue("", pointer, raw, (&modelText{x, 0}).newHooks())
}

func (s *modelText) redactProse(toolName, pointer, text string) string {
	if text == "" {
		return ""
	}
	calls, err := repair.Requests(text, s.catalog.tools...)
	switch {
	case len(calls) > 0:
		return s.redactCalls(calls)
	case !errors.Is(err, repair.ErrNoCall), s.depth == maxTextDepth && strings.ContainsAny(text, `{[(<`):
		return plainText(s.withholdText(text))
	}
	if redacted, hides := s.redactEmbeddedJSON(toolName, pointer, text); hides {
		return redacted
	}
	if _, alone := s.catalog.findTool(text); !alone && (s.seemsCall(text) || s.seemsArgument(text)) {
		return plainText(s.withholdText(text))
	}
	return s.redactText(toolName, pointer, text)
}

// redactEmbeddedJSON redacts a text that contains a JSON value, valid or repairable, and reports whether a
// part of it is hidden. It withholds malformed JSON that seems to contain a call, because the repair may
// have separated its parts wrongly.
func (s *modelText) redactEmbeddedJSON(toolName, pointer, text string) (redacted string, hidden bool) {
	read, err := repair.JSON(text, nil)
	switch {
	case err != nil:
		return "", false
	case len(read.Edits) > 0 && s.seemsCall(text):
		return plainText(s.withholdText(text)), true
	}
	value := s.walkValue(toolName, pointer, read.Value, (&modelText{s.pass, s.depth + 1}).newHooks())
	return plainText(value), !bytes.Equal(value, read.Value)
}

// redactCalls returns the redacted calls in a text.
func (s *modelText) redactCalls(calls []tool.Request) string {
	type call struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments,omitempty"`
	}
	redacted := make([]call, len(calls))
	for i, c := range calls {
		redacted[i] = call{s.redactName(c.Name), s.redactArguments(c.Name, c.Arguments)}
	}
	return mustMarshal(redacted)
}

// redactMember redacts a member of an object that a model wrote. It handles the arguments in an object
// that calls a tool, and members that have the name of a hidden argument or result.
func (s *modelText) redactMember(object, m *jsontext.Node, raw json.RawMessage) (redacted json.RawMessage, handled bool) {
	if !object.Is(jsontext.Object) {
		return raw, false
	}
	if slices.Contains(inputs, strings.ToLower(m.Name())) {
		if name, calls := findCallee(object); calls {
			return s.redactArguments(name, raw), true
		}
	}
	for _, p := range s.catalog.findPlaces(m.Name()) {
		if redacted := s.showValue(p.tool, p.pointer, raw); !bytes.Equal(redacted, raw) {
			return redacted, true
		}
	}
	return raw, false
}

// seemsCall reports whether a text names a tool with hidden arguments, and so may contain an
// unreadable call. It returns true for a text with more than maxNames names before a parenthesis,
// because comparing them with the names of all tools takes too long.
func (x *pass) seemsCall(text string) bool {
	const maxNames = 1000
	nearest := map[string]string{}
	for _, match := range identifiers.FindAllStringSubmatchIndex(text, -1) {
		name := words.FoldName(text[match[2]:match[3]])
		d, found := x.catalog.byFoldedName[name]
		if !found && text[match[4]:match[5]] == "(" {
			if _, ok := nearest[name]; !ok {
				nearest[name] = words.Nearest(name, x.catalog.foldedNames)
			}
			if len(nearest) > maxNames && len(x.catalog.tools) > 0 {
				return true
			}
			d, found = x.catalog.byFoldedName[nearest[name]]
		}
		if found && x.hidesArgument(d, singleLine(text[match[1]:])) {
			return true
		}
	}
	return false
}

// seemsArgument reports whether a text assigns a value to the name of a hidden argument or result, as in
// "phone: 445550100".
func (x *pass) seemsArgument(text string) bool {
	for range x.hiddenAssignments(text) {
		return true
	}
	return false
}

// hiddenAssignments yields the values that a text assigns to the names of hidden arguments and results.
func (x *pass) hiddenAssignments(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, match := range identifiers.FindAllStringSubmatchIndex(text, -1) {
			if sign := text[match[4]:match[5]]; sign == "" || sign == "(" {
				continue
			}
			value := singleLine(text[match[1]:])
			if slices.ContainsFunc(x.catalog.findPlaces(text[match[2]:match[3]]), func(p place) bool { return x.hidesText(p.tool, p.pointer, value) }) && !yield(value) {
				return
			}
		}
	}
}

func mustMarshal(v any) string {
	text, err := jsontext.Marshal(v, "")
	if err != nil {
		return replacement // unreachable: v consists of JSON and strings
	}
	return string(text)
}

// redactToolText redacts a text about a tool, such as an error, which may quote hidden values or text of
// a model.
func (x *pass) redactToolText(toolName, pointer, text string) string {
	remark := strings.TrimPrefix(text, toolName+": ")
	if text != "" && (x.withheld || x.quotesHidden(text) || x.seemsArgument(remark) || x.seemsCall(remark)) {
		return replacement
	}
	return x.redactText(toolName, pointer, text)
}
