package xgrammar

import (
	"errors"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Reasons collects the reasons why texts that XGrammar accepts are not valid. It compares them with the
// list in the documentation. It is safe for concurrent use.
type Reasons struct {
	Keywords, Others []string // the list: keywords, and reasons of other kinds

	mu    sync.Mutex
	found map[string]bool
}

// page is the documentation with the list: a table whose first column has keywords in backquotes, or words.
const page = "../../docs/reference/providers.md"

// ReadReasons reads the list in the documentation.
func ReadReasons(t *testing.T) *Reasons {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| not enforced by XGrammar |")
	if !found {
		t.Fatalf("%s has no list of what XGrammar does not enforce", page)
	}
	table, _, _ = strings.Cut(table, "\n\n")
	r := &Reasons{found: map[string]bool{}}
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|-][^|]*) \|`).FindAllStringSubmatch(table, -1) {
		if keyword := strings.Trim(row[1], "`"); keyword != row[1] {
			r.Keywords = append(r.Keywords, keyword)
		} else {
			r.Others = append(r.Others, row[1])
		}
	}
	return r
}

// Add adds reasons for an example. It fails the test if one of them is not in the list.
func (r *Reasons) Add(t *testing.T, example string, reasons ...string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, reason := range reasons {
		if !r.found[reason] && !slices.Contains(r.Keywords, reason) && !slices.Contains(r.Others, reason) {
			t.Errorf("%s: XGrammar accepts it although it is invalid because of %q, which is not in the list of %s", example, reason, page)
		}
		r.found[reason] = true
	}
}

// CheckAll fails the test if a reason in the list was not added.
func (r *Reasons) CheckAll(t *testing.T) {
	t.Helper()
	for _, reason := range slices.Concat(r.Keywords, r.Others) {
		if !r.found[reason] {
			t.Errorf("%s lists %q, which was never a reason; the reasons were %q", page, reason, slices.Sorted(maps.Keys(r.found)))
		}
	}
}

// KeywordsOf returns the keywords that an error of a validator reports. In a union, those are the keywords of
// the branch with the fewest that are not in the list.
func (r *Reasons) KeywordsOf(err error) []string {
	invalid, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return []string{err.Error()}
	}
	keywords := r.keywordsOf(invalid)
	slices.Sort(keywords)
	return slices.Compact(keywords)
}

func (r *Reasons) keywordsOf(e *jsonschema.ValidationError) (keywords []string) {
	_, fragment, _ := strings.Cut(e.SchemaURL, "#")
	for segment := range strings.SplitSeq(fragment, "/") {
		if keyword := applicators[segment]; keyword != "" {
			return []string{keyword}
		}
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Not:
		return []string{"not"}
	case *kind.AnyOf, *kind.OneOf:
		if len(e.Causes) > 0 {
			return r.bestBranch(e.Causes)
		}
		return k.KeywordPath()
	case *kind.PropertyNames, *kind.Contains:
		return k.KeywordPath()
	}
	if path := e.ErrorKind.KeywordPath(); len(e.Causes) == 0 && len(path) > 0 {
		return path[:1]
	}
	for _, cause := range e.Causes {
		keywords = append(keywords, r.keywordsOf(cause)...)
	}
	return keywords
}

// bestBranch returns the keywords of the branch with the fewest that are not in the list.
func (r *Reasons) bestBranch(branches []*jsonschema.ValidationError) (best []string) {
	fewest := -1
	for _, branch := range branches {
		keywords, unlisted := r.keywordsOf(branch), 0
		for _, keyword := range keywords {
			if !slices.Contains(r.Keywords, keyword) {
				unlisted++
			}
		}
		if fewest < 0 || unlisted < fewest {
			best, fewest = keywords, unlisted
		}
	}
	return best
}

// applicators maps the names of keywords in the locations of schemas to the keywords that make XGrammar
// ignore these schemas.
var applicators = map[string]string{
	"then": "if", "else": "if", "allOf": "allOf", "dependentSchemas": "dependentSchemas", "propertyNames": "propertyNames", "patternProperties": "patternProperties",
}
