package callform

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// maxDepth limits the nesting of values that are entered as JSON.
const maxDepth = 64

// Mode says how the input of a field is to be read.
type Mode string

// The modes of fields.
const (
	AsEntered Mode = ""      // the input; an optional field without input is left out
	Empty     Mode = "empty" // the input, even if it is empty
	Null      Mode = "null"
	AsJSON    Mode = "json" // the elements of Lines as a JSON array
)

// Fault is an input that cannot be sent to the tool.
type Fault struct {
	Pointer string // of the field
	Message string // what was expected and found
}

func (f *Form) valueName(x *field) string { return f.prefix + "value" + sentName.Replace(x.pointer) }
func (f *Form) modeName(x *field) string  { return f.prefix + "mode" + sentName.Replace(x.pointer) }

// sentName replaces the characters that browsers change in the names of input elements.
var sentName = strings.NewReplacer("%", "%25", "\x00", "%00", "\r", "%0D", "\n", "%0A")

// Arguments converts a sent form to a JSON object with its members in the order of the schema. Inputs that a
// field does not expect, such as words in the field of a number, become strings: the tool then reports them. The
// faults are inputs that cannot be converted, such as invalid JSON.
func (f *Form) Arguments(values url.Values) (json.RawMessage, []Fault) {
	c := converter{form: f, values: values}
	b, _ := c.appendGroup(nil, f.root)
	return b, c.faults
}

// converter converts a sent form to JSON.
type converter struct {
	form   *Form
	values url.Values
	faults []Fault
}

// appendField appends the value of a field. It returns false if the field is left out.
func (c *converter) appendField(b []byte, x *field) ([]byte, bool) {
	mode := Mode(c.values.Get(c.form.modeName(x)))
	// Browsers send line breaks as CR LF.
	text := strings.ReplaceAll(c.values.Get(c.form.valueName(x)), "\r\n", "\n")
	isLeftOut := text == "" && !x.required && mode != Empty // unless it is a group or null
	switch {
	case mode == Null:
		return append(b, "null"...), true
	case x.kind == Group:
		return c.appendGroup(b, x)
	case x.kind == JSON, x.kind == Lines && mode == AsJSON:
		return c.appendJSON(b, x, text)
	case x.kind == Text && !isLeftOut:
		return jsontext.AppendQuoted(b, text), true
	case x.kind == Lines && !isLeftOut:
		return x.appendLines(b, text), true
	case x.kind == Number && text != "":
		return appendNumber(b, text), true
	case x.kind == Choice && text != "":
		return x.appendChoice(b, text), true
	}
	return b, false
}

// appendGroup appends an object. It returns false if it is optional and nothing was entered.
func (c *converter) appendGroup(b []byte, x *field) ([]byte, bool) {
	if !x.required && c.form.isBlank(c.values, x) {
		return b, false
	}
	b = append(b, '{')
	for _, m := range x.members {
		before := len(b)
		if b[before-1] != '{' {
			b = append(b, ',')
		}
		b = append(jsontext.AppendQuoted(b, m.name), ':')
		var ok bool
		if b, ok = c.appendField(b, m); !ok {
			b = b[:before]
		}
	}
	return append(b, '}'), true
}

// isBlank reports whether nothing was entered in a field.
func (f *Form) isBlank(values url.Values, x *field) bool {
	if values.Get(f.valueName(x)) != "" || values.Get(f.modeName(x)) != "" {
		return false
	}
	return !slices.ContainsFunc(x.members, func(m *field) bool { return !f.isBlank(values, m) })
}

// appendJSON appends a value that was entered as JSON. It returns false if the input is blank or is not JSON.
func (c *converter) appendJSON(b []byte, x *field, text string) ([]byte, bool) {
	if strings.TrimSpace(text) == "" {
		return b, false
	}
	n, err := jsontext.Parse(text, maxDepth)
	if err != nil {
		c.faults = append(c.faults, Fault{Pointer: x.pointer, Message: "This is not JSON: " + err.Error() + "."})
		return b, false
	}
	return n.Append(b), true
}

// appendLines appends a list with an element for each line. It ignores a line break at the end.
func (x *field) appendLines(b []byte, text string) []byte {
	b = append(b, '[')
	text = strings.TrimSuffix(text, "\n")
	if text == "" {
		return append(b, ']')
	}
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b = append(b, ',')
		}
		if x.numbers {
			b = appendNumber(b, line)
		} else {
			b = jsontext.AppendQuoted(b, line)
		}
	}
	return append(b, ']')
}

// appendNumber appends a number as it was entered, or a string if it is not a number.
func appendNumber(b []byte, text string) []byte {
	if n, err := jsontext.Parse(text, 0); err == nil && n.Is(jsontext.Number) {
		return append(b, n.Text...)
	}
	return jsontext.AppendQuoted(b, text)
}

// appendChoice appends the chosen value, or a string if the text is not one of the choices. Browsers send only
// choices.
func (x *field) appendChoice(b []byte, text string) []byte {
	if slices.Contains(x.choices, text) {
		return append(b, text...)
	}
	return jsontext.AppendQuoted(b, text)
}

// Values returns the input that [Form.Arguments] converts to the given object. It returns false if there is no
// such input, for example because the object has members that the schema does not describe.
func (f *Form) Values(arguments json.RawMessage) (url.Values, bool) {
	n, err := jsontext.Parse(string(arguments), maxDepth)
	values := url.Values{}
	if err != nil || f.JSONOnly || !f.setGroup(values, f.root, n) {
		return nil, false
	}
	return values, true
}

// setField sets the input of a field so that Arguments converts it to n. If n is nil, the field is left out. It
// returns false if there is no such input.
func (f *Form) setField(values url.Values, x *field, n *jsontext.Node) bool {
	switch {
	case n == nil: // a required field without input is an empty text, list or object
		return !x.required || x.kind == Number || x.kind == Choice || x.kind == JSON
	case n.Is(jsontext.Null) && x.nullable && x.kind != Choice && x.kind != JSON:
		values.Set(f.modeName(x), string(Null))
		return true
	}
	switch x.kind {
	case JSON:
		values.Set(f.valueName(x), n.String())
		return true
	case Choice:
		return f.setChoice(values, x, n)
	case Text:
		return f.setText(values, x, n)
	case Number:
		return f.setNumber(values, x, n)
	case Lines:
		return f.setLines(values, x, n)
	}
	return f.setGroup(values, x, n)
}

func (f *Form) setText(values url.Values, x *field, n *jsontext.Node) bool {
	text := n.Str()
	values.Set(f.valueName(x), text)
	if text == "" && !x.required {
		values.Set(f.modeName(x), string(Empty))
	}
	return n.Is(jsontext.String) && !strings.ContainsAny(text, "\r\x00") // which HTML changes
}

// setNumber sets the input of a number, or of a wrong value that was entered instead of one.
func (f *Form) setNumber(values url.Values, x *field, n *jsontext.Node) bool {
	text := n.Text
	if n.Is(jsontext.String) {
		text = n.Str()
	}
	values.Set(f.valueName(x), text)
	return text != "" && !strings.ContainsAny(text, "\r\n\x00") && string(appendNumber(nil, text)) == n.String()
}

func (f *Form) setGroup(values url.Values, x *field, n *jsontext.Node) bool {
	if !n.Is(jsontext.Object) || n.FirstRepeated() != nil {
		return false
	}
	found := 0
	for _, m := range x.members {
		member := n.Member(m.name)
		if member != nil {
			found++
		}
		if !f.setField(values, m, member) {
			return false
		}
	}
	if !x.required && f.isBlank(values, x) {
		values.Set(f.modeName(x), string(Empty))
	}
	return found == len(n.Items)
}

// setLines sets the elements of a list as lines, or as JSON if appendLines would return a different list.
func (f *Form) setLines(values url.Values, x *field, n *jsontext.Node) bool {
	if !n.Is(jsontext.Array) {
		return false
	}
	lines := make([]string, len(n.Items))
	for i, item := range n.Items {
		lines[i] = item.Text
		if item.Is(jsontext.String) {
			lines[i] = item.Str()
		}
	}
	text := strings.Join(lines, "\n")
	reread, err := jsontext.Parse(string(x.appendLines(nil, text)), maxDepth)
	switch {
	case err != nil || strings.ContainsAny(text, "\r\x00") || reread.String() != n.String():
		values.Set(f.modeName(x), string(AsJSON))
		text = n.String()
	case len(n.Items) == 0 && !x.required:
		values.Set(f.modeName(x), string(Empty))
	}
	values.Set(f.valueName(x), text)
	return true
}

func (f *Form) setChoice(values url.Values, x *field, n *jsontext.Node) bool {
	for _, choice := range x.choices {
		if value, err := jsontext.Parse(choice, maxDepth); err == nil && string(value.AppendCanonical(nil)) == string(n.AppendCanonical(nil)) {
			values.Set(f.valueName(x), choice)
			return true
		}
	}
	return false
}
