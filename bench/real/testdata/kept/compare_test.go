package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
)

// compare calls a tool and fails the test unless its output is want in JSON. If there are fields, as in
// "items.name", want consists only of these.
func compare(t *testing.T, r *tool.Registry, name, arguments string, want any, fields ...string) {
	t.Helper()
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	compareJSON(t, r, name, arguments, text, fields...)
}

// compareJSON is like compare with a value in JSON.
func compareJSON(t *testing.T, r *tool.Registry, name, arguments string, want []byte, fields ...string) {
	t.Helper()
	output := call(t, r, name, arguments)
	wanted := decode(t, want)
	if len(fields) > 0 {
		var paths [][]string
		for _, field := range fields {
			paths = append(paths, strings.Split(field, "."))
		}
		wanted = keepFields(wanted, paths)
	}
	if !isEqual(decode(t, output), wanted) {
		expected, _ := json.Marshal(wanted)
		t.Fatalf("%s %s:\ngot  %s\nwant %s", name, arguments, output, expected)
	}
	fmt.Printf("%s %s: as with Go alone\n", name, arguments)
}

// isEqual reports whether two JSON values are equal. A nil slice or map is null for encoding/json, but aiongen
// writes an empty list or object, because the schema has no null.
func isEqual(got, want any) bool {
	switch got := got.(type) {
	case []any:
		wanted, ok := want.([]any)
		return ok && slices.EqualFunc(got, wanted, isEqual) || want == nil && len(got) == 0
	case map[string]any:
		wanted, ok := want.(map[string]any)
		return ok && maps.EqualFunc(got, wanted, isEqual) || want == nil && len(got) == 0
	}
	return got == want
}

// call calls a tool and returns its output.
func call(t *testing.T, r *tool.Registry, name, arguments string) []byte {
	t.Helper()
	result := r.Call(context.Background(), tool.Request{Name: name, Arguments: []byte(arguments)})
	if result.Err != nil || result.Status != tool.StatusCompleted {
		t.Fatalf("%s %s: %v %v", name, arguments, result.Status, result.Err)
	}
	return result.Output
}

// compareError calls a tool and fails the test unless its error contains the text of want.
func compareError(t *testing.T, r *tool.Registry, name, arguments string, want error) {
	t.Helper()
	result := r.Call(context.Background(), tool.Request{Name: name, Arguments: []byte(arguments)})
	if want == nil || result.Err == nil || !strings.Contains(result.Err.Error(), want.Error()) {
		t.Fatalf("%s %s: the error is %v, want %v", name, arguments, result.Err, want)
	}
	fmt.Printf("%s %s: as with Go alone\n", name, arguments)
}

func decode(t *testing.T, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return value
}

// keepFields keeps the members with the given paths, also of objects in lists.
func keepFields(value any, paths [][]string) any {
	switch value := value.(type) {
	case []any:
		kept := []any{}
		for _, element := range value {
			kept = append(kept, keepFields(element, paths))
		}
		return kept
	case map[string]any:
		kept := map[string]any{}
		for name, member := range value {
			var below [][]string
			whole := false
			for _, path := range paths {
				if path[0] == name {
					whole = whole || len(path) == 1
					below = append(below, path[1:])
				}
			}
			if whole {
				kept[name] = member
			} else if len(below) > 0 {
				kept[name] = keepFields(member, below)
			}
		}
		return kept
	}
	return value
}

// serve starts a server that answers each request with the text for its method and path, as in "GET /users", and
// returns its URL. It records requests in the returned list: method, path, query and body.
func serve(t *testing.T, answers map[string]string) (url string, requests *[]string) {
	requests = new([]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		*requests = append(*requests, strings.TrimSpace(r.Method+" "+r.URL.RequestURI()+" "+string(body)))
		answer, ok := answers[r.Method+" "+r.URL.Path]
		if !ok {
			t.Errorf("no answer to %s %s, only to %q", r.Method, r.URL.Path, slices.Sorted(maps.Keys(answers)))
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	return server.URL, requests
}

// compareRequests fails the test unless each request of a tool is followed by the same request of Go alone, or the
// other way round.
func compareRequests(t *testing.T, requests []string) {
	t.Helper()
	if len(requests) == 0 || len(requests)%2 != 0 {
		t.Fatalf("%d requests", len(requests))
	}
	for i := 0; i < len(requests); i += 2 {
		if requests[i] != requests[i+1] {
			t.Errorf("requests differ:\n%s\n%s", requests[i], requests[i+1])
		}
	}
}

// firstResult returns the first result of a function. It panics if the last is an error.
func firstResult[T any](result T, rest ...any) T {
	if len(rest) > 0 {
		if err, ok := rest[len(rest)-1].(error); ok {
			panic(err)
		}
	}
	return result
}

// newRegistry returns a registry with the tools that register adds.
func newRegistry(t *testing.T, register func(*tool.Registry) error) *tool.Registry {
	t.Helper()
	r := tool.NewRegistry()
	if err := register(r); err != nil {
		t.Fatal(err)
	}
	return r
}
