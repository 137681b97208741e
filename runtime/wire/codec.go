package wire

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/jsontape"
)

// The functions in this file are for types that read and write their JSON themselves, such as messages of Protocol
// Buffers.

// Unmarshal calls check with v. If check records no fault, Unmarshal calls unmarshal with the JSON of v, and
// records an error of unmarshal as a fault. Pass a nil check if the schema of the type is unknown. Unmarshal does
// nothing if v is absent.
func Unmarshal(v Value, check func(Value), unmarshal func(text []byte) error) {
	if v.d == nil {
		return
	}
	before := v.d.faults.countAll()
	if check == nil {
		v.Raw()
	} else {
		check(v)
	}
	if v.d.faults.countAll() > before {
		return
	}
	text := v.d.appendText(nil, v.at)
	if err := unmarshal(text); err != nil {
		v.failCodec(string(text), err)
	}
}

// failCodec records the error of an unmarshal function as a fault. If the error contains a position in text, the fault
// is about the value at that position.
func (v Value) failCodec(text string, err error) {
	message, offset := trimProto(err.Error(), text)
	reason := " (" + words.Cut(message, jsontape.LongestKey) + ")"
	root, bad := jsontext.Parse(text, jsontext.MaxDepth)
	inner, pointer, inKey := root, "", false
	if offset >= 0 && bad == nil {
		inner, pointer, inKey = nodeAt(root, offset)
	}
	if inner == root {
		v.Fail("another value" + reason)
		return
	}
	expected, found := "another value"+reason, jsonschema.Found(inner)
	if inKey {
		expected, found = "another key"+reason, "the key "+jsontext.CutLiteral(inner.Key, jsontext.LongestShown)
	}
	if v.d.faults.countFault() {
		v.d.addFault(placeOf(v.at), v.d.tape.Pointer(v.at)+pointer, expected, found)
	}
}

// nodeAt returns the innermost value in n that contains an offset of the text, with its JSON Pointer. If the offset is
// in the key of a member, it returns that member, and true.
func nodeAt(n *jsontext.Node, offset int) (inner *jsontext.Node, pointer string, inKey bool) {
	for i, m := range n.Items {
		from, token := m.Start, "/"+strconv.Itoa(i)
		if n.Is(jsontext.Object) {
			from, token = m.KeySpan.Start, string(jsontape.AppendToken(nil, m.Name()))
		}
		if int(from) <= offset && offset < int(m.End) {
			inner, pointer, inKey = nodeAt(m, offset)
			return inner, token + pointer, inKey || offset < int(m.KeySpan.End)
		}
	}
	return n, "", false
}

// trimProto removes the prefix of error messages of package protojson: "proto:", a normal or
// non-breaking space, and a position in text. It returns the position as an offset, or -1 if there is none.
func trimProto(message, text string) (trimmed string, offset int) {
	rest, ok := strings.CutPrefix(message, "proto:")
	if !ok {
		return message, -1
	}
	rest = strings.TrimLeft(rest, " \u00a0")
	position, message, _ := strings.Cut(rest, "): ")
	numbers, ok := strings.CutPrefix(position, "(line ")
	first, second, _ := strings.Cut(numbers, ":")
	line, err := strconv.Atoi(first)
	column, err2 := strconv.Atoi(second)
	if !ok || err != nil || err2 != nil {
		return rest, -1
	}
	return message, offsetOf(text, line, column)
}

// offsetOf returns the offset of a line and a column in text. Both begin at 1, and columns count runes. It returns -1
// if text is too short.
func offsetOf(text string, line, column int) int {
	from := 0
	for ; line > 1; line-- {
		n := strings.IndexByte(text[from:], '\n')
		if n < 0 {
			return -1
		}
		from += n + 1
	}
	for i := range text[from:] {
		if column--; column == 0 {
			return from + i
		}
	}
	return -1
}

// CheckerOf converts a function that only checks values to a reader for [Slice] and [Map].
func CheckerOf(check func(Value)) func(Value) struct{} {
	return func(v Value) (none struct{}) {
		check(v)
		return none
	}
}

// CheckInt checks an integer with the given number of bits. It may also be in a string.
func CheckInt(v Value, bits int) { checkNumber(v, func(v Value) { v.readSigned(bits) }) }

// CheckUint is like [CheckInt] for an unsigned integer.
func CheckUint(v Value, bits int) { checkNumber(v, func(v Value) { v.readUnsigned(bits) }) }

// CheckFloat checks a number with the given number of bits. It may also be in a string, or be one of the strings
// NaN, Infinity and -Infinity.
func CheckFloat(v Value, bits int) {
	if text, ok := v.stringText(); ok && (text == "NaN" || text == "Infinity" || text == "-Infinity") {
		return
	}
	checkNumber(v, func(v Value) { v.readFloat(bits) })
}

func checkNumber(v Value, check func(Value)) {
	if v.entryOfKind(jsontape.String) != nil {
		Quoted(v, CheckerOf(check))
	} else {
		check(v)
	}
}

// CheckEnum checks that v is one of the names in the table or any 32-bit integer.
func CheckEnum(v Value, table []string) {
	if v.entryOfKind(jsontape.Number) != nil {
		v.readSigned(32)
	} else {
		v.Enum(table)
	}
}

// An insertedMember is an absent member whose default is inserted into the text of an object.
type insertedMember struct{ name, alias, text string }

// appendText appends the JSON of a value. It copies the text of the value, except that it inserts defaults and
// replaces references to variables.
func (d *Decoder) appendText(b []byte, at int) []byte {
	e := d.tape.EntryAt(at)
	if d.inserted == nil && d.variables == nil {
		return append(b, d.tape.Text(e)...)
	}
	switch e.Kind {
	case jsontape.Array:
		b = append(b, '[')
		for i := at + 1; i < int(e.Next); i = d.tape.EndOf(i) {
			b = append(d.appendText(b, i), ',')
		}
		return closeText(b, ']')
	case jsontape.Object:
		b = append(b, '{')
		added := d.inserted[at]
		for key := range d.tape.Keys(at) {
			k := d.tape.EntryAt(key)
			if slices.ContainsFunc(added, func(m insertedMember) bool { return d.tape.HasText(k, m.name) || d.tape.HasText(k, m.alias) }) {
				continue // the default replaces a null
			}
			b = append(append(b, d.tape.Text(k)...), ':')
			b = append(d.appendText(b, key+1), ',')
		}
		for _, m := range added {
			b = append(append(append(append(b, '"'), m.name...), `":`...), m.text...)
			b = append(b, ',')
		}
		return closeText(b, '}')
	}
	return append(b, d.tape.Text(e)...)
}

// closeText appends a closing bracket. If b ends with a comma, the bracket replaces it.
func closeText(b []byte, bracket byte) []byte {
	if last := len(b) - 1; b[last] == ',' {
		b[last] = bracket
		return b
	}
	return append(b, bracket)
}

// A Selection lists the members that are written, for each kind of JSON object. Its first element lists those of
// the outermost object. If the outermost value is an array, the first element applies to each object in it.
type Selection [][]Member

// extensions is the Name of a Member that selects all extensions, because their names begin with this text.
const extensions = "["

// A Member selects a member of an object.
type Member struct {
	Name   string // "" selects all members, "[" all extensions of a message of Protocol Buffers
	Object int    // index of the element of the Selection that applies to the objects in the value of the member, or Whole
}

// Whole is the Object of a Member whose value is written completely.
const Whole = -1

// Marshal writes the JSON that marshal returns, without white space and only with the selected members. A nil
// selection selects everything.
func Marshal(e *Encoder, lead string, selected Selection, marshal func() ([]byte, error)) {
	if !e.text.ok() {
		return
	}
	text, err := marshal()
	switch {
	case err != nil:
		e.text.failValue(lead, err)
	case selected == nil:
		e.RawJSON(lead, text)
	default:
		if n, bad := jsontext.Parse(string(text), e.text.remainingDepth()); bad == nil { // otherwise RawJSON reports why
			selected.filter(n, 0)
			text = n.Append(nil)
		}
		e.RawJSON(lead, text)
	}
}

// matches reports whether m selects a member.
func (m Member) matches(member *jsontext.Node) bool {
	switch m.Name {
	case "":
		return true
	case extensions:
		return strings.HasPrefix(member.Name(), extensions)
	}
	return member.Name() == m.Name
}

// filter removes the members that are not selected from a value. object is an index in the selection. The element
// there applies to the value or, if the value is an array, to the objects in it.
func (s Selection) filter(n *jsontext.Node, object int) {
	if object == Whole {
		return
	}
	var kept []*jsontext.Node
	for _, x := range n.Items {
		if n.Is(jsontext.Array) {
			s.filter(x, object)
			kept = append(kept, x)
		} else if i := slices.IndexFunc(s[object], func(m Member) bool { return m.matches(x) }); i >= 0 {
			s.filter(x, s[object][i].Object)
			kept = append(kept, x)
		}
	}
	n.Items = kept
}
