// Tokens prints, as JSON, several presentations of the example's twelve tools to a model. Count.cjs counts
// their tokens:
//
//	go run ./tokens | node tokens/count.cjs
//
// It needs npm's gpt-tokenizer, in node_modules or where NODE_PATH says.
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
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// A presentation is a way to describe the tools to a model.
type presentation struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

func main() {
	log.SetFlags(0)
	ways, err := listWays()
	if err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(ways); err != nil {
		log.Fatal(err)
	}
}

func listWays() ([]presentation, error) {
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
	own, err := listTools(server.Handler())
	if err != nil {
		return nil, err
	}
	theirs, err := listTools(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return newPeerServer() }, nil))
	if err != nil {
		return nil, err
	}
	return []presentation{
		{"as OpenAI functions", marshalText(functions.Definitions())},
		{"schema.Describe", schema.Describe(registry.All())},
		{"tools/list of runtime/mcp", marshalText(own)},
		{"tools/list of go-sdk, the same types and words", marshalText(theirs)},
	}, nil
}

// listTools lists the tools of a server.
func listTools(handler http.Handler) ([]*sdk.Tool, error) {
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

func marshalText(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		log.Fatal(err)
	}
	return string(b)
}
