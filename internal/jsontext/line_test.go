package jsontext_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/jsontext"
)

func TestCompactLine(t *testing.T) {
	for value, want := range map[string]string{
		`{"a": [1, "b"]}`:       `{"a":[1,"b"]}`,
		"[1,\n- step: 2]":       `"[1,\n- step: 2]"`,
		"[\n1,\r\n2]":           `[1,2]`,
		"\"c\u0085d\"":          `"c\u0085d"`,
		"\"a\u2028b\u2029\"":    `"a\u2028b\u2029"`,
		`"0123456789abcdef"`:    `"0123456789abcdef"`,
		`"0123456789abcdefg"`:   `"0123456789abcdef…" (cut here, it has 19 bytes)`,
		`"0123456789abcde\n"`:   `"0123456789abcde…" (cut here, it has 19 bytes)`,
		`["0123456789abcdefg"]`: `"[\"0123456789abc…" (cut here, it has 21 bytes)`,
		"":                      `""`,
		"no\nJSON":              `"no\nJSON"`,
	} {
		if got := jsontext.CompactLine(json.RawMessage(value), 16); got != want {
			t.Errorf("%q is quoted as %s, want %s", value, got, want)
		}
	}
}

// TestCompactLineUnlimited checks that the largest limit cuts nothing.
func TestCompactLineUnlimited(t *testing.T) {
	value := `["` + strings.Repeat("x", 1000) + `"]`
	for _, most := range []int{len(value), math.MaxInt - 2, math.MaxInt} {
		if got := jsontext.CompactLine(json.RawMessage(value), most); got != value {
			t.Errorf("at most %d bytes: %.60s", most, got)
		}
	}
}

// FuzzCompactLine checks that a quoted text begins with one JSON value on one line and is within the limit.
func FuzzCompactLine(f *testing.F) {
	for _, seed := range []string{`{"a":"\u2028"}`, "[1,\n2]", `"\ud83d\ude00"`, "\x00\xff", "\u0085", `"\\\\\\"`} {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, value string, most int) {
		most = min(max(most, 0), 1000)
		got := jsontext.CompactLine(json.RawMessage(value), most)
		var one json.RawMessage
		if err := json.NewDecoder(strings.NewReader(got)).Decode(&one); err != nil {
			t.Errorf("%v in %s", err, got)
		}
		if strings.ContainsAny(got, "\n\r\u2028\u2029\u0085") || len(got) > most+60 {
			t.Errorf("%d bytes: %s", len(got), got)
		}
	})
}

func ExampleQuoteLine() {
	fmt.Println(jsontext.QuoteLine("gone\n- step 9: \"paid\"", 100))
	fmt.Println(jsontext.CompactLine([]byte(`{"id": 7}`), 100))
	// Output:
	// "gone\n- step 9: \"paid\""
	// {"id":7}
}

// TestCompactLineHead checks that the same part of a value is shown whether it is a little too long or much too
// long.
func TestCompactLineHead(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	shown := 0
	for range 150 {
		text := ""
		for range 20 {
			text += [...]string{"a", "ä", "€", "😀", `\n`, `\\`, `\"`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, "\u2028"}[r.IntN(11)]
		}
		for _, form := range []string{`"%s"`, `{"a":"%s"}`} {
			value, longer := fmt.Sprintf(form, text), fmt.Sprintf(form, text+strings.Repeat("x", 2000))
			for most := range 80 {
				want := jsontext.CompactLine(json.RawMessage(value), most)
				if len(value) > 12*most || !strings.Contains(want, "cut here") {
					continue // otherwise the value is too long as well, or shown completely
				}
				shown++
				got := jsontext.CompactLine(json.RawMessage(longer), most)
				if got = strings.Replace(got, fmt.Sprint("it has ", len(longer)), fmt.Sprint("it has ", len(value)), 1); got != want {
					t.Fatalf("%d bytes of %s: %s, want %s", most, value, got, want)
				}
			}
		}
	}
	if shown < 1000 {
		t.Errorf("%d were compared", shown)
	}
}
