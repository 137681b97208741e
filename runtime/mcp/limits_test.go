package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// A result above the limit becomes an error. If its second copy exceeds the limit, that is omitted.
func TestMaxResult(t *testing.T) {
	const limit = 10_000
	r := tool.NewRegistry()
	r.Replace(textTool("echo", echoText))
	r.Replace(textTool("fail", func(_ context.Context, text string) (string, error) { return "", errors.New(text) }))
	r.Replace(newDynamicTool(t, "object", oneText, `{"type":"object"}`, func(_ context.Context, a json.RawMessage) (any, error) { return a, nil }))
	r.Replace(textTool("image", func(ctx context.Context, text string) (string, error) {
		tool.ExchangeFrom(ctx).Attach(content.Image("image/png", []byte(text)))
		return "an image", nil
	}))
	r.Replace(textTool("blocks", func(ctx context.Context, text string) (string, error) {
		for _, c := range strings.Split(text, "") {
			tool.ExchangeFrom(ctx).Attach(content.Text(c))
		}
		return "many blocks", nil
	}))
	r.Replace(textTool("link", func(ctx context.Context, text string) (string, error) {
		tool.ExchangeFrom(ctx).Attach(content.Link("https://example.com/?"+text, "there"))
		return "a link", nil
	}))
	r.Replace(textTool("reply", func(ctx context.Context, text string) (string, error) {
		quoted, err := json.Marshal(text)
		tool.ExchangeFrom(ctx).Reply("example.com/key", quoted)
		return "a reply", err
	}))
	text := func(n int, of string) string {
		quoted, err := json.Marshal(strings.Repeat(of, n))
		if err != nil {
			t.Fatal(err)
		}
		return `{"text":` + string(quoted) + `}`
	}
	server := httptest.NewServer(newServer(t, r, mcp.MaxResult(limit)).Handler())
	defer server.Close()
	eachVersion(t, func(t *testing.T, version string) {
		session := openSDKSession(t, &sdk.StreamableClientTransport{Endpoint: server.URL}, version, nil)
		defer session.Close()
		for _, tt := range []struct {
			name, arguments string
			structured      bool
			want            string // of an error
		}{
			{"echo", text(4900, "x"), true, ""},
			{"echo", text(5100, "x"), false, ""},
			{"echo", text(9900, "x"), false, ""},
			{"echo", text(10_100, "x"), false, "echo ran, but its result has 10126 bytes, more than the limit of 10000."},
			{"echo", text(5100, "\n"), false, "echo ran, but its result has 10226 bytes"},
			{"echo", text(2000, "\x01"), false, "echo ran, but its result has 12026 bytes"},
			{"echo", text(1700, "<"), false, "echo ran, but its result has 10226 bytes"},
			{"echo", text(1700, "\u2028"), false, "echo ran, but its result has 10226 bytes"},
			{"echo", text(1000, "&"), false, ""},
			{"object", text(1000, ">"), false, ""},
			{"blocks", text(300, "x"), true, ""},
			{"blocks", text(1000, "x"), false, "blocks ran, but its result has "},
			{"object", text(4900, "x"), true, ""},
			{"object", text(5100, "x"), false, ""},
			{"image", text(7000, "x"), true, ""},
			{"image", text(8000, "x"), false, "image ran, but its result has "},
			{"link", text(10_000, "x"), false, "link ran, but its result has "},
			{"reply", text(10_000, "x"), false, "reply ran, but its result has "},
			{"fail", text(10_100, "x"), false, "fail failed"},
		} {
			result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tt.name, Arguments: json.RawMessage(tt.arguments)})
			if err != nil {
				t.Fatal(tt.name, err)
			}
			raw, err := json.Marshal(result)
			if err != nil {
				t.Fatal(err)
			}
			said, _ := result.Content[0].(*sdk.TextContent)
			if result.IsError != (tt.want != "") || !strings.HasPrefix(said.Text, tt.want) || (result.StructuredContent != nil) != tt.structured || len(raw) > limit+500 {
				t.Errorf("%s of %d bytes: %d bytes, %.200s", tt.name, len(tt.arguments), len(raw), raw)
			}
		}
	})
}

// The limit applies to the sent bytes, even if the SDK sends the result, because it escapes more
// characters.
func TestMaxResultBySDK(t *testing.T) {
	const limit = 10_000
	r := tool.NewRegistry()
	r.Replace(textTool("echo", func(ctx context.Context, text string) (string, error) {
		tool.ExchangeFrom(ctx).Progress(1, 2, "half")
		return text, nil
	}))
	h := newServer(t, r, mcp.MaxResult(limit)).Handler()
	in := openSession(t, h, withSessions, `{}`)
	for _, of := range []string{"x", "<", "&", "\u2028", "\x7f", "\ufffd"} {
		for n := 200; n < limit; n += n / 2 {
			quoted := `{"text":"` + strings.Repeat(of, n) + `"}`
			message := strings.Replace(callInSession(`1`, "echo", quoted), `"arguments"`, `"_meta":{"progressToken":1},"arguments"`, 1)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, newRequest(message, "*/*", in...))
			if body := w.Body.String(); !strings.Contains(body, "half") || len(body) > limit+500 {
				t.Errorf("%d times %q: %d bytes: %.300s", n, of, len(body), body)
			}
		}
	}
}

// A long result with the default limit neither ends the session nor is sent twice.
func TestLongResult(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		session := connectClient(t, newServer(t, newDesk(t)), version, nil)
		for text, fits := range map[string]bool{"x": true, "xxx": true, "xxxxx": false, "xxxxxxxx": false} { // MiB
			got, structured, isError := callTool(t, session, "repeat", `{"text":"`+text+`"}`)
			if isError == fits || fits && len(got) != len(text)<<20 || !fits && !strings.Contains(got, "4194304") || structured != "" && len(text) > 1 {
				t.Errorf("%d MiB: %d bytes, structured %d, error %v", len(text), len(got), len(structured), isError)
			}
		}
		if text, _, isError := callTool(t, session, "echo", `{"text":"on"}`); text != "on" || isError {
			t.Error(text)
		}
	})
}

// Prompts and resources have the same limit.
func TestMaxResultOfOthers(t *testing.T) {
	s := newServer(t, tool.NewRegistry(), mcp.MaxResult(1000))
	err := errors.Join(
		s.AddPrompt(mcp.Prompt{Name: "p", Arguments: []mcp.Argument{{Name: "n"}}, Write: func(_ context.Context, a map[string]string) ([]content.Part, error) {
			return []content.Part{content.Text(a["n"]), content.Text(a["n"])}, nil
		}}),
		s.AddResource(mcp.Resource{URI: "note://{n}", Name: "n", Read: func(_ context.Context, v map[string]string) (content.Part, error) {
			return content.File("", "application/octet-stream", []byte("\xff"+v["n"])), nil
		}}),
	)
	if err != nil {
		t.Fatal(err)
	}
	session := connectClient(t, s, stateless, nil)
	for n, fits := range map[int]bool{300: true, 400: true, 600: false} {
		if _, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "note://" + strings.Repeat("x", n)}); (err == nil) != fits || !fits && !strings.Contains(err.Error(), "more than the limit of 1000") {
			t.Errorf("resource of %d bytes: %v", n, err)
		}
	}
	for n, fits := range map[int]bool{400: true, 600: false} {
		if _, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "p", Arguments: map[string]string{"n": strings.Repeat("x", n)}}); (err == nil) != fits || !fits && !strings.Contains(err.Error(), "the prompt p has 1252 bytes, more than the limit of 1000") {
			t.Errorf("prompt of twice %d bytes: %v", n, err)
		}
	}
}

// A person approves the arguments that the function receives, not those that the model wrote.
func TestApprovalOfRepaired(t *testing.T) {
	const input = `{"type":"object","properties":{"to":{"type":"string"},"n":{"type":"integer"}},"required":["to"],"additionalProperties":false}`
	for _, arguments := range []string{
		`{"to":["bob"]}`, `{"to":7}`, `"{\"to\":\"bob\"}"`, `{"to":"bob","cc":"mallory"}`, `{"to":"bob","n":"3"}`, `{"to":"bob"}`,
	} {
		eachVersion(t, func(t *testing.T, version string) {
			r := tool.NewRegistry(tool.Tolerant(repair.Arguments), tool.Use(middleware.Gate(middleware.RequireApproval())))
			ran, asked := "", ""
			r.Replace(newDynamicTool(t, "pay", input, "", func(_ context.Context, a json.RawMessage) (any, error) {
				ran = string(a)
				return "paid", nil
			}))
			session := connectClient(t, newServer(t, r), version, clientOptions(func(p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
				asked = p.Message
				return &sdk.ElicitResult{Action: "accept"}, nil
			}))
			result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "pay", Arguments: json.RawMessage(arguments)})
			if err != nil {
				t.Fatal(err)
			}
			var got map[string]any
			if ran != "" && json.Unmarshal([]byte(ran), &got) != nil {
				t.Errorf("%s: it ran with %s", arguments, ran)
			}
			sorted, _ := json.Marshal(got)
			if want := fmt.Sprintf("May pay run with %s?", sorted); ran != "" && asked != want || ran == "" && asked != "" {
				t.Errorf("%s: asked is %q, it ran with %q", arguments, asked, ran)
			}
			if result.IsError != (ran == "") {
				t.Errorf("%s: %+v", arguments, result)
			}
		})
	}
}

// The option for the limit of results is checked when the server is created.
func TestNoMaxResult(t *testing.T) {
	if _, err := mcp.New(newDesk(t), mcp.MaxResult(0)); err == nil || !strings.Contains(err.Error(), "MaxResult") {
		t.Error(err)
	}
}
