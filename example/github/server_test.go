package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The test binary runs the program if this environment variable is set.
const asServer = "AIONGEN_EXAMPLE_GITHUB"

// The credentials of the program. Clients must never see them.
const secret = "SECRET-5f0c"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fakeAPI replaces GitHub: it sends the response that was set last and records the requests.
type fakeAPI struct {
	*httptest.Server
	mu      sync.Mutex
	status  int
	body    []byte
	request string // method, path and query, and its body
}

func newAPI(t *testing.T) *fakeAPI {
	t.Helper()
	a := &fakeAPI{}
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		defer a.mu.Unlock()
		sent, _ := io.ReadAll(r.Body)
		a.request += strings.TrimSpace(fmt.Sprintf("%s %s %s", r.Method, r.URL, sent)) + "\n"
		if got := r.Header.Get("Authorization"); got != "Bearer ghp_"+secret {
			t.Errorf("%s: Authorization is %q", a.request, got)
		}
		w.Header().Set("Set-Cookie", "session="+secret)
		if a.status == http.StatusForbidden {
			w.Header().Set("X-RateLimit-Limit", "60")
			w.Header().Set("X-RateLimit-Remaining", "0")
			w.Header().Set("X-RateLimit-Reset", "4102444800")
		}
		w.WriteHeader(a.status)
		w.Write(a.body)
	}))
	t.Cleanup(a.Close)
	return a
}

// setAnswer sets the response to the next request and clears the recorded requests.
func (a *fakeAPI) setAnswer(status int, body []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.status, a.body, a.request = status, body, ""
}

// requests returns the requests since setAnswer.
func (a *fakeAPI) requests() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.request
}

// readAnswer returns a response in testdata.
func readAnswer(t *testing.T, name string) []byte {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", "answers", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// client is an MCP client of the program, with everything that the program wrote.
type client struct {
	*sdk.ClientSession
	wire, log bytes.Buffer
}

// startServer runs the program as a process.
func startServer(t *testing.T, a *fakeAPI, flags ...string) *client {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &client{}
	server := exec.Command(program, append([]string{"-base-url", a.URL}, flags...)...)
	server.Env = append(os.Environ(), asServer+"=1", "GITHUB_TOKEN=ghp_"+secret)
	server.Stderr = &c.log
	transport := &sdk.LoggingTransport{Transport: &sdk.CommandTransport{Command: server}, Writer: &c.wire}
	c.ClientSession, err = sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, &c.log)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("the program ended with %v", err)
		}
		for what, text := range map[string]string{"log": c.log.String(), "client": c.wire.String()} {
			if strings.Contains(text, secret) || strings.Contains(text, "temp_clone_token") {
				t.Errorf("the %s contains a credential:\n%s", what, text)
			}
		}
	})
	return c
}

// callTool calls a tool and returns the result for the model.
func (c *client) callTool(t *testing.T, name, arguments string) *sdk.CallToolResult {
	t.Helper()
	result, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return result
}

// resultText returns the text of a result.
func resultText(result *sdk.CallToolResult) string {
	var texts []string
	for _, c := range result.Content {
		texts = append(texts, c.(*sdk.TextContent).Text)
	}
	return strings.Join(texts, "\n")
}
