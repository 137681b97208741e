// Tokens prints, as JSON, what a model is told of the twelve tools of the example in
// several ways. Count.cjs counts the tokens:
//
//	go run ./tokens | node tokens/count.cjs
//
// which needs npm's gpt-tokenizer, in a node_modules of the folder or where NODE_PATH
// says.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/example/gen"
	"github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/llm/openai"
	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/prompt"
	"github.com/aiongen/aiongen/runtime/tool"
)

// A way is one of telling a model what tools there are.
type way struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

func main() {
	log.SetFlags(0)
	ways, err := ways()
	if err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(ways); err != nil {
		log.Fatal(err)
	}
}

func ways() ([]way, error) {
	registry := tool.NewRegistry()
	if err := gen.Register(registry, gen.Deps{Desk: tools.NewDesk(time.Now)}); err != nil {
		return nil, err
	}
	functions, err := openai.NewTools(false, registry.All()...)
	if err != nil {
		return nil, err
	}
	server, err := mcp.New(registry)
	if err != nil {
		return nil, err
	}
	own, err := listed(server.Handler())
	if err != nil {
		return nil, err
	}
	theirs, err := listed(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return peer() }, nil))
	if err != nil {
		return nil, err
	}
	return []way{
		{"as OpenAI functions", text(functions.Definitions())},
		{"prompt.Text", prompt.Text(registry.All())},
		{"tools/list of runtime/mcp", text(own)},
		{"tools/list of go-sdk, the same types and words", text(theirs)},
	}, nil
}

// listed asks a server for its tools.
func listed(handler http.Handler) ([]*sdk.Tool, error) {
	s := httptest.NewServer(handler)
	defer s.Close()
	client := sdk.NewClient(&sdk.Implementation{Name: "tokens"}, nil)
	session, err := client.Connect(context.Background(), &sdk.StreamableClientTransport{Endpoint: s.URL + "/mcp"}, nil)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	list, err := session.ListTools(context.Background(), nil)
	if err != nil {
		return nil, err
	}
	return list.Tools, nil
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		log.Fatal(err)
	}
	return string(b)
}
