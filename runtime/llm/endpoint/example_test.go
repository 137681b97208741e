package endpoint_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

// An answer is sent through the transport of a client, and read without it.
func ExampleAnswer() {
	send := func(*http.Request) (*http.Response, error) {
		body := `{"model":"m-1","usage":{"input":"12","output":-1},"text":null}`
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
	r, err := http.NewRequest(http.MethodPost, "https://models.example/v1?key=secret-1", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var answer endpoint.Answer
	defer answer.Close()
	if _, err := answer.Send(r, send); err != nil {
		fmt.Println(err)
		return
	}
	document, err := answer.ReadDocument()
	usage := document.Object("usage")
	fmt.Printf("%q %d %d %q %v\n", document.Text("model"), usage.Count("input"), usage.Count("output"), document.Text("text"), err)
	fmt.Println(answer.NewError(llm.Unauthorized, "invalid key:\nsecret-1"))
	// Output:
	// "m-1" 12 0 "" <nil>
	// model: unauthorized (status 200): invalid key: [hidden]
}

// The members of a request keep their order. Extra members follow, and extend objects.
func ExampleObject() {
	var settings, body endpoint.Object
	settings.Add("effort", "low")
	body.Add("model", "m")
	body.Add("settings", &settings)
	body.Add("messages", json.RawMessage(`[{"text" : "<hi>"}]`))
	fmt.Println(body.AddExtra(map[string]json.RawMessage{"settings": json.RawMessage(`{"detail":1}`), "cache": json.RawMessage(`true`)}))
	text, err := body.MarshalJSON()
	fmt.Println(string(text), err)
	fmt.Println(body.AddExtra(map[string]json.RawMessage{"settings": json.RawMessage(`{"effort":"high"}`)}))
	// Output:
	// <nil>
	// {"model":"m","settings":{"effort":"low","detail":1},"messages":[{"text" : "<hi>"}],"cache":true} <nil>
	// the request already contains the extra member "settings.effort": leave it out
}
