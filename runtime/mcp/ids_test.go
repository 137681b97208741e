package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/tool"
)

// oddIDs are IDs that float64 or int64 cannot represent, or that can be written in several ways.
var oddIDs = []string{
	"1763807093614000001", "12345678901234567890", "-9007199254740993", "1.5", "1.0", "1e3", "1E+2", "-0", "1e400", "0.1", "7", `"7"`,
	`"a\u0062\"<"`, `"é"`, `"\ud800"`, `"\/"`, `""`,
}

// answerID returns the ID of an answer as it is written, and whether the answer is an error.
func answerID(t *testing.T, answer []byte) (id string, isError bool) {
	t.Helper()
	if _, data, isStream := bytes.Cut(answer, []byte("data: ")); isStream {
		answer = data
	}
	var m struct {
		ID    json.RawMessage
		Error json.RawMessage
	}
	if err := json.NewDecoder(bytes.NewReader(answer)).Decode(&m); err != nil {
		t.Fatalf("%s: %v", answer, err)
	}
	return string(m.ID), m.Error != nil
}

// IDs are returned over HTTP as they were written, with and without the SDK.
func TestHTTPIDs(t *testing.T) {
	server := httptest.NewServer(newServer(t, newTalkativeRegistry(t)).Handler())
	defer server.Close()
	session := sendRequest(t, http.MethodPost, server.URL, initialize).Header.Get("Mcp-Session-Id")
	const none = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	for _, id := range oddIDs {
		begin := `{"jsonrpc":"2.0","id":` + id + `,"method":`
		for name, tt := range map[string]struct {
			message string
			headers []string
			isError bool
		}{
			"in a session":         {begin + `"tools/call","params":{"name":"echo","arguments":{"text":"x"}}}`, []string{"Mcp-Session-Id", session}, false},
			"a ping in a session":  {begin + `"ping"}`, []string{"Mcp-Session-Id", session}, false},
			"an unknown tool":      {begin + `"tools/call","params":{"name":"nobody","arguments":{}}}`, []string{"Mcp-Session-Id", session}, true},
			"wrong parameters":     {begin + `"tools/call","params":{"name":7}}`, []string{"Mcp-Session-Id", session}, true},
			"a new session":        {begin + initialize[strings.Index(initialize, `"initialize"`):], nil, false},
			"direct":               {call2026(id, "echo", `{"text":"x"}`, `{}`), []string{"Mcp-Protocol-Version", stateless, "Mcp-Method", "tools/call", "Mcp-Name", "echo"}, false},
			"by the SDK":           {call2026(id, "echo", `{"text":"x"}`, `{}`), []string{"Mcp-Protocol-Version", stateless, "Mcp-Method", "tools/call", "Mcp-Name", "echo", "Accept", "application/*, text/*"}, false},
			"a list":               {begin + `"tools/list","params":{` + none + `}}`, []string{"Mcp-Protocol-Version", stateless, "Mcp-Method", "tools/list"}, false},
			"an unknown method":    {begin + `"nothing","params":{` + none + `}}`, []string{"Mcp-Protocol-Version", stateless, "Mcp-Method", "nothing"}, true},
			"another header":       {begin + `"tools/list","params":{` + none + `}}`, []string{"Mcp-Protocol-Version", stateless, "Mcp-Method", "tools/call"}, true},
			"parameters of a list": {begin + `"tools/list","params":[]}`, []string{"Mcp-Protocol-Version", stateless, "Mcp-Method", "tools/list"}, true},
		} {
			answer, err := io.ReadAll(sendRequest(t, http.MethodPost, server.URL, tt.message, tt.headers...).Body)
			if err != nil {
				t.Fatal(err)
			}
			if got, isError := answerID(t, answer); got != id || isError != tt.isError {
				t.Errorf("%s with ID %s: %s", name, id, answer)
			}
		}
	}
}

// Requests of a batch keep their IDs, and a canceled one is found by its ID.
func TestHTTPCancelByID(t *testing.T) {
	wait, began, ended := newWaitingTool()
	r := newDesk(t)
	r.Replace(wait)
	server := httptest.NewServer(newServer(t, r).Handler())
	defer server.Close()
	session := sendRequest(t, http.MethodPost, server.URL, initialize).Header.Get("Mcp-Session-Id")
	batch, err := io.ReadAll(sendRequest(t, http.MethodPost, server.URL, `[{"jsonrpc":"2.0","id":1.5,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "Mcp-Session-Id", session).Body)
	if err != nil || !bytes.Contains(batch, []byte(`"id":1.5`)) || !bytes.Contains(batch, []byte(`"id":1,`)) {
		t.Errorf("%s, %v", batch, err)
	}
	for _, id := range []string{"1763807093614000001", "2.5", `"\ud800"`} {
		answered := make(chan bool)
		go func() {
			_, _ = io.Copy(io.Discard, sendRequest(t, http.MethodPost, server.URL, `{"jsonrpc":"2.0","id":`+id+`,"method":"tools/call","params":{"name":"wait","arguments":{"text":""}}}`, "Mcp-Session-Id", session).Body)
			answered <- true
		}()
		<-began
		sendRequest(t, http.MethodPost, server.URL, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+id+`}}`, "Mcp-Session-Id", session)
		<-ended
		<-answered
	}
}

// TestProgressTokens checks that progress has the token that the client wrote, in each protocol version,
// for calls with and without the SDK.
func TestProgressTokens(t *testing.T) {
	r := tool.NewRegistry()
	r.Replace(textTool("run", func(ctx context.Context, _ string) (string, error) {
		tool.ExchangeFrom(ctx).Progress(1, 2, "half")
		return "", nil
	}))
	s := newServer(t, r)
	if err := s.AddPrompt(mcp.Prompt{Name: "run", Description: "Runs.", Write: func(ctx context.Context, _ map[string]string) ([]content.Part, error) {
		tool.ExchangeFrom(ctx).Progress(1, 2, "half")
		return nil, nil
	}}); err != nil {
		t.Fatal(err)
	}
	h := s.Handler()
	session := openSession(t, h, withSessions, `{}`)
	line := newLineClient(t, s)
	line(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"n","version":"v"}}}`)
	send := func(message string, headers ...string) string {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, newRequest(message, "application/json, text/event-stream", headers...))
		return w.Body.String()
	}
	for _, token := range []string{`1`, `-7`, `9007199254740993`, `12345678901234567890`, `1763807093614000001`, `1.5`, `1e2`, `"1"`, `"a b"`, `"` + strings.Repeat("x", 1000) + `"`} {
		plain := func(method string) string {
			return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"name":"run","arguments":{"text":""},"_meta":{"progressToken":` + token + `}}}`
		}
		for name, got := range map[string]string{
			"call in session":   send(plain("tools/call"), session...),
			"prompt in session": send(plain("prompts/get"), session...),
			"call":              send(call2026(`1`, "run", `{"text":""}`, `{},"progressToken":`+token), "Mcp-Name", "run"),
			"call over stdio":   line(plain("tools/call")) + line(""), // two lines
			"call by the SDK":   send(strings.Replace(plain("tools/call"), `"_meta":{`, `"_meta":{"io.modelcontextprotocol/other":1,`, 1), session...),
		} {
			if !strings.Contains(got, `"progressToken":`+token+`,`) && !strings.Contains(got, `"progressToken":`+token+`}`) {
				t.Errorf("%s, %.50s: %.300s", name, token, got)
			}
		}
	}
}
