package bench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/bytedance/sonic"
	einotool "github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	mark3labs "github.com/mark3labs/mcp-go/mcp"
	_ "github.com/mark3labs/mcp-go/server" // for the programs of the table
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/sashabaranov/go-openai/jsonschema"

	"github.com/aiongen/aiongen/bench/search"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// toolCount is how many tools each peer has; one of them is called.
const toolCount = 100

// A call looks the search tool up by name, decodes the payload, runs the function and encodes its result.
type call func(ctx context.Context, payload []byte) (json.RawMessage, error)

// peers are set up for each benchmark.
var peers = []struct {
	name  string
	setUp func(testing.TB) call
}{
	{"encoding-json", newByHand(json.Unmarshal, json.Marshal)},
	{"aiongen", newAiongen},
	{"sonic", newByHand(sonic.Unmarshal, sonic.Marshal)},
	{"eino", newEino},
	{"mcp-go", newMCPGo},
	{"go-openai", newGoOpenAI},
	{"go-sdk", newGoSDK},
	{"genkit", newGenkit},
}

func toolName(i int) string {
	if i == 0 {
		return "search"
	}
	return fmt.Sprint("tool_", i)
}

// newByHand is the code that one would write without a library for tools: a map of functions that do
// not validate.
func newByHand(unmarshal func([]byte, any) error, marshal func(any) ([]byte, error)) func(testing.TB) call {
	return func(testing.TB) call {
		find := func(ctx context.Context, payload []byte) (json.RawMessage, error) {
			var a search.Args
			if err := unmarshal(payload, &a); err != nil {
				return nil, err
			}
			r, err := search.Find(ctx, a)
			if err != nil {
				return nil, err
			}
			return marshal(r)
		}
		tools := map[string]call{}
		for i := range toolCount {
			tools[toolName(i)] = find
		}
		return func(ctx context.Context, payload []byte) (json.RawMessage, error) {
			return tools["search"](ctx, payload)
		}
	}
}

func newAiongen(tb testing.TB) call {
	r := tool.NewRegistry()
	if err := search.Register(r); err != nil {
		tb.Fatal(err)
	}
	for i := 1; i < toolCount; i++ {
		d := search.SearchTool().Tool.Definition()
		d.Name = toolName(i)
		r.Replace(tool.NewTypedTool(&d, wire.Value.Raw, func(_ context.Context, a json.RawMessage) (json.RawMessage, error) { return a, nil }, (*wire.Encoder).RawJSON).Tool)
	}
	return func(ctx context.Context, payload []byte) (json.RawMessage, error) {
		c := r.Call(ctx, tool.Request{Name: "search", Arguments: payload})
		return c.Output, c.Err
	}
}

func newEino(tb testing.TB) call {
	tools := map[string]einotool.InvokableTool{}
	for i := range toolCount {
		t, err := utils.InferTool(toolName(i), "Searches the archive.", search.Find)
		if err != nil {
			tb.Fatal(err)
		}
		tools[toolName(i)] = t
	}
	return func(ctx context.Context, payload []byte) (json.RawMessage, error) {
		text, err := tools["search"].InvokableRun(ctx, string(payload))
		return json.RawMessage(text), err
	}
}

// newMCPGo decodes the arguments into a map, as mcp-go's server does, and passes them to a typed handler.
func newMCPGo(testing.TB) call {
	type handler = func(context.Context, mark3labs.CallToolRequest) (*mark3labs.CallToolResult, error)
	tools := map[string]handler{}
	for i := range toolCount {
		tools[toolName(i)] = mark3labs.NewStructuredToolHandler(func(ctx context.Context, _ mark3labs.CallToolRequest, a search.Args) (search.Result, error) {
			return search.Find(ctx, a)
		})
	}
	return func(ctx context.Context, payload []byte) (json.RawMessage, error) {
		var request mark3labs.CallToolRequest
		if err := json.Unmarshal(payload, &request.Params.Arguments); err != nil {
			return nil, err
		}
		result, err := tools["search"](ctx, request)
		if err != nil {
			return nil, err
		}
		return json.Marshal(result.StructuredContent)
	}
}

func newGoOpenAI(tb testing.TB) call {
	schema, err := jsonschema.GenerateSchemaForType(search.Args{})
	if err != nil {
		tb.Fatal(err)
	}
	tools := map[string]*jsonschema.Definition{}
	for i := range toolCount {
		tools[toolName(i)] = schema
	}
	return func(ctx context.Context, payload []byte) (json.RawMessage, error) {
		var a search.Args
		if err := tools["search"].Unmarshal(string(payload), &a); err != nil {
			return nil, err
		}
		r, err := search.Find(ctx, a)
		if err != nil {
			return nil, err
		}
		return json.Marshal(r)
	}
}

// newGoSDK calls through a session, because there is no other way. Its numbers are therefore those of
// a client and a server in one process.
func newGoSDK(tb testing.TB) call {
	server := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	for i := range toolCount {
		mcp.AddTool(server, &mcp.Tool{Name: toolName(i)}, func(ctx context.Context, _ *mcp.CallToolRequest, a search.Args) (*mcp.CallToolResult, search.Result, error) {
			r, err := search.Find(ctx, a)
			return nil, r, err
		})
	}
	ctx := context.Background()
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, there, nil); err != nil {
		tb.Fatal(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(ctx, here, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = client.Close() })
	return func(ctx context.Context, payload []byte) (json.RawMessage, error) {
		result, err := client.CallTool(ctx, &mcp.CallToolParams{Name: "search", Arguments: json.RawMessage(payload)})
		if err != nil {
			return nil, err
		}
		return json.Marshal(result.StructuredContent)
	}
}

func newGenkit(testing.TB) call {
	g := genkit.Init(context.Background())
	for i := range toolCount {
		genkit.DefineTool(g, toolName(i), "Searches the archive.", func(ctx *ai.ToolContext, a search.Args) (search.Result, error) {
			return search.Find(ctx, a)
		})
	}
	return func(ctx context.Context, payload []byte) (json.RawMessage, error) {
		var a any
		if err := json.Unmarshal(payload, &a); err != nil {
			return nil, err
		}
		r, err := genkit.LookupTool(g, "search").RunRaw(ctx, a)
		if err != nil {
			return nil, err
		}
		return json.Marshal(r)
	}
}

// wantResult is the result of the call.
const wantResult = `{"ok":true,"count":25,"message":"author"}`

// TestPeers checks that all peers return the same result.
func TestPeers(t *testing.T) {
	for _, peer := range peers {
		var got, wanted search.Result
		out, err := peer.setUp(t)(t.Context(), []byte(search.Payload))
		if err != nil {
			t.Errorf("%s: %v", peer.name, err)
			continue
		}
		if err := json.Unmarshal(out, &got); err != nil {
			t.Errorf("%s: %v", peer.name, err)
		}
		if err := json.Unmarshal([]byte(wantResult), &wanted); err != nil || got != wanted {
			t.Errorf("%s: got %s", peer.name, out)
		}
	}
}

// BenchmarkCall measures one call of one of a hundred tools.
func BenchmarkCall(b *testing.B) {
	for _, peer := range peers {
		b.Run(peer.name, func(b *testing.B) {
			run := peer.setUp(b)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := run(b.Context(), []byte(search.Payload)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRegister measures setting up a hundred tools.
func BenchmarkRegister(b *testing.B) {
	for _, peer := range peers {
		b.Run(peer.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				peer.setUp(b)
			}
		})
	}
}
