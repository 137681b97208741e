package redact

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// mostHidden limits how many texts of one event are searched for in its errors.
const mostHidden = 1000

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

// withholdText withholds a text or value that has no clear place. What the rule would hide in the likely
// places is remembered.
func (x *pass) withholdText(text string) json.RawMessage {
	if x.collecting && text != "" {
		x.suspect(text)
	}
	return x.withhold()
}

// suspect remembers what stands beside the name of something that the rule hides.
func (x *pass) suspect(text string) {
	read, err := repair.JSON(text, nil)
	if err == nil {
		if n, err := jsontext.Parse(string(read.Value), jsontext.MaxDepth); err == nil {
			x.suspectNode(n, read.Value, 0)
		}
	}
	for _, at := range identifiers.FindAllStringSubmatchIndex(text, -1) {
		if sign := text[at[4]:at[5]]; sign == "" || sign == "(" {
			continue
		}
		value := line(text[at[1]:])
		for _, p := range x.find(text[at[2]:at[3]]) {
			if x.hides(p.tool, p.pointer, value) {
				first := value[:cutAtQuote(value)]
				x.noteText(value, remains{})
				x.noteText(first, remains{})
				break
			}
		}
	}
}

func cutAtQuote(text string) int {
	if i := strings.IndexAny(text, "\"'`,;<>(){}[]\\"); i >= 0 {
		return i
	}
	return len(text)
}

func (x *pass) suspectNode(n *jsontext.Node, text json.RawMessage, depth int) {
	if name, calls := callee(n); calls {
		for _, m := range n.Items {
			if d, ok := x.nearest(name); ok && slices.Contains(inputs, strings.ToLower(m.Name())) {
				x.suspectArguments(d, text[m.Start:m.End])
			}
		}
	}
	for _, item := range n.Items {
		raw := text[item.Start:item.End]
		if n.Is(jsontext.Object) && slices.ContainsFunc(x.find(item.Name()), func(p place) bool {
			shown := x.apply(p.tool, p.pointer, raw)
			if bytes.Equal(shown, raw) {
				return false
			}
			x.note(raw, shown)
			return true
		}) {
			continue
		}
		x.suspectNode(item, text, depth)
	}
	if inner, ok := container(n.Str()); ok && depth < deepestText {
		x.suspectNode(inner, json.RawMessage(strings.TrimSpace(n.Str())), depth+1)
	}
}

// withholdArguments withholds arguments of a tool that there is not, or a part of those of
// a tool that does not accept them. Values that the rule would hide as any argument of the
// tool are remembered, or of the tool with the nearest name.
func (x *pass) withholdArguments(name string, raw json.RawMessage) json.RawMessage {
	if x.collecting && len(raw) > 0 {
		if d, ok := x.nearest(name); ok {
			x.suspectArguments(d, raw)
		}
	}
	return x.withholdText(string(raw))
}

// nearest returns the definition of the tool that was most likely meant.
func (x *pass) nearest(name string) (d tool.Definition, ok bool) {
	if d, known := x.definition(name); known {
		return d, true
	}
	var names []string
	for _, d := range x.catalog.tools {
		names = append(names, d.Name)
	}
	return x.definition(words.Nearest(name, names))
}

// withholdMember withholds a member of arguments of a tool that does not accept it so.
func (x *pass) withholdMember(d tool.Definition, name string, raw json.RawMessage) json.RawMessage {
	return x.withholdArguments(d.Name, json.RawMessage(`{`+jsontext.Quote(name)+`:`+string(raw)+`}`))
}

func (x *pass) suspectArguments(d tool.Definition, raw json.RawMessage) {
	read, err := repair.JSON(string(raw), nil)
	if err != nil {
		return
	}
	n, err := jsontext.Parse(string(read.Value), jsontext.MaxDepth)
	if err != nil {
		return
	}
	if inner, ok := container(n.Str()); ok {
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
			if shown := x.apply(p.tool, p.pointer, value); !bytes.Equal(shown, value) {
				x.note(value, shown)
				break
			}
		}
	}
}
