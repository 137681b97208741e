package redact

import (
	"encoding/json"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// maxHidden limits how many hidden texts of an event are searched for in the errors of that event.
const maxHidden = 1000

// maxTextDepth limits how many levels of JSON inside strings are parsed.
const maxTextDepth = 4

// shownTexts holds the texts and words that a rule left unchanged in a value.
type shownTexts struct{ texts, words map[string]bool }

func newShownTexts(shown json.RawMessage) shownTexts {
	r := shownTexts{map[string]bool{}, map[string]bool{}}
	if n, err := jsontext.Parse(string(shown), jsontext.MaxDepth); err == nil {
		r.addNode(n)
	}
	return r
}

func (r shownTexts) addNode(n *jsontext.Node) {
	text := scalarText(n)
	r.texts[text] = true
	for word := range strings.FieldsSeq(text) {
		r.words[word] = true
	}
	for _, item := range n.Items {
		r.texts[item.Name()] = true
		r.addNode(item)
	}
}

// scalarText returns the text of a string or number.
func scalarText(n *jsontext.Node) string {
	if n.Is(jsontext.Number) {
		return n.Text
	}
	return n.Str()
}

// hiddenIn returns the parts of a text that the rule removed: "Ann Lee" if the rule replaced "call Ann Lee
// today" with "call someone today".
func (r shownTexts) hiddenIn(text string) (parts []string) {
	if r.texts[text] {
		return nil
	}
	var part []string
	flush := func() {
		if len(part) > 0 {
			parts = append(parts, strings.Join(part, " "))
		}
		part = nil
	}
	for word := range strings.FieldsSeq(text) {
		if r.words[word] {
			flush()
			continue
		}
		part = append(part, word)
	}
	flush()
	return parts
}

// noteHidden remembers the texts and numbers of a value that are missing in the value shown instead.
func (x *pass) noteHidden(raw, shown json.RawMessage) {
	n, err := jsontext.Parse(string(raw), jsontext.MaxDepth)
	if err != nil {
		x.noteText(string(raw), shownTexts{})
		return
	}
	x.noteNode(n, newShownTexts(shown), 0)
}

// noteNode is noteHidden for a parsed value. It also parses strings that contain JSON, to a depth of
// maxTextDepth.
func (x *pass) noteNode(n *jsontext.Node, shown shownTexts, depth int) {
	switch {
	case n.Is(jsontext.Number) && !shown.texts[n.Text]:
		x.memory.noteNumber(n.Text)
		x.hideText(n.Text)
	case n.Is(jsontext.String):
		x.noteText(n.Str(), shown)
		if inner, ok := parseContainer(n.Str()); ok && depth < maxTextDepth {
			x.noteNode(inner, shown, depth+1)
		}
	}
	for _, item := range n.Items {
		if name := item.Name(); !x.catalog.published[name] {
			x.noteText(name, shown)
		}
		x.noteNode(item, shown, depth)
	}
}

// parseContainer returns the object or array that a text encodes.
func parseContainer(text string) (n *jsontext.Node, ok bool) {
	if text = strings.TrimSpace(text); text == "" || text[0] != '{' && text[0] != '[' {
		return nil, false
	}
	n, err := jsontext.Parse(text, jsontext.MaxDepth)
	return n, err == nil
}

// noteText remembers the parts of a text that are not among the shown texts.
func (x *pass) noteText(text string, shown shownTexts) {
	for _, part := range shown.hiddenIn(text) {
		x.memory.noteValue(part)
		x.hideText(part)
	}
}

// hideText records that the current event hides a text. Unlike the memory of the run, it also
// records short texts.
func (x *pass) hideText(text string) {
	switch {
	case text == "":
	case len(x.hidden) >= maxHidden:
		x.withheld = true
	default:
		x.hidden = append(x.hidden, text)
	}
}
