package supervisor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

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
	k := keeper{refused: map[string]bool{}, text: read.Value, before: json.NewDecoder(bytes.NewReader(read.Value)), cutOff: read.Truncated, end: strings.TrimRight(original, " \t\r\n")}
	k.before.UseNumber()
	var bad *schema.Error
	if errors.As(schema.Validate(s, read.Value), &bad) {
		for _, f := range bad.Faults {
			k.refused[f.Pointer] = true
		}
	}
	for _, f := range faults {
		k.refused[f.Pointer] = true
	}
	k.walk("", decode(repaired))
	if len(k.missing) > 0 {
		return fmt.Errorf("what was right before must stay as it was: %s", strings.Join(k.missing, ", "))
	}
	return nil
}

// keeper compares a value with its repair.
type keeper struct {
	refused map[string]bool // pointers of what the schema does not allow before
	text    json.RawMessage // the value before
	before  *json.Decoder   // of that
	cutOff  bool
	end     string   // where what the model wrote was cut off
	missing []string // pointers of what should be there after, and is not, or the other way round
}

// walk compares the value that comes next before with the one after.
func (k *keeper) walk(at string, after any) {
	if k.refused[at] {
		k.before.Decode(new(json.RawMessage))
		return
	}
	token, err := k.before.Token()
	switch token {
	case json.Delim('{'):
		a, _ := after.(map[string]any)
		for k.before.More() {
			name, _ := k.before.Token()
			text, _ := name.(string)
			k.walk(at+"/"+escape.Replace(text), a[text])
		}
		k.before.Token()
	case json.Delim('['):
		a, _ := after.([]any)
		i := 0
		for ; k.before.More(); i++ {
			var value any
			if i < len(a) {
				value = a[i]
			}
			k.walk(at+"/"+strconv.Itoa(i), value)
		}
		k.before.Token()
		if i < len(a) && !k.unclosed() {
			k.missing = append(k.missing, at+"/"+strconv.Itoa(i))
		}
	default:
		if err != nil || !k.keeps(token, after) {
			k.missing = append(k.missing, at)
		}
	}
}

// keeps tells whether a value without parts, the last that was read, is still
// there after.
func (k *keeper) keeps(before, after any) bool {
	last := k.cutOff && len(bytes.TrimLeft(k.text[k.before.InputOffset():], "]}")) == 0
	switch {
	case before == nil:
		return after == nil || last && strings.HasSuffix(k.end, ":")
	case after == nil:
		return false
	}
	was, is := strings.TrimSpace(fmt.Sprint(before)), strings.TrimSpace(fmt.Sprint(after))
	return was == is || sameNumber(before, after) || last && strings.HasPrefix(is, was) && endsIn(k.end, was)
}

// unclosed tells whether a list, the last that was read, was cut off: all that
// follows it are brackets that close, and they and its own are more than there are
// at the end of what the model wrote.
func (k *keeper) unclosed() bool {
	rest := k.text[k.before.InputOffset():]
	if !k.cutOff || len(bytes.TrimLeft(rest, "]}")) > 0 {
		return false
	}
	written := len(k.end) - len(strings.TrimRight(k.end, "]}"))
	all := len(k.text) - len(bytes.TrimRight(k.text, "]}"))
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

// sameNumber tells whether two values are one number in two spellings, such as
// 3.0 and 3, as far as that needs no more digits than a float has.
func sameNumber(a, b any) bool {
	before, isNumber := a.(json.Number)
	after, both := b.(json.Number)
	if !isNumber || !both || len(before) > 15 || len(after) > 15 {
		return false
	}
	x, notX := before.Float64()
	y, notY := after.Float64()
	return notX == nil && notY == nil && x == y
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")

// decode returns the value of valid JSON, with numbers as they are written.
func decode(raw json.RawMessage) (value any) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return nil
	}
	return value
}
