package wire

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// Quoted reads a string that contains a JSON value, as encoding/json does for the tag option ",string".
func Quoted[T any](v Value, read func(Value) T) (x T) {
	return readQuoted(v, read, func(string) bool { return true })
}

// QuotedInt is like [Quoted] for integers. It accepts only digits with an optional minus sign, such as 50 and -3,
// but not 5e1, 50.0 or -0.
func QuotedInt[T any](v Value, read func(Value) T) T {
	return readQuoted(v, read, func(text string) bool { return text != "-0" && !strings.ContainsAny(text, ".eE") })
}

// readQuoted reads the value in a string; isValid checks the text of the value.
func readQuoted[T any](v Value, read func(Value) T, isValid func(text string) bool) (x T) {
	if v.d == nil {
		return x
	}
	inner := Decoder{inString: true}
	text, _ := v.stringText()
	root := inner.Read([]byte(text), &Limits{Arguments: len(text), Depth: 1}, nil, false)
	broken := text == "" || !root.Ok() || strings.TrimSpace(text) != text || !isValid(text)
	if broken {
		inner = Decoder{inString: true} // read null instead, so that read records what it expects
		root = inner.Read([]byte("null"), &Limits{Arguments: len("null"), Depth: 1}, nil, false)
	}
	if x = read(root); broken && inner.faults.countAll() == 0 {
		root.Fail("a JSON value")
	}
	if inner.faults.countAll() > 0 {
		expected := inner.faults.sortedFaults()[0].Expected
		if !strings.HasSuffix(expected, "(strings)") && !strings.HasPrefix(expected, "the string ") {
			expected = words.InString(expected)
		}
		v.Fail(expected)
	}
	return x
}

// EncodeQuoted writes x with elem, and puts the JSON into a string.
func EncodeQuoted[T any](e *Encoder, lead string, x T, elem func(*Encoder, string, T)) {
	if !e.text.begin(lead) || !e.text.begin("") { // the second call drops the lead if it exceeds the limit
		return
	}
	start := len(e.text.b)
	if elem(e, "", x); e.text.ok() {
		inner := string(e.text.b[start:])
		e.text.b = jsontext.AppendQuoted(e.text.b[:start], inner)
	}
}
