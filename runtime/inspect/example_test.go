package inspect_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"github.com/aiongen/aiongen/runtime/inspect"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// A program shows its tools on a page, which is mounted next to other handlers. Listen serves the page
// alone.
func Example() {
	greet, err := schema.Dynamic(tool.Definition{
		Name:        "greet",
		Description: "Greets a person.",
		Input:       json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`),
		Annotations: tool.Annotations{ReadOnly: true},
	}, func(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) {
		var person struct{ Name string }
		if err := json.Unmarshal(arguments, &person); err != nil {
			return nil, err
		}
		return json.Marshal("Hello, " + person.Name)
	})
	if err != nil {
		log.Fatal(err)
	}
	registry := tool.NewRegistry()
	if err := registry.Register(greet); err != nil {
		log.Fatal(err)
	}
	page, err := inspect.New(inspect.Config{Tools: registry})
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/inspect/", http.StripPrefix("/inspect", page))

	server := httptest.NewServer(mux) // instead of http.ListenAndServe
	defer server.Close()
	response, err := http.PostForm(server.URL+"/inspect/call", url.Values{"name": {"greet"}, "value/name": {"Ada"}}) // as the form on the page does
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.Status, strings.Contains(string(text), "Hello, Ada"))
	// Output: 200 OK true
}
