package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// redactProse redacts a free text of a model. If it contains calls, or a value with hidden parts,
// only these are shown in redacted form.
func (x *pass) redactProse(name, at, text string) string {
	return (&modelText{x, 0}).redactProse(name, at, text)
}

// modelText redacts a model's text, including texts nested in values in texts.
type modelText struct {
	*pass
	depth int
}

// newReader returns a reader for values in a model's text.
func (s *modelText) newReader() *reader { return &reader{s.redactProse, s.redactMember} }

// redactModelText redacts a value that a model wrote.
func (x *pass) redactModelText(at string, raw json.RawMessage) json.RawMessage {
	return x.walkValue("", at, raw, (&modelText{x, 0}).newReader())
}

func (s *modelText) redactProse(name, at, text string) string {
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
	if told, hides := s.redactSpelled(name, at, text); hides {
		return told
	}
	if _, alone := s.catalog.findTool(text); !alone && (s.seemsCall(text) || s.seemsArgument(text)) {
		return plainText(s.withholdText(text))
	}
	return s.redactText(name, at, text)
}

// redactSpelled redacts a text that contains a value in any spelling, and reports whether
// something in it is hidden. A text that seems to contain a call but is not a valid value may
// have been split wrongly, and is withheld.
func (s *modelText) redactSpelled(name, at, text string) (told string, hides bool) {
	read, err := repair.JSON(text, nil)
	switch {
	case err != nil:
		return "", false
	case len(read.Edits) > 0 && s.seemsCall(text):
		return plainText(s.withholdText(text)), true
	}
	value := s.walkValue(name, at, read.Value, (&modelText{s.pass, s.depth + 1}).newReader())
	return plainText(value), !bytes.Equal(value, read.Value)
}

// redactCalls returns the redacted calls in a text.
func (s *modelText) redactCalls(calls []tool.Request) string {
	type call struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments,omitempty"`
	}
	told := make([]call, len(calls))
	for i, c := range calls {
		told[i] = call{s.redactName(c.Name), s.redactArguments(c.Name, c.Arguments)}
	}
	return mustMarshal(told)
}

// redactMember redacts a member that has the name of arguments in an object that calls a tool, or
// the name of an argument or a result.
func (s *modelText) redactMember(object, m *jsontext.Node, raw json.RawMessage) (told json.RawMessage, known bool) {
	if !object.Is(jsontext.Object) {
		return raw, false
	}
	if slices.Contains(inputs, strings.ToLower(m.Name())) {
		if name, calls := findCallee(object); calls {
			return s.redactArguments(name, raw), true
		}
	}
	for _, p := range s.catalog.findPlaces(m.Name()) {
		if told := s.askRule(p.tool, p.pointer, raw); !bytes.Equal(told, raw) {
			return told, true
		}
	}
	return raw, false
}

// seemsCall reports whether a text names a tool with hidden arguments, so that it may contain an
// unreadable call. A text with very many names of calls counts as one, because comparing them
// with all tools takes too long.
func (x *pass) seemsCall(text string) bool {
	const maxNames = 1000
	near := map[string]string{}
	for _, at := range identifiers.FindAllStringSubmatchIndex(text, -1) {
		name := words.FoldName(text[at[2]:at[3]])
		d, known := x.catalog.folded[name]
		if !known && text[at[4]:at[5]] == "(" {
			if _, compared := near[name]; !compared {
				near[name] = words.Nearest(name, x.catalog.foldedNames)
			}
			if len(near) > maxNames && len(x.catalog.tools) > 0 {
				return true
			}
			d, known = x.catalog.folded[near[name]]
		}
		if known && x.concernsTool(d, singleLine(text[at[1]:])) {
			return true
		}
	}
	return false
}

// seemsArgument reports whether a text assigns a value to a name of a hidden argument or result.
func (x *pass) seemsArgument(text string) bool {
	for _, at := range identifiers.FindAllStringSubmatchIndex(text, -1) {
		if sign := text[at[4]:at[5]]; sign == "" || sign == "(" {
			continue
		}
		for _, p := range x.catalog.findPlaces(text[at[2]:at[3]]) {
			if x.hidesText(p.tool, p.pointer, singleLine(text[at[1]:])) {
				return true
			}
		}
	}
	return false
}

func mustMarshal(v any) string {
	text, err := jsontext.Marshal(v, "")
	if err != nil {
		return replacement // never happens: v consists of JSON and texts
	}
	return string(text)
}

// redactRemark redacts a text about a tool, which may quote hidden values or a model's text.
func (x *pass) redactRemark(name, at, text string) string {
	said := strings.TrimPrefix(text, name+": ")
	if text != "" && (x.withheld || x.quotesHidden(text) || x.seemsArgument(said) || x.seemsCall(said)) {
		return replacement
	}
	return x.redactText(name, at, text)
}
