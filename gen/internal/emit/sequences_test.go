package emit_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/sequences"
	"github.com/aiongen/aiongen/testdata/golden/sequences/cloud"
)

func registerSequences(t *testing.T, client *sequences.Client) *tool.Registry {
	t.Helper()
	r := tool.NewRegistry()
	if err := sequences.Register(r, sequences.Deps{Client: client}); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSequences calls tools whose functions return sequences with as many items as the list may have,
// with fewer, and with more.
func TestSequences(t *testing.T) {
	region := "eu"
	bucket := func(name string) *cloud.Bucket { return &cloud.Bucket{Name: name, Region: region} }
	client := &sequences.Client{Names: []string{"a", "b", "c"}, Pages: []cloud.ListResponse{
		{ListResult: cloud.ListResult{Value: []*cloud.Bucket{bucket("a"), bucket("b")}, NextLink: &region}},
		{ListResult: cloud.ListResult{Value: []*cloud.Bucket{nil}}},
	}}
	r := registerSequences(t, client)
	const ada = `{"id":1,"name":"Ada"}`
	for _, tt := range []struct{ name, arguments, want string }{
		{"users", `{"n":2}`, `{"items":[` + ada + `,{"id":2,"name":"Ada"}],"more":false}`},
		{"users", `{"n":3}`, `{"items":[` + ada + `,{"id":2,"name":"Ada"},{"id":3,"name":"Ada"}],"more":false}`},
		{"users", `{"n":4}`, `{"items":[` + ada + `,{"id":2,"name":"Ada"},{"id":3,"name":"Ada"}],"more":true}`},
		{"users", `{"n":0}`, `{"items":[],"more":false}`},
		{"users", `{"n":-1}`, `{"items":[],"more":false}`}, // nil
		{"list_names", ``, `{"items":["Ada","Bob"],"more":false}`},
		{"read", `{"n":3,"fail":false}`, `{"items":[0,1,2],"more":false}`},
		{"read", `{"n":4,"fail":true}`, `{"items":[0,1,2],"more":true}`}, // it is not read to its end
		{"ages", ``, `{"items":[{"key":"Ada","value":36}],"more":false}`},
		{"watch", `{"n":2}`, `{"items":[0,1],"more":false}`},
		{"watch", `{"n":9}`, `{"items":[0,1,2],"more":true}`},
		{"watch", `{"n":0}`, `{"items":[0,1,2],"more":true}`},
		{"list_buckets", ``, `{"items":[{"name":"a"},{"name":"b"}],"more":true}`},
		{"all_names", ``, `{"items":["a","b","c"],"more":false}`},
		{"list_pages", ``, `{"items":[{"name":"a","region":"eu"},{"name":"b","region":"eu"},null],"more":false}`},
		{"queues", ``, `{"items":["a","b","c"],"more":false}`},
		{"listings", ``, `{"items":[{"files":["a"],"folders":[]}],"more":true}`},
		{"batches", ``, `{"items":[1,2,3],"more":false}`},
		{"lines", ``, `{"items":["line","line"],"more":false}`},
		{"stream", ``, `{"items":[{"name":"stream","region":""},{"name":"stream","region":""}],"more":true}`},
		{"find", `{"query":"x"}`, `{"total":2,"users":{"items":[null,{"id":7,"name":"x"}],"more":false}}`},
		{"find_users", `{"query":"x"}`, `{"items":[null,{"id":7,"name":"x","secret":""}],"more":false}`},
		{"poll", ``, `{"items":[{"id":1,"secret":""}],"more":false}`},
		{"each", ``, `{"items":[{"key":"a","value":{"id":1,"name":""}}],"more":false}`},
		{"handlers", ``, `{"items":[{"key":"a"}],"more":false}`},
		{"bytes", ``, `{"items":[97,98],"more":false}`},
		{"lambda", `{"n":5}`, `{"items":[{"id":1,"name":"Ada","secret":"s"}],"more":true}`},
		{"client_names", ``, `{"items":["a","b"],"more":true}`},
		{"keys", ``, `{"items":["a","b"],"more":true}`},
		{"rows", ``, `{"n":1,"rows":{"items":[{"key":"a","value":{"name":"x"}}],"more":false}}`},
		{"scan", ``, `{"items":["a","b"],"more":true}`},
		{"query_one", `{"filter":"{\"a\":[1,null]}"}`, `{"a":[1,null]}`},
		{"query_one", `{"filter":"null"}`, `null`},
		{"query_two", ``, `{"n":2,"document":[1]}`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if call.Err != nil || string(call.Output) != tt.want {
			t.Errorf("%s(%s): %s, %v, want %s", tt.name, tt.arguments, call.Output, call.Err, tt.want)
		}
		if tt.name == "watch" {
			<-sequences.Ended // the tool does not leave a goroutine behind
		}
	}
	if call := r.Call(t.Context(), tool.Request{Name: "watch", Arguments: []byte(`{"n":-1}`)}); string(call.Output) != `{"items":[],"more":false}` {
		t.Errorf("nil channel: %s, %v", call.Output, call.Err)
	}
	if client.Closed != 3 {
		t.Errorf("the iterator, the lister and the scanner were closed %d times", client.Closed)
	}
	if client.Names = nil; string(r.Call(t.Context(), tool.Request{Name: "list_buckets"}).Output) != `{"items":[],"more":false}` {
		t.Error("a nil iterator is not empty")
	}
	if call := r.Call(t.Context(), tool.Request{Name: "client_names"}); string(call.Output) != `{"items":[],"more":false}` {
		t.Errorf("nil lister: %s, %v", call.Output, call.Err)
	}
}

// TestSequenceFaults checks that a sequence that fails is not a shorter list.
func TestSequenceFaults(t *testing.T) {
	client := &sequences.Client{Names: []string{"a", ""}, Pages: make([]cloud.ListResponse, 1), Err: errors.New("no route to host")}
	r := registerSequences(t, client)
	for _, tt := range []struct{ name, arguments, want string }{
		{"read", `{"n":-1,"fail":false}`, "n is negative"},
		{"read", `{"n":2,"fail":true}`, "the disk is broken"},
		{"read", `{"n":3,"fail":true}`, "the disk is broken"},
		{"list_buckets", ``, "a bucket has no name"},
		{"list_pages", ``, "no route to host"},
		{"client_names", ``, "no route to host"},
		{"rows", ``, "no route to host"},
		{"scan", ``, "no route to host"},
		{"query_one", `{"filter":"x"}`, "invalid character 'x'"},
		{"query", `{"filter":{}}`, "invalid character 'a'"},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if call.Err == nil || !strings.Contains(call.Err.Error(), tt.want) || call.Output != nil {
			t.Errorf("%s(%s): %s, %v, want %s", tt.name, tt.arguments, call.Output, call.Err, tt.want)
		}
	}
	if client.Closed != 3 {
		t.Errorf("the iterator, the scanner and the cursor were closed %d times", client.Closed)
	}
	client.Names = []string{"a", "b", "c"}
	if call := r.Call(t.Context(), tool.Request{Name: "client_names"}); string(call.Output) != `{"items":["a","b"],"more":true}` {
		t.Errorf("a list that is not read to its end: %s, %v", call.Output, call.Err)
	}
	if _, ok := errors.AsType[*tool.PanicError](r.Call(t.Context(), tool.Request{Name: "panic"}).Err); !ok {
		t.Error("a panic of a sequence is not reported")
	}
	for _, name := range []string{"all_names", "subscribe"} {
		ctx, cancel := context.WithCancel(t.Context())
		client.Cancel = cancel
		if call := r.Call(ctx, tool.Request{Name: name}); !errors.Is(call.Err, context.Canceled) || call.Output != nil {
			t.Errorf("%s: %s, %v, want the error of the context", name, call.Output, call.Err)
		}
	}
}

// TestCursor decodes the items of a cursor, and closes it even if the context is canceled.
func TestCursor(t *testing.T) {
	client := &sequences.Client{Names: []string{`{"a":1}`, `[null]`}}
	r := registerSequences(t, client)
	request := tool.Request{Name: "query", Arguments: []byte(`{"filter":{}}`)}
	if call := r.Call(t.Context(), request); call.Err != nil || string(call.Output) != `{"items":[{"a":1},[null]],"more":false}` {
		t.Errorf("query: %s, %v", call.Output, call.Err)
	}
	client.Names = append(client.Names, "3")
	if call := r.Call(t.Context(), request); call.Err != nil || string(call.Output) != `{"items":[{"a":1},[null]],"more":true}` {
		t.Errorf("query with another document: %s, %v", call.Output, call.Err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	client.Cancel = cancel
	if call := r.Call(ctx, request); !errors.Is(call.Err, context.Canceled) || call.Output != nil {
		t.Errorf("canceled: %s, %v", call.Output, call.Err)
	}
	if client.Closed != 3 {
		t.Errorf("the cursor was closed %d times", client.Closed)
	}
}

// TestSequenceByReference passes an iterator from one tool to another.
func TestSequenceByReference(t *testing.T) {
	r := registerSequences(t, &sequences.Client{})
	ctx := tool.WithScope(t.Context(), tool.NewScope())
	if call := r.Call(ctx, tool.Request{Name: "open", Arguments: []byte(`{"names":["a"]}`)}); call.Err != nil {
		t.Fatal(call.Err)
	}
	call := r.Call(ctx, tool.Request{Name: "take", Arguments: []byte(`{"it":"<<var:bucket_iterator_1>>"}`)})
	if want := `{"name":"a","region":"eu"}`; call.Err != nil || string(call.Output) != want {
		t.Errorf("%s, %v, want %s", call.Output, call.Err, want)
	}
}
