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

var callsPerTool = flag.Int("calls", 100, "with how many arguments TestWords calls each tool")

// TestWords calls all tools of all golden packages, mostly with wrong arguments, and also calls tools of
// the same schemas without generated code. Both must report the same faults, word for word.
func TestWords(t *testing.T) {
	all := goldenTools(t)
	count, refused := 0, 0
	for i, name := range slices.Sorted(maps.Keys(all)) {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		for _, generated := range all[name] {
			if bytes.Contains(generated.Definition().Input, []byte("<<var:")) {
				continue // only scopes know the value of a reference
			}
			pair := newPair(t, generated)
			for range *callsPerTool {
				text := mutateDocument(r, pair.randomArguments(r).String())
				count++
				if pair.compareFaults(t, name, text) {
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

// pair is a tool and another one with the same schemas, but without generated code.
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
	_, p.scoped = errors.AsType[*tool.ScopeError](p.callError(t, p.generated, `{}`))
	return p
}

// callError returns the error of calling a tool.
func (p pair) callError(t *testing.T, r *tool.Registry, arguments string) error {
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

// callFaults returns the faults that a tool reports.
func (p pair) callFaults(t *testing.T, r *tool.Registry, arguments string) []tool.Fault {
	t.Helper()
	err := p.callError(t, r, arguments)
	if wrong, ok := errors.AsType[*tool.ArgumentError](err); ok {
		return wrong.Faults
	}
	if err != nil {
		t.Fatalf("%s: %s: %v", p.name, arguments, err)
	}
	return nil
}

// compareFaults compares the faults that both tools report, and reports whether the arguments were
// rejected.
func (p pair) compareFaults(t *testing.T, golden, text string) bool {
	t.Helper()
	like, ok := p.withoutNulls(text)
	if !ok {
		return true
	}
	generated, dynamic := p.callFaults(t, p.generated, text), p.callFaults(t, p.dynamic, like)
	refused := generated != nil
	repeated := repeatedPlaces(dynamic)
	open := slices.Concat(unreportedPlaces[golden], unreportedPlaces[golden+"/"+p.name])
	generated, dynamic = comparableFaults(generated, repeated, open), comparableFaults(dynamic, repeated, open)
	if repeated != nil {
		slices.SortFunc(generated, compareText)
		slices.SortFunc(dynamic, compareText)
	}
	ours, theirs := withoutExceptions(generated, dynamic, generatedOnly), withoutExceptions(dynamic, generated, schemaOnly)
	if !slices.Equal(ours, theirs) {
		t.Errorf("%s/%s: %s\n generated: %s\n by schema: %s", golden, p.name, text, joinFaults(ours), joinFaults(theirs))
	}
	return refused
}

func compareText(a, b tool.Fault) int { return strings.Compare(a.String(), b.String()) }

const repeatedKey = "each key once"

// repeatedPlaces returns the places of repeated members. It is unspecified which of several members
// with one name is read, and so to which of them faults refer.
func repeatedPlaces(faults []tool.Fault) (pointers []string) {
	for _, f := range faults {
		if f.Expected == repeatedKey {
			pointers = append(pointers, f.Pointer)
		}
	}
	return pointers
}

// comparableFaults returns the faults outside open places, except that repeated members are only
// reported as repeated.
func comparableFaults(faults []tool.Fault, repeated, open []string) []tool.Fault {
	for i, f := range faults {
		if f.Expected == repeatedKey {
			faults[i].Found = "" // it depends on the spelling
		}
	}
	return slices.DeleteFunc(faults, func(f tool.Fault) bool {
		within := func(pointer string) bool { return strings.HasPrefix(f.Pointer+"/", pointer+"/") }
		return f.Expected != repeatedKey && slices.ContainsFunc(repeated, within) || slices.ContainsFunc(open, within)
	})
}

// withoutExceptions returns the faults of one tool without its exceptions, where the other tool finds
// no fault.
func withoutExceptions(faults, others []tool.Fault, exceptions []exception) []tool.Fault {
	return slices.DeleteFunc(slices.Clone(faults), func(f tool.Fault) bool {
		otherwise := func(other tool.Fault) bool {
			return other == f || other.Pointer == f.Pointer && other.Found == f.Found && !slices.Contains(faults, other)
		}
		matches := func(e exception) bool { return e.expected.MatchString(f.Expected) }
		return !slices.ContainsFunc(others, otherwise) && slices.ContainsFunc(exceptions, matches)
	})
}

// exception is a value that only one of the tools rejects, identified by the expectation in the fault,
// with the reason why the other accepts it.
type exception struct {
	expected *regexp.Regexp
	reason   string
}

func newException(expected, reason string) exception {
	return exception{regexp.MustCompile(expected), reason}
}

const (
	kindBound = "schemas have no bounds of 64 bits, or of floats"
	stricter  = "the parser of the type refuses what the pattern of its schema lets pass"
)

// generatedOnly are rejected only by generated code, schemaOnly are accepted only by generated code.
var generatedOnly = []exception{
	newException(`^an integer of at most (9223372036854775807|18446744073709551615)$`, kindBound),
	newException(`^an integer of at least -9223372036854775808$`, kindBound),
	newException(`^an integer of at (most|least) -?[0-9]+ in a string$`, kindBound),
	newException(`^an integer in the range of the keys$`, kindBound),
	newException(`^(an integer that fits|another value) \(|^an integer that fits( as |$)`, "UnmarshalJSON refuses what the schema lets pass, such as 5.0 for an integer"),
	newException(`^a number of at (most 1.8e308|least -1.8e308|most 3.4e38|least -3.4e38)$`, kindBound),
	newException(`^a number above 0$`, "as a float, it is 0"),
	newException(`^a date and time such as `, "package time has no leap seconds, and no small letters"),
	newException(`^a duration in hours, minutes and seconds `, "what is longer depends on a calendar"),
	newException(`^a string in a string$`, "half of a surrogate pair is no text"),
	newException(parserWords.String(), stricter),
	newException(`^another key `, stricter),
	newException(`^another value \(`, "the function that decodes a represented value refuses it"),
	newException(`^each key once$`, "two keys of a map stand for the same value"),
}

var schemaOnly = []exception{
	newException(`^a duration such as PT1H30M$`, "generated code takes durations as Go writes them, too"),
}

// unreportedPlaces are places of values that encoding/json decodes and reports in its own words: types
// that generated code cannot name, or that decode themselves. Of integers or null within bounds, generated
// code names both alternatives, and a schema only the one that fits best. For a union of one variant, generated
// code asks for its name first.
var unreportedPlaces = map[string][]string{
	"corpus/opaque_fields": {"/mode", "/modes", "/size", "/inner"},
	"fields/box":           {"/mode", "/modes", "/size", "/inner"},
	"fields/warmest":       {"/now", "/then", "/all", "/where", "/raw", "/named"},
	"fields/days":          {"/of"},
	"texts/copy":           {"/counts"},
	"custom":               {""},
	"unions/echo":          {"/solid"},
}

func joinFaults(faults []tool.Fault) string {
	texts := make([]string, len(faults))
	for i, f := range faults {
		texts[i] = f.String()
	}
	return strings.Join(texts, "\n            ")
}

// withoutNulls returns the text without optional members that are null, which generated code treats as
// missing. ok is false if such a member is repeated.
func (p pair) withoutNulls(text string) (without string, ok bool) {
	n, err := jsontext.Parse(text, 64)
	if err != nil {
		return text, true
	}
	without = removeNulls(n, p.schema).String()
	return without, without == n.String() || jsonschema.IsClear(n)
}

func removeNulls(n *jsontext.Node, s *jsonschema.Schema) *jsontext.Node {
	for s != nil && s.Ref != nil {
		s = s.Ref
	}
	if s == nil {
		return n
	}
	for _, variant := range s.AnyOf {
		if namesVariant(n, variant) {
			return removeNulls(n, variant)
		}
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
		kept.Add(removeNulls(item, of))
	}
	return &kept
}

// randomArguments returns arguments that mostly conform to the schema.
func (p pair) randomArguments(r *rand.Rand) *jsontext.Node { return sampleValue(r, p.schema, 0) }

// maxSampleDepth limits the nesting of samples.
const maxSampleDepth = 6

func sampleValue(r *rand.Rand, s *jsonschema.Schema, depth int) *jsontext.Node {
	switch {
	case s == nil || s.Never:
		return parseScalar(otherValues[r.IntN(len(otherValues))])
	case s.Values != nil && len(s.Values.List) > 0:
		return parseScalar(s.Values.List[r.IntN(len(s.Values.List))].String())
	case s.Ref != nil:
		return sampleValue(r, s.Ref, depth)
	case s.AnyOf != nil:
		return sampleValue(r, s.AnyOf[r.IntN(len(s.AnyOf))], depth)
	case s.OneOf != nil:
		return sampleValue(r, s.OneOf[r.IntN(len(s.OneOf))], depth)
	case s.AllOf != nil && s.Types == 0:
		return sampleValue(r, s.AllOf[0], depth)
	case s.Types.Has(jsontext.Object):
		return sampleObject(r, s, depth)
	case s.Types.Has(jsontext.Array):
		n := &jsontext.Node{Kind: jsontext.Array}
		for range min(max(s.Count.Least, r.IntN(3)), s.Count.Most) {
			if depth < maxSampleDepth {
				n.Add(sampleValue(r, s.Items, depth+1))
			}
		}
		return n
	case s.Types.Has(jsontext.Bool):
		return parseScalar("true")
	case s.Types.Has(jsontext.String):
		return parseScalar(sampleString(r, s))
	case s.Types.Has(jsontext.Number), s.Types.Has(jsonschema.Integer):
		return parseScalar(edgeNumbers[r.IntN(len(edgeNumbers))])
	}
	return parseScalar(otherValues[r.IntN(len(otherValues))])
}

func parseScalar(text string) *jsontext.Node { return mustValue(jsontext.Parse(text, 64)) }

// sampleString returns a string that the schema allows, if it finds one.
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
		m := sampleValue(r, s, depth+1)
		m.Key = jsontext.Quote(key)
		n.Add(m)
	}
	for _, p := range s.Properties {
		if r.IntN(4) > 0 && (depth < maxSampleDepth || slices.Contains(s.Required, p.Name)) {
			add(p.Name, p.Schema)
		}
	}
	if s.Properties == nil && depth < maxSampleDepth {
		for i := range r.IntN(3) {
			add([]string{"1", "a", "red"}[(i+r.IntN(2))%3], s.Additional)
		}
	}
	return n
}

// namesVariant reports whether a member of an object has the only value that a variant of a union allows for it.
func namesVariant(n *jsontext.Node, variant *jsonschema.Schema) bool {
	return slices.ContainsFunc(variant.Properties, func(p jsonschema.Property) bool {
		m := n.Member(p.Name)
		return m != nil && p.Schema.Values != nil && len(p.Schema.Values.List) == 1 && p.Schema.Values.Lists(m)
	})
}
