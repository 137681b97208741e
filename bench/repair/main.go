// Repair reads the corpora of package repair with that package and with its peers,
// and prints the table of the README of this module, in Markdown: what is read as
// it was meant, what is read as something else, and how long it takes. Run it in
// the folder of the module.
//
//	go run ./repair
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math/big"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/kaptinlin/jsonrepair"

	"github.com/aiongen/aiongen/runtime/repair"
)

// A peer reads malformed output.
type peer struct {
	name  string
	value func(text string) (value []byte, truncated bool, err error)
	calls func(text string) ([]call, error)
}

type call struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

var peers = []peer{
	{"encoding/json", strict, inValue(strict)},
	{"kaptinlin/jsonrepair", kaptinlin, inValue(kaptinlin)},
	{"aiongen, `runtime/repair`", aiongen, aiongenCalls},
}

func strict(text string) ([]byte, bool, error) {
	if !json.Valid([]byte(text)) {
		return nil, false, errors.New("not valid")
	}
	return []byte(text), false, nil
}

func kaptinlin(text string) ([]byte, bool, error) {
	value, err := jsonrepair.Repair(text)
	return []byte(value), false, err
}

func aiongen(text string) ([]byte, bool, error) {
	result, err := repair.JSON(text, nil)
	return result.Value, result.Truncated, err
}

func aiongenCalls(text string) (calls []call, err error) {
	requests, err := repair.Requests(text)
	for _, r := range requests {
		arguments := r.Arguments
		if len(arguments) == 0 {
			arguments = json.RawMessage("{}")
		}
		calls = append(calls, call{r.Name, arguments})
	}
	return calls, err
}

// inValue is what a program does that has a reader of values: it takes one for a
// call or for a list of calls, and what is none for no calls.
func inValue(read func(string) ([]byte, bool, error)) func(string) ([]call, error) {
	return func(text string) ([]call, error) {
		value, _, err := read(text)
		if err != nil {
			return nil, err
		}
		var one call
		if json.Unmarshal(value, &one) == nil && one.Name != "" {
			return []call{one}, nil
		}
		var several []call
		if json.Unmarshal(value, &several) != nil || slices.ContainsFunc(several, func(c call) bool { return c.Name == "" }) {
			return nil, errors.New("no calls")
		}
		return several, nil
	}
}

// An entry is one of the corpora; see runtime/repair/testdata/README.md.
type entry struct {
	ID, Tier, Kind, Input string
	Expect                json.RawMessage
	Accept                []json.RawMessage
	Truncated, Error      bool
}

func main() {
	log.SetFlags(0)
	entries, err := load()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("| who | values: core | heuristic | wild | read as something else | cut off, unmarked | calls | µs a case | 32 KiB at worst, ms | 1 MiB at worst, ms |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, p := range peers {
		r := p.read(entries)
		shape, small := p.worst(32 << 10)
		large := "–"
		if small < 100*time.Millisecond {
			_, t := p.worst(1 << 20)
			large = fmt.Sprintf("%.0f", ms(t))
		}
		fmt.Printf("| %s | %s | %s | %s | %s | %d of %d | %s | %.1f | %.1f (`%s`…) | %s |\n", p.name, r.rate["core"], r.rate["heur"], r.rate["wild"],
			r.wrong, r.unmarked, r.cut, r.calls, float64(r.time.Nanoseconds())/1e3/float64(r.wrong.all), ms(small), shape, large)
	}
}

func load() (entries []entry, err error) {
	for _, name := range []string{"repair", "wild"} {
		text, err := os.ReadFile("../runtime/repair/testdata/" + name + ".jsonl")
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(text) {
			var e entry
			if err := json.Unmarshal(line, &e); err != nil {
				return nil, err
			}
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// A share is how many of all.
type share struct{ some, all int }

func (s *share) count(one bool) {
	s.all++
	if one {
		s.some++
	}
}

func (s share) String() string { return fmt.Sprintf("%.1f %%", 100*float64(s.some)/float64(s.all)) }

// A result is what a peer makes of the corpora.
type result struct {
	rate          map[string]*share // of values that are right, by tier
	wrong         share             // that are another value, without an error
	calls         share             // that are right
	cut, unmarked int               // values that were cut off
	time          time.Duration     // for all values
}

func (p peer) read(entries []entry) result {
	r := result{rate: map[string]*share{"core": {}, "heur": {}, "wild": {}}}
	for _, e := range entries {
		if e.Kind == "calls" {
			r.calls.count(p.rightCalls(e))
			continue
		}
		value, truncated, err := p.value(e.Input)
		right := err != nil
		if !e.Error {
			right = err == nil && oneOf(value, append(e.Accept, e.Expect))
		}
		r.rate[e.Tier].count(right)
		r.wrong.count(err == nil && !right)
		if e.Truncated {
			r.cut++
			if err == nil && !truncated {
				r.unmarked++
			}
		}
		r.time += p.fastest(e.Input)
	}
	return r
}

func (p peer) rightCalls(e entry) bool {
	var want []call
	if json.Unmarshal(e.Expect, &want) != nil {
		return false
	}
	got, err := p.calls(e.Input)
	if len(want) == 0 {
		return err != nil
	}
	return slices.EqualFunc(got, want, func(g, w call) bool {
		return g.Name == w.Name && oneOf(g.Arguments, []json.RawMessage{w.Arguments})
	})
}

// fastest returns the shortest time in which a text was read, of five times or, if
// that is long, of one.
func (p peer) fastest(text string) time.Duration {
	best := time.Duration(1 << 62)
	for range 5 {
		start := time.Now()
		p.value(text)
		best = min(best, time.Since(start))
		if best > time.Second/10 {
			break
		}
	}
	return best
}

// shapes are texts that are made to be slow, each a unit that is repeated.
var shapes = []string{"[", `{"a":`, `"`, `\`, "```json ", `[1,`, `{'a': "b" `, "<tool_call>", `a `, `["a" /*`, `{"a": "b, `}

// worst returns the shape that takes longest to read at a size.
func (p peer) worst(size int) (shape string, longest time.Duration) {
	for _, s := range shapes {
		if t := p.fastest(strings.Repeat(s, size/len(s))); t > longest {
			shape, longest = s, t
		}
	}
	return shape, longest
}

func ms(t time.Duration) float64 { return float64(t) / float64(time.Millisecond) }

// oneOf tells whether JSON has one of several values; numbers are compared by
// value.
func oneOf(got []byte, wanted []json.RawMessage) bool {
	value, ok := decode(got)
	return ok && slices.ContainsFunc(wanted, func(want json.RawMessage) bool {
		w, ok := decode(want)
		return ok && reflect.DeepEqual(value, w)
	})
}

func decode(text []byte) (v any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err := d.Decode(&v)
	return exact(v), err == nil && json.Valid(text)
}

// exact replaces numbers by their values.
func exact(v any) any {
	switch v := v.(type) {
	case json.Number:
		if r, ok := new(big.Rat).SetString(v.String()); ok {
			return r.String()
		}
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
