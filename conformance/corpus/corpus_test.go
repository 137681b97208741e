// Package corpus holds the schemas and the code that aiongen generates against
// encoding/json, a validator and reflection. It is in a module of its own, since
// what it compares with is nothing that users of aiongen should get.
package corpus_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/corpus"
)

var documents = flag.Int("docs", defaultDocuments, "how many documents TestCorpus changes and has judged")

// seed makes the documents the same in each run.
const seed = 20260101

// score is what came of the documents of one type.
type score struct {
	subject            *subject
	unsound            string // a document that encoding/json writes and the schema refuses
	loose              string // one that the schema accepts and encoding/json refuses
	but                []difference
	accepted, forgiven int // documents; of those refused, how many by the closed list alone
}

// TestCorpus holds the schemas and the generated code of every type against
// encoding/json. A schema is sound if it accepts what encoding/json writes from
// values of the type, and tight if it refuses what encoding/json does not read.
// That leaves out what section 4 of binding.md says of all types: nil slices and
// maps are empty, null is absent, members are known, 5.0 is an integer, numbers
// of 64 bits have no bounds.
//
// On the way, generated code and a validator judge every document, valid ones
// and ones that were changed, and must agree but for the closed list. For many
// more documents:
//
//	go test ./corpus -run 'TestCorpus$' -docs 10000000 -timeout 0
func TestCorpus(t *testing.T) {
	scores := make([]score, len(rows))
	mutants := *documents / len(rows)
	t.Run("types", func(t *testing.T) {
		for i, r := range rows {
			t.Run(r.name, func(t *testing.T) {
				t.Parallel()
				g := generator{Rand: rand.New(rand.NewPCG(seed, uint64(i)))}
				scores[i].subject = newSubject(t, r)
				scores[i].findUnsound(t, g)
				scores[i].findLoose(t, g, mutants)
				scores[i].check(t)
			})
		}
	})
	if left := slices.ContainsFunc(scores, func(s score) bool { return s.subject == nil }); !left && !t.Failed() {
		summarise(t, scores)
	}
	if tools := len(registry.Names()); tools != len(rows)+len(results) {
		t.Errorf("package corpus has %d tools", tools)
	}
}

// values is how many values of each type are written.
func values() int { return min(*documents/1000, 1000) }

// findUnsound judges documents that encoding/json writes. What is written by our
// rules is never refused.
func (s *score) findUnsound(t *testing.T, g generator) {
	withNils := g
	withNils.nils = true
	for range values() {
		if text, v := s.judge(t, s.subject.document(t, g, ours)); !v.accepted {
			t.Fatalf("refused: %s", text)
		}
		if text, v := s.judge(t, s.subject.document(t, withNils, plain)); !v.valid {
			s.unsound = text
		}
		result := must(jsonv2.Marshal(withNils.value(s.subject.result).Addr().Interface(), plain))
		if err := s.subject.output.Validate(canonical(result)); err != nil {
			s.unsound = string(result)
		}
	}
}

// findLoose judges documents that were changed.
func (s *score) findLoose(t *testing.T, g generator, mutants int) {
	for range mutants {
		text, v := s.judge(t, mutate(g.Rand, s.subject.document(t, g, ours)))
		if v.accepted {
			s.accepted++
			if readPlain([]byte(v.softened), reflect.New(s.subject.arguments).Interface()) != nil {
				s.loose = text
			}
		}
		if v.refused != nil {
			s.forgiven++
		}
		for _, d := range v.refused {
			if !slices.Contains(general, d) && !slices.Contains(s.but, d) {
				s.but = append(s.but, d)
			}
		}
	}
	slices.Sort(s.but)
}

func (s *score) judge(t *testing.T, text string) (string, verdict) {
	t.Helper()
	v, err := s.subject.judge(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return text, v
}

// check holds what was found against what the row says. What it says must have
// been found, unless fewer documents than usual were tried.
func (s *score) check(t *testing.T) {
	r, all := s.subject.row, *documents >= usualDocuments
	for _, found := range []struct {
		what, example string
		expected      reason
	}{{"not sound", s.unsound, r.unsound}, {"not tight", s.loose, r.loose}} {
		if found.example != "" && found.expected == "" {
			t.Errorf("%s: %s", found.what, found.example)
		}
		if found.example == "" && found.expected != "" && all {
			t.Errorf("no longer %s, although %s", found.what, found.expected)
		}
	}
	for _, d := range slices.Concat(s.but, r.but) {
		if found, expected := slices.Contains(s.but, d), slices.Contains(r.but, d); found != expected && (found || all) {
			t.Errorf("%s: found %t, expected %t", d, found, expected)
		}
	}
	if *documents > 0 && (s.accepted == 0 || s.accepted == *documents/len(rows)) {
		t.Errorf("%d documents were accepted: nothing was tested", s.accepted)
	}
}

// summarise prints the table.
func summarise(t *testing.T, scores []score) {
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "tool\ttype\tsound\ttight\tbecause")
	var sound, tight, alone, accepted, forgiven int
	for _, s := range scores {
		r := s.subject.row
		name := strings.ReplaceAll(s.subject.result.String(), reflect.TypeFor[corpus.Point]().PkgPath()+".", "")
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.name, name, yes[r.unsound == ""], yes[r.loose == ""], because(r))
		sound, tight, alone = sound+count(r.unsound == ""), tight+count(r.loose == ""), alone+count(r.loose == "" && r.but == nil)
		accepted, forgiven = accepted+s.accepted, forgiven+s.forgiven
	}
	w.Flush()
	t.Logf("\n%s%d types: sound %d, tight %d, of these %d without the help of the closed list", &table, len(rows), sound, tight, alone)
	t.Logf("%d documents: %d accepted, %d valid but refused by the closed list", *documents/len(rows)*len(rows), accepted, forgiven)
	if n := len(rows); n < 62 || sound*62 < 58*n || tight*62 < 58*n {
		t.Errorf("of at least 62 types, 58 of 62 are to be sound, and as many tight")
	}
}

func because(r row) string {
	var list []string
	for _, reason := range []reason{r.unsound, r.loose} {
		if reason != "" && !slices.Contains(list, string(reason)) {
			list = append(list, string(reason))
		}
	}
	for _, d := range r.but {
		list = append(list, "but for "+string(d))
	}
	return strings.Join(list, "; ")
}

var yes = map[bool]string{true: "yes", false: "no"}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestCorpusResults writes results of every type: those, too, that arguments
// cannot be.
func TestCorpusResults(t *testing.T) {
	for i, r := range slices.Concat(rows, results) {
		s := newSubject(t, r)
		g := generator{Rand: rand.New(rand.NewPCG(seed+1, uint64(i))), nils: true, wild: true}
		arguments := "{}"
		if reflect.TypeOf(r.function).NumIn() > 1 {
			arguments = s.document(t, generator{Rand: g.Rand}, ours)
		}
		for range values() {
			result := g.value(s.goType).Addr().Interface()
			ctx := corpus.With(t.Context(), &corpus.Exchange{Result: result})
			call := registry.Call(ctx, tool.Request{Name: r.name, Arguments: []byte(arguments)})
			if call.Err != nil {
				t.Fatalf("%s: %v", r.name, call.Err)
			}
			if err := s.checkOutput(s.seen(result), call.Output); err != nil {
				t.Fatalf("%s: %v", r.name, err)
			}
		}
	}
}

// FuzzCorpus has arguments of any text judged, and of any tool.
func FuzzCorpus(f *testing.F) {
	var subjects []*subject
	for i, r := range rows {
		s := newSubject(f, r)
		subjects = append(subjects, s)
		g := generator{Rand: rand.New(rand.NewPCG(seed+3, uint64(i)))}
		f.Add(uint(i), s.document(f, g, ours))
		f.Add(uint(i), mutate(g.Rand, s.document(f, g, ours)))
	}
	f.Fuzz(func(t *testing.T, i uint, text string) {
		s := subjects[i%uint(len(subjects))]
		if _, err := s.judge(text); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	})
}

// TestReference holds the options that stand for encoding/json against it.
func TestReference(t *testing.T) {
	for i, r := range slices.Concat(rows, results) {
		s := newSubject(t, r)
		g := generator{Rand: rand.New(rand.NewPCG(seed+2, uint64(i))), nils: true, wild: true}
		for range values() {
			x := g.value(s.result).Addr().Interface()
			got, err := jsonv2.Marshal(x, encodingJSON)
			want, wantErr := standard(x)
			if string(got) != string(want) || err != nil || wantErr != nil {
				t.Fatalf("%s: %s, %v, but encoding/json writes %s, %v", r.name, got, err, want, wantErr)
			}
		}
	}
}
