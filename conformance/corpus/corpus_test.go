// Package corpus checks the schemas and the code that aiongen generates against encoding/json, a
// validator and reflection. It is in a separate module, so that users of aiongen do not depend on
// what it compares with.
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

var documentCount = flag.Int("docs", defaultDocuments, "how many documents TestCorpus changes and has judged")

// seed makes every run use the same documents.
const seed = 20260101

// score counts the outcomes for the documents of one type.
type score struct {
	subject            *subject
	unsound            string // a document that encoding/json writes and the schema rejects
	loose              string // a document that the schema accepts and encoding/json rejects
	but                []difference
	accepted, forgiven int // number of documents; for rejected ones, the number that only the closed list explains
}

// TestCorpus checks the schemas and the generated code of every type against encoding/json. A schema
// is sound if it accepts what encoding/json writes from values of the type, and tight if it rejects
// what encoding/json does not read. The general rules in section 4 of binding.md do not count as
// differences: nil slices and maps are empty, null is absent, members are known, 5.0 is an integer,
// numbers of 64 bits have no bounds.
//
// In addition, generated code and a validator judge every document, valid ones and changed ones, and
// must agree except for the closed list. To try many more documents:
//
//	go test ./corpus -run 'TestCorpus$' -docs 10000000 -timeout 0
func TestCorpus(t *testing.T) {
	scores := make([]score, len(corpusRows))
	mutants := *documentCount / len(corpusRows)
	t.Run("types", func(t *testing.T) {
		for i, r := range corpusRows {
			t.Run(r.name, func(t *testing.T) {
				t.Parallel()
				g := generator{Rand: rand.New(rand.NewPCG(seed, uint64(i)))}
				scores[i].subject = newSubject(t, r)
				scores[i].findUnsound(t, g)
				scores[i].findLoose(t, g, mutants)
				scores[i].checkScore(t)
			})
		}
	})
	if left := slices.ContainsFunc(scores, func(s score) bool { return s.subject == nil }); !left && !t.Failed() {
		logSummary(t, scores)
	}
	if tools := len(registry.Names()); tools != len(corpusRows)+len(resultRows) {
		t.Errorf("package corpus has %d tools", tools)
	}
}

// valueCount returns how many values of each type are written.
func valueCount() int { return min(*documentCount/1000, 1000) }

// findUnsound judges documents that encoding/json writes. Documents written by our rules must be
// accepted.
func (s *score) findUnsound(t *testing.T, g generator) {
	withNils := g
	withNils.nils = true
	for range valueCount() {
		if text, v := s.judgeDocument(t, s.subject.randomDocument(t, g, ourRules)); !v.accepted {
			t.Fatalf("refused: %s", text)
		}
		if text, v := s.judgeDocument(t, s.subject.randomDocument(t, withNils, plainRules)); !v.valid {
			s.unsound = text
		}
		result := mustValue(jsonv2.Marshal(withNils.randomValue(s.subject.result).Addr().Interface(), plainResultRules))
		if err := s.subject.output.Validate(decodeNumbers(result)); err != nil {
			s.unsound = string(result)
		}
	}
}

// findLoose judges documents that were changed at random.
func (s *score) findLoose(t *testing.T, g generator, mutants int) {
	for range mutants {
		text, v := s.judgeDocument(t, mutateDocument(g.Rand, s.subject.randomDocument(t, g, ourRules)))
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
			if !slices.Contains(generalDifferences, d) && !slices.Contains(s.but, d) {
				s.but = append(s.but, d)
			}
		}
	}
	slices.Sort(s.but)
}

func (s *score) judgeDocument(t *testing.T, text string) (string, verdict) {
	t.Helper()
	v, err := s.subject.judgeDocument(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return text, v
}

// checkScore compares the findings with what the row expects. Each expectation must be confirmed,
// unless fewer documents than usual were tried.
func (s *score) checkScore(t *testing.T) {
	r, all := s.subject.row, *documentCount >= usualDocuments
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
		if found, expected := slices.Contains(s.but, d), slices.Contains(r.but, d); found != expected && (found || all) && d != r.rare {
			t.Errorf("%s: found %t, expected %t", d, found, expected)
		}
	}
	if *documentCount > 0 && (s.accepted == 0 || s.accepted == *documentCount/len(corpusRows)) {
		t.Errorf("%d documents were accepted: nothing was tested", s.accepted)
	}
}

// logSummary logs the table of all types.
func logSummary(t *testing.T, scores []score) {
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "tool\ttype\tsound\ttight\tbecause")
	var sound, tight, alone, accepted, forgiven int
	for _, s := range scores {
		r := s.subject.row
		name := strings.ReplaceAll(s.subject.result.String(), reflect.TypeFor[corpus.Point]().PkgPath()+".", "")
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.name, name, yesOrNo[r.unsound == ""], yesOrNo[r.loose == ""], rowReasons(r))
		sound, tight, alone = sound+boolToInt(r.unsound == ""), tight+boolToInt(r.loose == ""), alone+boolToInt(r.loose == "" && r.but == nil)
		accepted, forgiven = accepted+s.accepted, forgiven+s.forgiven
	}
	w.Flush()
	t.Logf("\n%s%d types: sound %d, tight %d, of these %d without the help of the closed list", &table, len(corpusRows), sound, tight, alone)
	t.Logf("%d documents: %d accepted, %d valid but refused by the closed list", *documentCount/len(corpusRows)*len(corpusRows), accepted, forgiven)
	if n := len(corpusRows); n < 62 || sound*62 < 58*n || tight*62 < 58*n {
		t.Errorf("of at least 62 types, 58 of 62 are to be sound, and as many tight")
	}
}

func rowReasons(r row) string {
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

var yesOrNo = map[bool]string{true: "yes", false: "no"}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestCorpusResults writes results of every type, including types that are only allowed as results.
func TestCorpusResults(t *testing.T) {
	for i, r := range slices.Concat(corpusRows, resultRows) {
		s := newSubject(t, r)
		g := generator{Rand: rand.New(rand.NewPCG(seed+1, uint64(i))), nils: true, wild: true}
		arguments := "{}"
		if reflect.TypeOf(r.function).NumIn() > 1 {
			arguments = s.randomDocument(t, generator{Rand: g.Rand}, ourRules)
		}
		for range valueCount() {
			result := g.randomValue(s.goType).Addr().Interface()
			ctx := corpus.With(t.Context(), &corpus.Exchange{Result: result})
			call := registry.Call(ctx, tool.Request{Name: r.name, Arguments: []byte(arguments)})
			if call.Err != nil {
				t.Fatalf("%s: %v", r.name, call.Err)
			}
			if err := s.checkOutput(s.viewOf(result), call.Output); err != nil {
				t.Fatalf("%s: %v", r.name, err)
			}
		}
	}
}

// FuzzCorpus judges arbitrary texts as arguments of each tool.
func FuzzCorpus(f *testing.F) {
	var subjects []*subject
	for i, r := range corpusRows {
		s := newSubject(f, r)
		subjects = append(subjects, s)
		g := generator{Rand: rand.New(rand.NewPCG(seed+3, uint64(i)))}
		f.Add(uint(i), s.randomDocument(f, g, ourRules))
		f.Add(uint(i), mutateDocument(g.Rand, s.randomDocument(f, g, ourRules)))
	}
	f.Fuzz(func(t *testing.T, i uint, text string) {
		s := subjects[i%uint(len(subjects))]
		if _, err := s.judgeDocument(text); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	})
}

// TestReference checks the json/v2 options that stand for encoding/json against encoding/json.
func TestReference(t *testing.T) {
	for i, r := range slices.Concat(corpusRows, resultRows) {
		s := newSubject(t, r)
		g := generator{Rand: rand.New(rand.NewPCG(seed+2, uint64(i))), nils: true, wild: true}
		for range valueCount() {
			x := g.randomValue(s.result).Addr().Interface()
			got, err := jsonv2.Marshal(x, encodingJSON)
			want, wantErr := marshalStandard(x)
			if string(got) != string(want) || err != nil || wantErr != nil {
				t.Fatalf("%s: %s, %v, but encoding/json writes %s, %v", r.name, got, err, want, wantErr)
			}
		}
	}
}
