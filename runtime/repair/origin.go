package repair

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/leaves"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
)

// Origin is a text that somebody else than this package repairs, such as a model
// that was asked to. What comes back may say only what the text says:
//
//   - A value that is right at its place stays there. Only values under keys that the
//     schema does not know may move.
//   - Every leaf, empty lists and objects too, is one of the text: the same, or its
//     one reading by the schema, or the value of an enum that it is another spelling
//     of; and is used at most as often as it stands there. Of a text that is prose it
//     is whole words. Names that are data, as in maps, are leaves.
//   - Else it is the default of its place.
//   - The last leaf of a text that was cut off is none: nobody knows how it goes on.
type Origin struct {
	Text      string
	Truncated bool            // it was cut off, even if it does not look so
	Schema    json.RawMessage // of what comes back; may be nil

	Refused []string                  // JSON Pointers of values that are wrong though the schema allows them
	Free    func(pointer string) bool // tells places where any value may stand; may be nil
	Stands  func(text string) bool    // tells strings that stand for values of any type, such as references; may be nil
}

// Check returns an [*Error] with everything in a value that is not of the text, and
// what of the text should be in it and is not. Whether the value follows the schema
// is for others to say.
func (o Origin) Check(value json.RawMessage) error {
	rule, bad := o.rule()
	if bad != nil {
		return errorOf(bad, o.Text)
	}
	n, err := jsontext.Parse(string(value), jsontext.MaxDepth)
	if err != nil {
		return &Error{code: report.Unreadable, Message: err.Error()}
	}
	faults := rule.Check(n, string(value))
	if len(faults) == 0 {
		return nil
	}
	texts := make([]string, len(faults))
	for i, f := range faults {
		texts[i] = f.String()
	}
	const told, most = 16, 64 // faults in the message, and in all
	return &Error{
		code:    report.Invented,
		Message: "what comes back says something else than the original: " + strings.Join(texts[:min(told, len(texts))], "; "),
		Faults:  faults[:min(most, len(faults))],
	}
}

// Missing is what a text lacks of what the schema requires, in JSON Pointers.
type Missing struct {
	Absent  []string        // what is not at its place, or null
	Nowhere []string        // what nothing in the text can be: who repairs it would have to make it up
	Rest    json.RawMessage // what is right in it; nothing if it is prose
}

// Missing returns what the text lacks. One that is prose may have everything in it.
func (o Origin) Missing() Missing {
	rule, bad := o.rule()
	if bad != nil {
		return Missing{}
	}
	found := rule.Missing()
	m := Missing{Absent: found.Absent, Nowhere: found.Nowhere}
	if found.Rest != nil {
		m.Rest = found.Rest.Append(nil)
	}
	return m
}

func (o Origin) rule() (*leaves.Rule, *report.Failure) {
	s, bad := tree.ParseSchema(o.Schema)
	if bad != nil {
		return nil, bad
	}
	rule := &leaves.Rule{Text: o.Text, Schema: s, Refused: o.Refused, Free: o.Free}
	if o.Stands != nil {
		rule.Stands = func(n *jsontext.Node) bool { return n.Kind == jsontext.String && o.Stands(n.Str()) }
	}
	text, n, cut := o.read(s)
	switch {
	case n != nil && cut:
		n = withoutLast(n)
	case n == nil && cut:
		text = strings.TrimRightFunc(text, func(c rune) bool { return !unicode.IsSpace(c) })
	}
	rule.Text, rule.Value = text, n
	return rule, nil
}

// read returns the object or list in the text; nil if there is none, but prose: the
// text, or what the string or number says that is in it. It also tells whether that
// was cut off in its last leaf.
func (o Origin) read(s *jsonschema.Schema) (text string, n *jsontext.Node, cut bool) {
	nothing := func() (string, *jsontext.Node, bool) {
		if s != nil && tree.Wants(s, jsontext.Object) {
			return o.Text, &jsontext.Node{Kind: jsontext.Object}, false
		}
		return o.Text, nil, false
	}
	text, cut = o.Text, o.Truncated
	for range 3 { // in strings in each other
		if strings.Trim(text, scan.Blanks) == "" {
			return nothing()
		}
		result, err := JSON(text, o.Schema)
		if err != nil {
			return text, nil, cut
		}
		if n, err = jsontext.Parse(string(result.Value), jsontext.MaxDepth); err != nil {
			return text, nil, cut
		}
		cut = cut || result.Truncated && endsInLeaf(text, n)
		switch n.Kind {
		case jsontext.Array, jsontext.Object:
			return text, n, cut
		case jsontext.Null:
			return nothing()
		case jsontext.String:
			text = n.Str()
		default:
			return n.Text, nil, cut
		}
	}
	return text, nil, cut
}

// endsInLeaf tells whether a text that was cut off may end within the last leaf of
// what was read of it.
func endsInLeaf(text string, n *jsontext.Node) bool {
	for len(n.Items) > 0 {
		n = n.Items[len(n.Items)-1]
	}
	text = strings.TrimRight(text, scan.Blanks)
	switch text[len(text)-1] {
	case ',', ']', '}':
		return false
	case ':':
		return n.Kind == jsontext.Null // that is what was read of nothing
	case '"', '\'':
		empty := n.Kind == jsontext.String && n.Str() == ""
		return empty && !strings.HasSuffix(text, `""`) && !strings.HasSuffix(text, `''`)
	}
	return true
}

// withoutLast returns a value without its last leaf, and what then is empty; an empty
// one if nothing is left.
func withoutLast(n *jsontext.Node) *jsontext.Node {
	copied := *n
	if len(n.Items) == 0 {
		return &copied
	}
	last := len(n.Items) - 1
	copied.Items = slices.Clone(n.Items[:last])
	if inner := withoutLast(n.Items[last]); len(inner.Items) > 0 {
		copied.Items = append(copied.Items, inner)
	}
	return &copied
}
