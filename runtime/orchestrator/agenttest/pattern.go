package agenttest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// writeCall returns a call as expectations write it, in one line. A name that is not the name of a
// tool is quoted, as are arguments that are not JSON.
func writeCall(name string, arguments []byte) string {
	arguments = orNoArguments(arguments)
	compact, err := jsontext.Marshal(json.RawMessage(arguments), "")
	if err != nil {
		compact = []byte(jsontext.Quote(string(arguments)))
	}
	if name == "" || strings.ContainsFunc(name, func(c rune) bool { return c != '.' && !words.IsToolNameChar(c) }) {
		name = jsontext.Quote(name)
	}
	return visible(name + "(" + string(compact) + ")")
}

// callPattern is a call that a test expects.
type callPattern struct {
	text      string
	name      string
	arguments string // "" matches any
}

func (p callPattern) matches(c *madeCall) bool { return p.matchesCall(c.name, c.arguments) }

func (p callPattern) matchesCall(name string, arguments []byte) bool {
	arguments = orNoArguments(arguments)
	return p.name == name && (p.arguments == "" ||
		jsontext.EqualTexts([]byte(p.arguments), arguments, jsontext.Depth) ||
		!json.Valid(arguments) && jsontext.EqualTexts([]byte(p.arguments), []byte(jsontext.Quote(string(arguments))), jsontext.Depth))
}

// parseCall parses a call that a test expects.
func parseCall(text string) (callPattern, error) {
	text = strings.TrimSpace(text)
	p := callPattern{text: text}
	rest := ""
	if strings.HasPrefix(text, `"`) {
		d := json.NewDecoder(strings.NewReader(text))
		if d.Decode(&p.name) == nil {
			rest = text[d.InputOffset():]
		}
	} else {
		i := strings.IndexByte(text+"(", '(')
		p.name, rest = text[:i], text[i:]
	}
	if rest == "" && p.name != "" {
		return p, nil
	}
	p.arguments = cmp.Or(strings.TrimSuffix(strings.TrimPrefix(rest, "("), ")"), "{}")
	if len(rest) < 2 || rest[0] != '(' || rest[len(rest)-1] != ')' || !json.Valid([]byte(p.arguments)) {
		return p, fmt.Errorf("invalid call %s: write the name of a tool, or its name and JSON arguments, as in pay({\"amount\": 7})", visibleLine(text))
	}
	return p, nil
}

// orNoArguments returns the arguments of a call, or {} if there are none.
func orNoArguments(arguments []byte) []byte {
	if len(arguments) == 0 || string(arguments) == "null" {
		return []byte("{}")
	}
	return arguments
}
