package supervisor

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// lost returns an error if repaired lacks a value that can be read in what the
// model wrote and that the schema allows in its place, apart from faults, or if a
// list has elements more. Where the text was cut off it may go on: the last value,
// if the text ends in it, and the lists that were not closed.
func lost(original string, repaired, s json.RawMessage, faults ...tool.Fault) error {
	read, err := repair.JSON(original, s)
	if err != nil {
		return nil // nothing in it can be read
	}
	k := keeper{refused: map[string]bool{}, text: string(read.Value), cutOff: read.Truncated, end: strings.TrimRight(original, " \t\r\n")}
	var bad *schema.Error
	if errors.As(schema.Validate(s, read.Value), &bad) {
		for _, f := range bad.Faults {
			k.refused[f.Pointer] = true
		}
	}
	for _, f := range faults {
		k.refused[f.Pointer] = true
	}
	before, err := jsontext.Parse(k.text, schema.MaxDepth)
	if err != nil {
		return nil
	}
	after, err := jsontext.Parse(string(repaired), schema.MaxDepth)
	if err != nil {
		return err
	}
	k.walk("", before, after)
	if len(k.missing) > 0 {
		return fmt.Errorf("what was right before must stay as it was: %s", strings.Join(k.missing, ", "))
	}
	return nil
}

// keeper compares a value with its repair.
type keeper struct {
	refused map[string]bool // pointers of what the schema does not allow before
	text    string          // of the value before
	cutOff  bool
	end     string   // where what the model wrote was cut off
	missing []string // pointers of what should be there after, and is not, or the other way round
}

// walk compares a value before with the one after, which may be nil.
func (k *keeper) walk(at string, before, after *jsontext.Node) {
	switch {
	case k.refused[at]:
	case before.Kind == jsontext.Object:
		for _, m := range before.Items {
			k.walk(jsontext.Join(at, m.Name()), m, after.Member(m.Name()))
		}
	case before.Kind == jsontext.Array:
		var list []*jsontext.Node
		if after.Is(jsontext.Array) {
			list = after.Items
		}
		for i, item := range before.Items {
			var value *jsontext.Node
			if i < len(list) {
				value = list[i]
			}
			k.walk(jsontext.JoinIndex(at, i), item, value)
		}
		if i := len(before.Items); i < len(list) && !k.unclosed(before) {
			k.missing = append(k.missing, jsontext.JoinIndex(at, i))
		}
	case !k.keeps(before, after):
		k.missing = append(k.missing, at)
	}
}

// keeps tells whether a value without parts is still there after.
func (k *keeper) keeps(before, after *jsontext.Node) bool {
	last := k.cutOff && strings.TrimLeft(k.text[before.End:], "]}") == ""
	if is := after == nil || after.Kind == jsontext.Null; before.Kind == jsontext.Null || is {
		return before.Kind == jsontext.Null && (is || last && strings.HasSuffix(k.end, ":"))
	}
	if after.Kind >= jsontext.Array {
		return false
	}
	was, is := said(before), said(after)
	return was == is || jsontext.Equal(before, after) || last && strings.HasPrefix(is, was) && endsIn(k.end, was)
}

// said returns what a value without parts says, whatever its type.
func said(n *jsontext.Node) string {
	if n.Kind == jsontext.String {
		return strings.TrimSpace(n.Str())
	}
	return n.Text
}

// unclosed tells whether a list was cut off: all that follows it are brackets that
// close, and they and its own are more than there are at the end of what the model
// wrote.
func (k *keeper) unclosed(list *jsontext.Node) bool {
	rest := k.text[list.End:]
	if !k.cutOff || strings.TrimLeft(rest, "]}") != "" {
		return false
	}
	written := len(k.end) - len(strings.TrimRight(k.end, "]}"))
	all := len(k.text) - len(strings.TrimRight(k.text, "]}"))
	return all-len(rest) > written
}

// endsIn tells whether a text ends within a value, not behind it: with the value's
// last character, or with the quote before one that has none yet.
func endsIn(text, value string) bool {
	if value == "" {
		return strings.HasSuffix(text, `"`) && !strings.HasSuffix(text, `""`)
	}
	_, size := utf8.DecodeLastRuneInString(value)
	return strings.HasSuffix(text, value[len(value)-size:])
}

// same tells whether two texts are JSON of one value.
func same(a, b json.RawMessage) bool {
	x, err := jsontext.Parse(string(a), schema.MaxDepth)
	y, other := jsontext.Parse(string(b), schema.MaxDepth)
	return err == nil && other == nil && jsontext.Equal(x, y)
}
