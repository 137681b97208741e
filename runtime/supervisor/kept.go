package supervisor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// lost returns an error if repaired lacks a value that can be read in what the
// model wrote and that the schema allows in its place, apart from faults. Where
// the text was cut off, a value may go on where it ended.
func lost(original string, repaired, s json.RawMessage, faults ...tool.Fault) error {
	read, err := repair.JSON(original, s)
	if err != nil {
		return nil // nothing in it can be read
	}
	k := keeper{refused: map[string]bool{}, cutOff: read.Truncated}
	var bad *schema.Error
	if errors.As(schema.Validate(s, read.Value), &bad) {
		for _, f := range bad.Faults {
			k.refused[f.Pointer] = true
		}
	}
	for _, f := range faults {
		k.refused[f.Pointer] = true
	}
	k.walk("", decode(read.Value), decode(repaired))
	if len(k.missing) > 0 {
		return fmt.Errorf("what was right before must stay as it was: %s", strings.Join(k.missing, ", "))
	}
	return nil
}

// keeper compares a value with its repair.
type keeper struct {
	refused map[string]bool // pointers of what the schema does not allow before
	cutOff  bool
	missing []string // pointers of what should be there after, and is not
}

func (k *keeper) walk(at string, before, after any) {
	if k.refused[at] {
		return
	}
	switch b := before.(type) {
	case map[string]any:
		a, _ := after.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(b)) {
			k.walk(at+"/"+escape.Replace(name), b[name], a[name])
		}
	case []any:
		a, _ := after.([]any)
		for i := range b {
			var value any
			if i < len(a) {
				value = a[i]
			}
			k.walk(at+"/"+strconv.Itoa(i), b[i], value)
		}
	default:
		was, is := strings.TrimSpace(fmt.Sprint(before)), strings.TrimSpace(fmt.Sprint(after))
		longer := k.cutOff && strings.HasPrefix(is, was)
		if before != nil && was != is && !longer && !sameNumber(before, after) {
			k.missing = append(k.missing, at)
		}
	}
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
