package scaffold_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/gen/internal/scaffold"
)

// TestLostValues checks that a draft omits what JSON cannot carry, with a TODO wherever a tool may
// need it, and that it compiles without other warnings.
func TestLostValues(t *testing.T) {
	dir := module(t)
	write(t, filepath.Join(dir, "all.go"), `package all

import (
	"bytes"
	"io"
	"net/http"
)

// Upload has a file.
type Upload struct {
	Name string
	Body io.Reader
	Meta Meta
}

// Meta has attributes.
type Meta struct {
	Size int
	Sums map[string]Sum
}

// Sum is a sum.
type Sum interface{ Digest() []byte }

// MD5 is a sum.
type MD5 struct{ Bytes []byte }

// Digest returns the digest.
func (MD5) Digest() []byte { return nil }

// Option is an option.
type Option func(*http.Request)

// Response has the number of the next page.
type Response struct {
	*http.Response
	Next int
}

// Put uploads.
func Put(u Upload, options ...Option) (*Response, error) { return nil, nil }

// Replace uploads.
func Replace(m Meta, id int) (Upload, int, error) { return Upload{}, 0, nil }

// Tag tags.
func Tag(m Meta) (Meta, error) { return m, nil }

// Join joins.
func Join(id int, parts ...io.Reader) error { return nil }

// Get downloads.
func Get(id int) (*bytes.Reader, *Response, error) { return nil, nil, nil }

// Delete deletes.
func Delete(id int) (*Response, error) { return nil, nil }
`)
	t.Chdir(dir)
	text, faults := scaffold.Write(t.Context(), scaffold.Config{Package: ".", Functions: []string{"Put", "Replace", "Tag", "Join", "Get", "Delete"}})
	if len(faults) > 0 {
		t.Error(faults)
	}
	golden(t, filepath.Join(testdata, "lost.aion"), string(text))
	write(t, "new.aion", string(text))
	todos := 0
	_, faults = gen.Generate(t.Context(), gen.Config{})
	for _, d := range faults {
		if d.Code == "todo" {
			todos++
		} else if d.Severity != diag.Note {
			t.Error(d)
		}
	}
	if todos != 7 {
		t.Errorf("%d TODOs", todos)
	}
}

// TestLostPaths checks that a draft omits a lost value on each path to it, so that nothing more is lost once the TODOs
// are done.
func TestLostPaths(t *testing.T) {
	dir := module(t)
	write(t, filepath.Join(dir, "all.go"), `package all

// Query is a query.
type Query struct {
	Filters map[string]Condition
	Keys    []Condition
	Sort    Order
}

// Condition is a condition.
type Condition struct {
	Operator string
	Values   []Value
}

// Order is an order.
type Order struct {
	By   Condition
	Desc bool
}

// Value is implemented outside of this package.
type Value interface{ Encode() []byte }

// Find finds.
func Find(q Query, limit int) error { return nil }
`)
	t.Chdir(dir)
	text, faults := scaffold.Write(t.Context(), scaffold.Config{Package: ".", Functions: []string{"Find"}})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	const note = "JSON cannot carry q.Filters.Values: name a Go function that takes it in another form, or describe this argument) | omit=Filters.Values,Keys.Values,Sort.By.Values\n"
	if !strings.Contains(string(text), note) {
		t.Errorf("no note has %s:\n%s", note, text)
	}
	write(t, "new.aion", regexp.MustCompile(`TODO: [^)]*`).ReplaceAllString(string(text), "the query"))
	_, faults = gen.Generate(t.Context(), gen.Config{})
	for _, d := range faults {
		if d.Severity != diag.Note {
			t.Error(d)
		}
	}
}
