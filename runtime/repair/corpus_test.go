package repair_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"math/big"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// entry is an entry of the corpus of malformed output; see testdata/README.md.
type entry struct {
	ID, Tier, Kind, Input string
	Expect                json.RawMessage
	Accept                []json.RawMessage
	Truncated, Error      bool
}

// call is an expected call.
type call struct {
	Name      string
	Arguments json.RawMessage
}

// outputs are the corpora of malformed output.
func outputs() []entry { return append(load[entry]("repair.jsonl"), load[entry]("wild.jsonl")...) }

// TestValues measures the share of values that are read as intended. A truncated value must be marked,
// and missing JSON must not become a value.
func TestValues(t *testing.T) {
	r := rates{}
	for _, e := range outputs() {
		if e.Kind != "value" {
			continue
		}
		got, err := repair.JSON(e.Input, nil)
		right := err == nil && !e.Error && oneOf(got.Value, append(e.Accept, e.Expect)) && (got.Truncated || !e.Truncated)
		if e.Error {
			if right = err != nil; !right {
				t.Errorf("%s: %q: %s of nothing", e.ID, e.Input, got.Value)
			}
		}
		r.count(e.Tier, right)
		if !right {
			t.Logf("%s: %q: %s, %v", e.ID, e.Input, got.Value, err)
		}
	}
	r.goal(t, "core", 98)
	r.goal(t, "heur", 75)
	r.goal(t, "wild", 100)
}

// TestInvents checks that the contents of strings and numbers occur in the text, in the same order.
func TestInvents(t *testing.T) {
	said := func(text string) string {
		return strings.Map(func(c rune) rune {
			if unicode.IsLetter(c) || unicode.IsDigit(c) {
				return c
			}
			return -1
		}, text)
	}
	count := 0
	for _, e := range outputs() {
		got, err := repair.JSON(e.Input, nil)
		if err != nil || strings.Contains(e.Input, `\`) || strings.Contains(e.Input, "0x") { // spelled differently
			continue
		}
		for _, leaf := range leaves(decode(got.Value)) {
			rest := said(e.Input)
			count++
			for _, c := range said(leaf) {
				_, behind, ok := strings.Cut(rest, string(c))
				if rest = behind; !ok {
					t.Errorf("%s: %q: %s", e.ID, e.Input, leaf)
					break
				}
			}
		}
	}
	t.Logf("%d strings and numbers", count)
}

// leaves returns the contents of the strings and numbers in a value.
func leaves(v any) (all []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case json.Number:
		return []string{strings.Trim(v.String(), "-0")} // .5 is 0.5
	case []any:
		for _, e := range v {
			all = append(all, leaves(e)...)
		}
	case map[string]any:
		for key, e := range v {
			all = append(append(all, key), leaves(e)...)
		}
	}
	return all
}

// TestCalls measures the share of replies whose calls are all read as intended, including the marks of
// truncated ones.
func TestCalls(t *testing.T) {
	r := rates{}
	for _, e := range outputs() {
		if e.Kind != "calls" {
			continue
		}
		var want []call
		if err := json.Unmarshal(e.Expect, &want); err != nil {
			t.Fatal(err)
		}
		got, err := repair.Requests(e.Input)
		problem := describeDifference(got, want, e.Truncated)
		right := problem == "" && (err == nil) == (len(want) > 0)
		r.count(e.Tier, right)
		if !right {
			t.Logf("%s: %q: %s, %v", e.ID, e.Input, problem, err)
		}
	}
	r.goal(t, "core", 97)
	r.goal(t, "heur", 75)
	r.goal(t, "wild", 100)
}

// TestCoerce measures the share of arguments of wrong types that are read as intended, or refused if
// they are ambiguous.
func TestCoerce(t *testing.T) {
	r := rates{}
	for _, e := range load[struct {
		ID, Tier              string
		Schema, Input, Expect json.RawMessage
		Accept                []json.RawMessage
		Error                 bool
	}]("coerce.jsonl") {
		got, err := repair.Arguments(string(e.Input), e.Schema)
		accept := e.Accept
		if !e.Error {
			accept = append(accept, e.Expect)
		}
		right := err == nil && oneOf(got.Value, accept) || err != nil && e.Error
		r.count(e.Tier, right)
		if !right {
			t.Logf("%s: %s: %s, %v", e.ID, e.Input, got.Value, err)
		}
	}
	r.goal(t, "core", 100)
	r.goal(t, "heur", 75)
}

// TestReferences checks that correct arguments are not changed.
func TestReferences(t *testing.T) {
	for _, r := range references() {
		for _, c := range r.Calls {
			i := slices.IndexFunc(r.Functions, func(f function) bool { return f.Name == c.Name })
			got, err := repair.Arguments(string(c.Arguments), r.Functions[i].Parameters)
			if err != nil || string(got.Value) != string(c.Arguments) || len(got.Edits) > 0 {
				t.Errorf("%s: %s: %s %v %v", r.ID, c.Arguments, got.Value, got.Edits, err)
			}
		}
	}
}

// reference is an entry of the corpus of correct calls.
type reference struct {
	ID        string
	Functions []function
	Calls     []call
}

type function struct {
	Name       string
	Parameters json.RawMessage
}

func (r reference) definitions() (all []tool.Definition) {
	for _, f := range r.Functions {
		all = append(all, tool.Definition{Name: f.Name, Input: f.Parameters})
	}
	return all
}

// describeDifference describes how calls differ from the expected ones; "" if they do not.
func describeDifference(got []tool.Request, want []call, truncated bool) string {
	if len(got) != len(want) {
		return formatRequests(got, nil)
	}
	for i, g := range got {
		arguments := g.Arguments
		if len(arguments) == 0 {
			arguments = json.RawMessage("{}")
		}
		if g.Name != want[i].Name || g.Truncated != truncated || !oneOf(arguments, []json.RawMessage{want[i].Arguments}) {
			return formatRequests(got, nil)
		}
	}
	return ""
}

var all = flag.Bool("all", false, "read all that is made of the reference calls, not a sample")

// sample returns every fifth entry from the nth on, or all of them.
func sample[T any](n int, entries []T) (some []T) {
	if *all {
		return entries
	}
	step := 5
	if testing.Short() {
		step = 25
	}
	for i := n % step; i < len(entries); i += step {
		some = append(some, entries[i])
	}
	return some
}

// references returns the correct calls.
var references = sync.OnceValue(func() []reference { return load[reference]("bfcl_calls.jsonl") })

// load reads a corpus.
func load[T any](name string) (entries []T) {
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		panic(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e T
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			panic(err)
		}
		entries = append(entries, e)
	}
	if len(entries) == 0 {
		panic(name + " is empty")
	}
	return entries
}

// oneOf reports whether JSON has one of several values. Numbers are compared exactly.
func oneOf(got json.RawMessage, wanted []json.RawMessage) bool {
	return json.Valid(got) && slices.ContainsFunc(wanted, func(want json.RawMessage) bool {
		return compact(got) == compact(want) || reflect.DeepEqual(exact(decode(got)), exact(decode(want)))
	})
}

// compact returns JSON without blanks.
func compact(text json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		panic(err)
	}
	return b.String()
}

// decode parses JSON and keeps numbers as they are written.
func decode(b []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		panic(err)
	}
	return v
}

// exact replaces numbers with exact values.
func exact(v any) any {
	switch v := v.(type) {
	case json.Number:
		r, ok := new(big.Rat).SetString(v.String())
		if !ok {
			panic(v)
		}
		return json.Number(r.String())
	case []any:
		for i := range v {
			v[i] = exact(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = exact(v[k])
		}
	}
	return v
}

// rates counts correct and all entries by tier.
type rates map[string]*struct{ right, all int }

func (r rates) count(tier string, right bool) {
	if r[tier] == nil {
		r[tier] = new(struct{ right, all int })
	}
	r[tier].all++
	if right {
		r[tier].right++
	}
}

// goal fails the test if less than a percentage of a tier is correct.
func (r rates) goal(t *testing.T, tier string, percent int) {
	t.Helper()
	n := r[tier]
	t.Logf("%s: %d of %d right, %.1f %%", tier, n.right, n.all, 100*float64(n.right)/float64(n.all))
	if 100*n.right < percent*n.all {
		t.Errorf("%s: less than %d %% right", tier, percent)
	}
}
