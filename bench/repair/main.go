// Repair reads the corpora of package repair with that package and with similar libraries, and prints the
// table of this module's README in Markdown: how many texts are read as intended, how many are read as
// another value, and how long it takes. Run it in the folder of the module.
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
	{"encoding/json", readStrict, callsFromValue(readStrict)},
	{"kaptinlin/jsonrepair", readKaptinlin, callsFromValue(readKaptinlin)},
	{"aiongen, `runtime/repair`", readAiongen, readAiongenCalls},
}

func readStrict(text string) ([]byte, bool, error) {
	if !json.Valid([]byte(text)) {
		return nil, false, errors.New("not valid")
	}
	return []byte(text), false, nil
}

func readKaptinlin(text string) ([]byte, bool, error) {
	value, err := jsonrepair.Repair(text)
	return []byte(value), false, err
}

func readAiongen(text string) ([]byte, bool, error) {
	result, err := repair.JSON(text, nil)
	return result.Value, result.Truncated, err
}

func readAiongenCalls(text string) (calls []call, err error) {
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

// callsFromValue parses calls with a function that reads values: the value must be one call or a list of
// calls, otherwise there are no calls.
func callsFromValue(read func(string) ([]byte, bool, error)) func(string) ([]call, error) {
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

// An entry is a line of the corpora; see runtime/repair/testdata/README.md.
type entry struct {
	ID, Tier, Kind, Input string
	Expect                json.RawMessage
	Accept                []json.RawMessage
	Truncated, Error      bool
}

func main() {
	log.SetFlags(0)
	entries, err := loadEntries()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("| who | values: core | heuristic | wild | read as something else | cut off, unmarked | calls | µs a case | 32 KiB at worst, ms | 1 MiB at worst, ms |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, p := range peers {
		r := p.measureEntries(entries)
		shape, small := p.findSlowest(32 << 10)
		large := "–"
		if small < 100*time.Millisecond {
			_, t := p.findSlowest(1 << 20)
			large = fmt.Sprintf("%.0f", milliseconds(t))
		}
		fmt.Printf("| %s | %s | %s | %s | %s | %d of %d | %s | %.1f | %.1f (`%s`…) | %s |\n", p.name, r.rate["core"], r.rate["heur"], r.rate["wild"],
			r.wrong, r.unmarked, r.cut, r.calls, float64(r.time.Nanoseconds())/1e3/float64(r.wrong.all), milliseconds(small), shape, large)
	}
}

func loadEntries() (entries []entry, err error) {
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

// A share is a number of cases out of all.
type share struct{ some, all int }

func (s *share) countOne(one bool) {
	s.all++
	if one {
		s.some++
	}
}

func (s share) String() string { return fmt.Sprintf("%.1f %%", 100*float64(s.some)/float64(s.all)) }

// A result has the counts of a peer for the corpora.
type result struct {
	rate          map[string]*share // correct values, by tier
	wrong         share             // wrong values without an error
	calls         share             // correct lists of calls
	cut, unmarked int               // truncated values, and how many of them were not reported as such
	time          time.Duration     // for all values
}

func (p peer) measureEntries(entries []entry) result {
	r := result{rate: map[string]*share{"core": {}, "heur": {}, "wild": {}}}
	for _, e := range entries {
		if e.Kind == "calls" {
			r.calls.countOne(p.hasRightCalls(e))
			continue
		}
		value, truncated, err := p.value(e.Input)
		right := err != nil
		if !e.Error {
			right = err == nil && equalsAny(value, append(e.Accept, e.Expect))
		}
		r.rate[e.Tier].countOne(right)
		r.wrong.countOne(err == nil && !right)
		if e.Truncated {
			r.cut++
			if err == nil && !truncated {
				r.unmarked++
			}
		}
		r.time += p.measureFastest(e.Input)
	}
	return r
}

func (p peer) hasRightCalls(e entry) bool {
	var want []call
	if json.Unmarshal(e.Expect, &want) != nil {
		return false
	}
	got, err := p.calls(e.Input)
	if len(want) == 0 {
		return err != nil
	}
	return slices.EqualFunc(got, want, func(g, w call) bool {
		return g.Name == w.Name && equalsAny(g.Arguments, []json.RawMessage{w.Arguments})
	})
}

// measureFastest returns the shortest time for reading a text in five attempts, or in one if that takes
// long.
func (p peer) measureFastest(text string) time.Duration {
	best := time.Duration(1 << 62)
	for range 5 {
		start := time.Now()
		_, _, _ = p.value(text) // only the time counts; it may be unreadable
		best = min(best, time.Since(start))
		if best > time.Second/10 {
			break
		}
	}
	return best
}

// slowShapes are units whose repetition may be slow to read.
var slowShapes = []string{"[", `{"a":`, `"`, `\`, "```json ", `[1,`, `{'a': "b" `, "<tool_call>", `a `, `["a" /*`, `{"a": "b, `}

// findSlowest returns the shape that takes longest to read at a size.
func (p peer) findSlowest(size int) (shape string, longest time.Duration) {
	for _, s := range slowShapes {
		if t := p.measureFastest(strings.Repeat(s, size/len(s))); t > longest {
			shape, longest = s, t
		}
	}
	return shape, longest
}

func milliseconds(t time.Duration) float64 { return float64(t) / float64(time.Millisecond) }

// equalsAny reports whether JSON equals one of several values. Numbers are compared by value.
func equalsAny(got []byte, wanted []json.RawMessage) bool {
	value, ok := decodeExact(got)
	return ok && slices.ContainsFunc(wanted, func(want json.RawMessage) bool {
		w, ok := decodeExact(want)
		return ok && reflect.DeepEqual(value, w)
	})
}

func decodeExact(text []byte) (v any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err := d.Decode(&v)
	return exactNumbers(v), err == nil && json.Valid(text)
}

// exactNumbers replaces numbers by a canonical form of their values.
func exactNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if r, ok := new(big.Rat).SetString(v.String()); ok {
			return r.String()
		}
	case []any:
		for i := range v {
			v[i] = exactNumbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = exactNumbers(v[k])
		}
	}
	return v
}
