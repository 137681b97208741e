package corpus_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

var calls = flag.Int("calls", 100, "with how many arguments TestWords calls each tool")

// TestWords calls all tools of all golden packages with arguments of which most are
// wrong, and so tools of the same schemas that were made by hand: both say the same,
// word for word.
func TestWords(t *testing.T) {
	all := goldens(t)
	count, refused := 0, 0
	for i, name := range slices.Sorted(maps.Keys(all)) {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		for _, generated := range all[name] {
			if bytes.Contains(generated.Definition().Input, []byte("<<var:")) {
				continue // what a reference stands for is known to scopes alone
			}
			pair := newPair(t, generated)
			for range *calls {
				text := mutate(r, pair.sample(r).String())
				count++
				if pair.compare(t, name, text) {
					refused++
				}
			}
		}
	}
	t.Logf("%d calls, %d refused", count, refused)
	if refused < count/2 {
		t.Errorf("only %d of %d calls were refused", refused, count)
	}
}

// pair is a tool, and one of the same schemas that no code was generated for.
type pair struct {
	schema             *jsonschema.Schema
	generated, dynamic *tool.Registry
	name               string
	scoped             bool // it is called with a scope
}

func newPair(t *testing.T, generated tool.Tool) pair {
	t.Helper()
	d := generated.Definition()
	s, err := jsonschema.Parse(d.Input)
	if err != nil {
		t.Fatal(err)
	}
	d.Example = nil
	dynamic, err := schema.Dynamic(d, func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, errors.New("it ran") })
	if err != nil {
		t.Fatal(err)
	}
	p := pair{schema: s, generated: tool.NewRegistry(), dynamic: tool.NewRegistry(), name: d.Name}
	if err := errors.Join(p.generated.Register(generated), p.dynamic.Register(dynamic)); err != nil {
		t.Fatal(err)
	}
	_, p.scoped = errors.AsType[*tool.ScopeError](p.check(t, p.generated, `{}`))
	return p
}

// check returns what a tool says of arguments.
func (p pair) check(t *testing.T, r *tool.Registry, arguments string) error {
	t.Helper()
	call, err := r.Match(tool.Request{Name: p.name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	if p.scoped {
		ctx = tool.WithScope(ctx, tool.NewScope())
	}
	return call.Check(ctx)
}

// faults returns what a tool says is wrong with arguments.
func (p pair) faults(t *testing.T, r *tool.Registry, arguments string) []tool.Fault {
	t.Helper()
	err := p.check(t, r, arguments)
	if wrong, ok := errors.AsType[*tool.ArgumentError](err); ok {
		return wrong.Faults
	}
	if err != nil {
		t.Fatalf("%s: %s: %v", p.name, arguments, err)
	}
	return nil
}

// compare holds what both say of arguments against each other, and reports whether
// they were refused.
func (p pair) compare(t *testing.T, golden, text string) bool {
	t.Helper()
	like, ok := p.present(text)
	if !ok {
		return true
	}
	generated, dynamic := p.faults(t, p.generated, text), p.faults(t, p.dynamic, like)
	refused := generated != nil
	repeated := repeated(dynamic)
	open := slices.Concat(untold[golden], untold[golden+"/"+p.name])
	generated, dynamic = told(generated, repeated, open), told(dynamic, repeated, open)
	if repeated != nil {
		slices.SortFunc(generated, byText)
		slices.SortFunc(dynamic, byText)
	}
	ours, theirs := except(generated, dynamic, narrower), except(dynamic, generated, wider)
	if !slices.Equal(ours, theirs) {
		t.Errorf("%s/%s: %s\n generated: %s\n by schema: %s", golden, p.name, text, join(ours), join(theirs))
	}
	return refused
}

func byText(a, b tool.Fault) int { return strings.Compare(a.String(), b.String()) }

const again = "each key once"

// repeated are the places of members that are there again. Which of those with one name
// is read, and so which of them is told of, is not said.
func repeated(faults []tool.Fault) (pointers []string) {
	for _, f := range faults {
		if f.Expected == again {
			pointers = append(pointers, f.Pointer)
		}
	}
	return pointers
}

// told are the faults that are not within open places, and of repeated members that
// they are.
func told(faults []tool.Fault, repeated, open []string) []tool.Fault {
	for i, f := range faults {
		if f.Expected == again {
			faults[i].Found = "" // it is how that one is written
		}
	}
	return slices.DeleteFunc(faults, func(f tool.Fault) bool {
		within := func(pointer string) bool { return strings.HasPrefix(f.Pointer+"/", pointer+"/") }
		return f.Expected != again && slices.ContainsFunc(repeated, within) || slices.ContainsFunc(open, within)
	})
}

// except are the faults of one side without its exceptions, where the other finds
// nothing wrong with the value.
func except(faults, others []tool.Fault, exceptions []exception) []tool.Fault {
	return slices.DeleteFunc(slices.Clone(faults), func(f tool.Fault) bool {
		otherwise := func(other tool.Fault) bool {
			return other == f || other.Pointer == f.Pointer && other.Found == f.Found && !slices.Contains(faults, other)
		}
		matches := func(e exception) bool { return e.expected.MatchString(f.Expected) }
		return !slices.ContainsFunc(others, otherwise) && slices.ContainsFunc(exceptions, matches)
	})
}

// exception is what one side alone refuses, by what it expects, and why the other says
// nothing there.
type exception struct {
	expected *regexp.Regexp
	reason   string
}

func only(expected, reason string) exception { return exception{regexp.MustCompile(expected), reason} }

const (
	kindBound = "schemas have no bounds of 64 bits, or of floats"
	stricter  = "the parser of the type refuses what the pattern of its schema lets pass"
)

// narrower is generated code, wider is what it takes beside what its schema says.
var narrower = []exception{
	only(`^an integer of at most (9223372036854775807|18446744073709551615)$`, kindBound),
	only(`^an integer of at least -9223372036854775808$`, kindBound),
	only(`^an integer of at (most|least) -?[0-9]+ in a string$`, kindBound),
	only(`^an integer that fits as the key$`, kindBound),
	only(`^a number of at (most 1.8e308|least -1.8e308|most 3.4e38|least -3.4e38)$`, kindBound),
	only(`^a number above 0$`, "as a float, it is 0"),
	only(`^a date and time such as `, "package time has no leap seconds, and no small letters"),
	only(`^a duration in hours, minutes and seconds `, "what is longer depends on a calendar"),
	only(`^a string in a string$`, "half of a surrogate pair is no text"),
	only(parserWords.String(), stricter),
	only(`^another key `, stricter),
	only(`^each key once$`, "two keys of a map stand for the same value"),
}

var wider = []exception{
	only(`^a duration such as PT1H30M$`, "generated code takes durations as Go writes them, too"),
}

// untold are the places of what encoding/json reads, which says in its own words what is
// wrong there: types that generated code cannot name, or that read themselves.
var untold = map[string][]string{
	"corpus/opaque_fields": {"/mode", "/modes", "/size", "/inner"},
	"fields/box":           {"/mode", "/modes", "/size", "/inner"},
	"fields/warmest":       {"/now", "/then", "/all", "/where", "/raw", "/named"},
	"fields/days":          {"/of"},
	"custom":               {""},
}

func join(faults []tool.Fault) string {
	texts := make([]string, len(faults))
	for i, f := range faults {
		texts[i] = f.String()
	}
	return strings.Join(texts, "\n            ")
}

// present is the text without members that are null where there need not be any:
// generated code takes that for none. It is not ok if one of them is there again.
func (p pair) present(text string) (without string, ok bool) {
	n, err := jsontext.Parse(text, 64)
	if err != nil {
		return text, true
	}
	without = present(n, p.schema).String()
	return without, without == n.String() || jsonschema.IsClear(n)
}

func present(n *jsontext.Node, s *jsonschema.Schema) *jsontext.Node {
	for s != nil && s.Ref != nil {
		s = s.Ref
	}
	if s == nil {
		return n
	}
	kept := *n
	kept.Items = nil
	for _, item := range n.Items {
		of := s.Items
		if n.Is(jsontext.Object) {
			name := item.Name()
			if of = s.Property(name); of != nil && item.Is(jsontext.Null) && !slices.Contains(s.Required, name) {
				continue
			}
			if of == nil {
				of = s.Additional
			}
		}
		kept.Add(present(item, of))
	}
	return &kept
}

// sample returns arguments, mostly of the schema.
func (p pair) sample(r *rand.Rand) *jsontext.Node { return sample(r, p.schema, 0) }

// deepestSample bounds how deeply samples nest.
const deepestSample = 6

func sample(r *rand.Rand, s *jsonschema.Schema, depth int) *jsontext.Node {
	switch {
	case s == nil || s.Never:
		return scalar(otherValues[r.IntN(len(otherValues))])
	case s.Values != nil && len(s.Values.List) > 0:
		return scalar(s.Values.List[r.IntN(len(s.Values.List))].String())
	case s.Ref != nil:
		return sample(r, s.Ref, depth)
	case s.AnyOf != nil:
		return sample(r, s.AnyOf[r.IntN(len(s.AnyOf))], depth)
	case s.OneOf != nil:
		return sample(r, s.OneOf[r.IntN(len(s.OneOf))], depth)
	case s.AllOf != nil && s.Types == 0:
		return sample(r, s.AllOf[0], depth)
	case s.Types.Has(jsontext.Object):
		return sampleObject(r, s, depth)
	case s.Types.Has(jsontext.Array):
		n := &jsontext.Node{Kind: jsontext.Array}
		for range min(max(s.Count.Least, r.IntN(3)), s.Count.Most) {
			if depth < deepestSample {
				n.Add(sample(r, s.Items, depth+1))
			}
		}
		return n
	case s.Types.Has(jsontext.Bool):
		return scalar("true")
	case s.Types.Has(jsontext.String):
		return scalar(sampleString(r, s))
	case s.Types.Has(jsontext.Number), s.Types.Has(jsonschema.Integer):
		return scalar(edges[r.IntN(len(edges))])
	}
	return scalar(otherValues[r.IntN(len(otherValues))])
}

func scalar(text string) *jsontext.Node { return must(jsontext.Parse(text, 64)) }

// sampleString returns a string that a schema allows, if one is found.
func sampleString(r *rand.Rand, s *jsonschema.Schema) string {
	for range 32 {
		text := otherStrings[r.IntN(len(otherStrings))]
		if n, err := jsontext.Parse(text, 1); err == nil && len(s.Check(n, len(text))) == 0 {
			return text
		}
	}
	return `"a"`
}

func sampleObject(r *rand.Rand, s *jsonschema.Schema, depth int) *jsontext.Node {
	n := &jsontext.Node{Kind: jsontext.Object}
	add := func(key string, s *jsonschema.Schema) {
		m := sample(r, s, depth+1)
		m.Key = jsontext.Quote(key)
		n.Add(m)
	}
	for _, p := range s.Properties {
		if r.IntN(4) > 0 && (depth < deepestSample || slices.Contains(s.Required, p.Name)) {
			add(p.Name, p.Schema)
		}
	}
	if s.Properties == nil && depth < deepestSample {
		for i := range r.IntN(3) {
			add([]string{"1", "a", "red"}[(i+r.IntN(2))%3], s.Additional)
		}
	}
	return n
}
