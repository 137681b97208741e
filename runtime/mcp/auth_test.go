package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/tool"
)

// verifyToken accepts the tokens of ann and bob, an expired one, and one with too few permissions.
func verifyToken(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	switch token {
	case "ann", "bob":
		return &auth.TokenInfo{UserID: token, Scopes: []string{"other", "tools"}}, nil
	case "old":
		return &auth.TokenInfo{UserID: "ann", Scopes: []string{"tools"}, Expiration: time.Now().Add(-time.Minute)}, nil
	case "little":
		return &auth.TokenInfo{UserID: "ann"}, nil
	case "broken":
		return nil, errors.New("the database says secret things")
	case "nil":
		return nil, nil
	}
	return nil, auth.ErrInvalidToken
}

// TestVerify sends requests with all kinds of tokens.
func TestVerify(t *testing.T) {
	const metadata = `resource_metadata="https://tools.example/.well-known/oauth-protected-resource/mcp", scope="tools"`
	server := httptest.NewServer(newServer(t, newDesk(t), mcp.Verify(verifyToken, "tools"), mcp.Token("secret"), mcp.ProtectedResource(oauthex.ProtectedResourceMetadata{
		Resource: "https://tools.example/mcp", AuthorizationServers: []string{"https://login.example"},
	})).Handler())
	defer server.Close()
	for _, tt := range []struct {
		authorization, challenge string
		status                   int
	}{
		{"Bearer ann", "", 200},
		{"bearer  bob", "", 200},
		{"Bearer secret", "", 200},
		{"", "Bearer " + metadata, 401},
		{"Basic ann", "Bearer " + metadata, 401},
		{"Bearer", "Bearer " + metadata, 401},
		{"Bearer ann bob", "Bearer " + metadata, 401},
		{"Bearer carl", `Bearer error="invalid_token", ` + metadata, 401},
		{"Bearer old", `Bearer error="invalid_token", ` + metadata, 401},
		{"Bearer little", `Bearer error="insufficient_scope", ` + metadata, 403},
		{"Bearer broken", "", 503},
		{"Bearer nil", "", 503},
	} {
		answer := sendRequest(t, http.MethodPost, server.URL, initialize, "Authorization", tt.authorization)
		body, err := io.ReadAll(answer.Body)
		if answer.StatusCode != tt.status || answer.Header.Get("WWW-Authenticate") != tt.challenge || err != nil {
			t.Errorf("%q: %s, %q", tt.authorization, answer.Status, answer.Header.Get("WWW-Authenticate"))
		}
		if strings.Contains(string(body), "secret") {
			t.Errorf("%q: %s", tt.authorization, body)
		}
	}
}

// TestProtectedResource checks that everybody, including web pages, can read how to get a token.
func TestProtectedResource(t *testing.T) {
	options := []mcp.Option{mcp.Verify(verifyToken), mcp.ProtectedResource(oauthex.ProtectedResourceMetadata{
		Resource: "https://tools.example/mcp", AuthorizationServers: []string{"https://login.example"},
	})}
	root := strings.TrimSuffix(listenHTTP(t, newDesk(t), options...), "/mcp")
	for _, path := range []string{"", "/mcp"} {
		answer := sendRequest(t, http.MethodGet, root+"/.well-known/oauth-protected-resource"+path, "", "Origin", "https://attacker.example")
		var m oauthex.ProtectedResourceMetadata
		if err := json.NewDecoder(answer.Body).Decode(&m); err != nil || answer.StatusCode != 200 || m.Resource != "https://tools.example/mcp" || answer.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%v: %s %+v", err, answer.Status, m)
		}
	}
	if answer := sendRequest(t, http.MethodGet, root+"/.well-known/oauth-protected-resource", "", "Host", "attacker.example"); answer.StatusCode != 403 {
		t.Errorf("by another host: %s", answer.Status)
	}
}

// TestCaller checks that a function knows its caller, and that no other user can use a session.
func TestCaller(t *testing.T) {
	r := tool.NewRegistry()
	r.Replace(textTool("who", func(ctx context.Context, _ string) (string, error) {
		return tool.ExchangeFrom(ctx).Caller().User, nil
	}))
	url := listenHTTP(t, r, mcp.Verify(verifyToken), mcp.Token("secret"))
	eachVersion(t, func(t *testing.T, version string) {
		user := "ann"
		session := openSDKSession(t, &sdk.StreamableClientTransport{Endpoint: url, MaxRetries: -1, DisableStandaloneSSE: true, HTTPClient: &http.Client{
			Transport: roundTripFunc(func(r *http.Request) (*http.Response, error) {
				r.Header.Set("Authorization", "Bearer "+user)
				return http.DefaultTransport.RoundTrip(r)
			}),
		}}, version, nil)
		for _, user = range []string{"ann", "bob", "secret"} {
			result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "who", Arguments: json.RawMessage(`{"text":""}`)})
			switch mayCall := version == stateless || user == "ann"; {
			case !mayCall && err == nil:
				t.Errorf("%s calls in the session of ann", user)
			case mayCall && (err != nil || result.Content[0].(*sdk.TextContent).Text != strings.TrimPrefix(user, "secret")):
				t.Errorf("%s: %v, %v", user, err, result)
			}
		}
		user = "ann"
		_ = session.Close() // a refused request breaks its session
	})
}

type roundTripFunc func(*http.Request) (*http.Response, error)

func (f roundTripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestOrigins checks that pages of permitted origins can read all responses, including errors, and
// that preflight requests are answered.
func TestOrigins(t *testing.T) {
	const app, attacker = "https://app.example", "https://attacker.example"
	for _, tt := range []struct {
		name    string
		origins []string
		origin  string
		allowed string // as the response says
	}{
		{"allowed", []string{"https://App.example", "http://localhost:3000"}, app, app},
		{"another", []string{app}, attacker, ""},
		{"another scheme", []string{app}, "http://app.example", ""},
		{"another port", []string{app}, app + ":8443", ""},
		{"a file", []string{app}, "null", ""},
		{"all", []string{"*"}, attacker, "*"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := httptest.NewServer(newServer(t, newDesk(t), mcp.Origins(tt.origins...), mcp.Token("secret")).Handler())
			defer server.Close()
			const headers = "authorization,content-type,mcp-param-region"
			for _, ask := range []struct {
				method, token string
				header        []string
				status        int
			}{
				{http.MethodOptions, "", []string{"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", headers}, 204},
				{http.MethodPost, "Bearer secret", nil, 200},
				{http.MethodPost, "Bearer wrong", nil, 401},
			} {
				answer := sendRequest(t, ask.method, server.URL, initialize, append(ask.header, "Origin", tt.origin, "Authorization", ask.token)...)
				if tt.allowed == "" {
					ask.status = 403
				}
				if answer.StatusCode != ask.status || answer.Header.Get("Access-Control-Allow-Origin") != tt.allowed {
					t.Errorf("%s: %s, %v", ask.method, answer.Status, answer.Header)
				}
				if got := answer.Header.Get("Access-Control-Allow-Headers"); ask.status == 204 && got != headers {
					t.Errorf("headers %q", got)
				}
				if got := answer.Header.Get("Access-Control-Expose-Headers"); ask.status == 200 && !strings.Contains(got, "Mcp-Session-Id") {
					t.Errorf("shown are %q", got)
				}
				if answer.Header.Get("Access-Control-Allow-Credentials") != "" {
					t.Error("cookies are let through")
				}
			}
		})
	}
}

// sendRequest sends a request with headers, given as names and values.
func sendRequest(t testing.TB, method, url, message string, headers ...string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		} else if headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	return answer
}

func TestWrongAccess(t *testing.T) {
	for name, options := range map[string][]mcp.Option{
		"all origins":         {mcp.Origins("*")},
		"https://a.example/b": {mcp.Origins("https://a.example/b")},
		"a.example":           {mcp.Origins("a.example")},
		"Verify":              {mcp.ProtectedResource(oauthex.ProtectedResourceMetadata{Resource: "https://a.example"})},
		`"/mcp"`:              {mcp.Verify(verifyToken), mcp.ProtectedResource(oauthex.ProtectedResourceMetadata{Resource: "/mcp"})},
		"contains spaces":     {mcp.Token("a b")},
	} {
		if _, err := mcp.New(newDesk(t), options...); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
