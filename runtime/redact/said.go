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

// prose redacts what a model wrote as it liked. If there are calls in it, they are what
// is told of it; so is a value of which something is hidden.
func (x *pass) prose(name, at, text string) string {
	return (&said{x, 0}).prose(name, at, text)
}

// said is what a model wrote, as deeply in texts that are in values that are in texts.
type said struct {
	*pass
	depth int
}

// reader reads values that are in what a model wrote.
func (s *said) reader() *reader { return &reader{s.prose, s.member} }

// said redacts a value that a model wrote.
func (x *pass) said(at string, raw json.RawMessage) json.RawMessage {
	return x.walk("", at, raw, (&said{x, 0}).reader())
}

func (s *said) prose(name, at, text string) string {
	if text == "" {
		return ""
	}
	calls, err := repair.Requests(text, s.catalog.tools...)
	switch {
	case len(calls) > 0:
		return s.calls(calls)
	case !errors.Is(err, repair.ErrNoCall), s.depth == deepestText && strings.ContainsAny(text, `{[(<`):
		return plain(s.withholdText(text))
	}
	if told, hides := s.spelled(name, at, text); hides {
		return told
	}
	if _, alone := s.catalog.definition(text); !alone && (s.seemsCall(text) || s.seemsArgument(text)) {
		return plain(s.withholdText(text))
	}
	return s.text(name, at, text)
}

// spelled redacts a text that is a value, however it is spelled, and reports whether
// something of it is hidden. One that seems to have a call, and is no value as it stands,
// may have been taken apart in the wrong places.
func (s *said) spelled(name, at, text string) (told string, hides bool) {
	read, err := repair.JSON(text, nil)
	switch {
	case err != nil:
		return "", false
	case len(read.Edits) > 0 && s.seemsCall(text):
		return plain(s.withholdText(text)), true
	}
	value := s.walk(name, at, read.Value, (&said{s.pass, s.depth + 1}).reader())
	return plain(value), !bytes.Equal(value, read.Value)
}

// calls tells calls that a model wrote in a text.
func (s *said) calls(calls []tool.Request) string {
	type call struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments,omitempty"`
	}
	told := make([]call, len(calls))
	for i, c := range calls {
		told[i] = call{s.name(c.Name), s.arguments(c.Name, c.Arguments)}
	}
	return marshal(told)
}

// member redacts a member of an object that has the name of arguments in an object that
// calls a tool, or that of an argument or of a result.
func (s *said) member(object, m *jsontext.Node, raw json.RawMessage) (told json.RawMessage, known bool) {
	if !object.Is(jsontext.Object) {
		return raw, false
	}
	if slices.Contains(inputs, strings.ToLower(m.Name())) {
		if name, calls := callee(object); calls {
			return s.arguments(name, raw), true
		}
	}
	for _, p := range s.catalog.find(m.Name()) {
		if told := s.ask(p.tool, p.pointer, raw); !bytes.Equal(told, raw) {
			return told, true
		}
	}
	return raw, false
}

// seemsCall reports whether a text names a tool of whose arguments something may not be
// told: it may have a call that nobody can read. A text with very many names of calls
// seems to have one, because comparing all of them with all tools takes too long.
func (x *pass) seemsCall(text string) bool {
	const mostNames = 1000
	near := map[string]string{}
	for _, at := range identifiers.FindAllStringSubmatchIndex(text, -1) {
		name := words.Folded(text[at[2]:at[3]])
		d, known := x.catalog.folded[name]
		if !known && text[at[4]:at[5]] == "(" {
			if _, compared := near[name]; !compared {
				near[name] = words.Nearest(name, x.catalog.foldedNames)
			}
			if len(near) > mostNames && len(x.catalog.tools) > 0 {
				return true
			}
			d, known = x.catalog.folded[near[name]]
		}
		if known && x.concerned(d, line(text[at[1]:])) {
			return true
		}
	}
	return false
}

// seemsArgument reports whether a text gives a value to something that has the name of an
// argument, or of a part of a result, that may not be told.
func (x *pass) seemsArgument(text string) bool {
	for _, at := range identifiers.FindAllStringSubmatchIndex(text, -1) {
		if sign := text[at[4]:at[5]]; sign == "" || sign == "(" {
			continue
		}
		for _, p := range x.catalog.find(text[at[2]:at[3]]) {
			if x.hides(p.tool, p.pointer, line(text[at[1]:])) {
				return true
			}
		}
	}
	return false
}

func marshal(v any) string {
	text, err := jsontext.Marshal(v, "")
	if err != nil {
		return instead // never: it is JSON and texts
	}
	return string(text)
}

// remark redacts what is said about a tool, which may quote what was redacted before, and
// what a model wrote.
func (x *pass) remark(name, at, text string) string {
	said := strings.TrimPrefix(text, name+": ")
	if text != "" && (x.withheld || x.quotes(text) || x.seemsArgument(said) || x.seemsCall(said)) {
		return instead
	}
	return x.text(name, at, text)
}
