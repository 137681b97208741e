package redact

import (
	"encoding/json"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// mostHidden limits how many texts of one event are searched for in its errors.
const mostHidden = 1000

// deepestText limits how deeply texts in values in texts are read.
const deepestText = 4

// remains is what a rule left of a value that it changed.
type remains struct{ texts, words map[string]bool }

func remainsOf(shown json.RawMessage) remains {
	r := remains{map[string]bool{}, map[string]bool{}}
	if n, err := jsontext.Parse(string(shown), jsontext.MaxDepth); err == nil {
		r.add(n)
	}
	return r
}

func (r remains) add(n *jsontext.Node) {
	text := scalar(n)
	r.texts[text] = true
	for word := range strings.FieldsSeq(text) {
		r.words[word] = true
	}
	for _, item := range n.Items {
		r.texts[item.Name()] = true
		r.add(item)
	}
}

// scalar returns the text of a string or number.
func scalar(n *jsontext.Node) string {
	if n.Is(jsontext.Number) {
		return n.Text
	}
	return n.Str()
}

// hiddenIn returns the parts of a text that the rule did not leave.
func (r remains) hiddenIn(text string) (parts []string) {
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

// note remembers what the rule hid of a value.
func (x *pass) note(raw, shown json.RawMessage) {
	n, err := jsontext.Parse(string(raw), jsontext.MaxDepth)
	if err != nil {
		x.noteText(string(raw), remains{})
		return
	}
	x.noteNode(n, remainsOf(shown), 0)
}

func (x *pass) noteNode(n *jsontext.Node, left remains, depth int) {
	switch {
	case n.Is(jsontext.Number) && !left.texts[n.Text]:
		x.memory.noteNumber(n.Text)
		x.conceal(n.Text)
	case n.Is(jsontext.String):
		x.noteText(n.Str(), left)
		if inner, ok := container(n.Str()); ok && depth < deepestText {
			x.noteNode(inner, left, depth+1)
		}
	}
	for _, item := range n.Items {
		if name := item.Name(); !x.catalog.published[name] {
			x.noteText(name, left)
		}
		x.noteNode(item, left, depth)
	}
}

// container returns the object or array that a text is.
func container(text string) (n *jsontext.Node, ok bool) {
	if text = strings.TrimSpace(text); text == "" || text[0] != '{' && text[0] != '[' {
		return nil, false
	}
	n, err := jsontext.Parse(text, jsontext.MaxDepth)
	return n, err == nil
}

func (x *pass) noteText(text string, left remains) {
	for _, part := range left.hiddenIn(text) {
		x.memory.note(part)
		x.conceal(part)
	}
}

// conceal notes a text that the event of this pass hides, also a short one.
func (x *pass) conceal(text string) {
	switch {
	case text == "":
	case len(x.hidden) >= mostHidden:
		x.withheld = true
	default:
		x.hidden = append(x.hidden, text)
	}
}
