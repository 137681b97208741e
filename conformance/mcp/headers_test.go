package main

import (
	"net/http"
	"strings"
	"testing"
)

// stateless returns the header and the body of a request at 2026-07-28.
func stateless(method, name, params string) (http.Header, string) {
	header := http.Header{
		"Content-Type":         {"application/json"},
		"Accept":               {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {"2026-07-28"},
		"Mcp-Method":           {method},
	}
	if name != "" {
		header.Set("Mcp-Name", name)
	}
	return header, `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
}

const calls = `"name":"test_simple_text",`

// headers are wrong, or not as one would think, and what comes of a request with them:
// a status. It is one in a session, and one without.
var headers = []struct {
	name             string
	change           func(http.Header)
	session, without int
}{
	{"as it should be", func(http.Header) {}, 200, 200},
	{"no type", without("Content-Type"), 415, 415},
	{"another type", with("Content-Type", "text/plain"), 415, 415},
	{"a type with junk", with("Content-Type", "application/json;;="), 415, 415},
	{"a type twice", with("Content-Type", "application/json, text/plain"), 415, 415},
	{"accepts nothing", without("Accept"), 400, 400},
	{"accepts pages", with("Accept", "text/html"), 400, 400},
	{"accepts everything", with("Accept", "*/*"), 200, 200},
	{"no session", without("Mcp-Session-Id"), 400, 200},
	{"unknown session", with("Mcp-Session-Id", "x"), 404, 200},
	{"a long session", with("Mcp-Session-Id", strings.Repeat("x", 100_000)), 404, 200},
	{"no revision", without("Mcp-Protocol-Version"), 200, 400},
	{"a revision of the past", with("Mcp-Protocol-Version", "1999-01-01"), 400, 400},
	{"a revision of the future", with("Mcp-Protocol-Version", "2999-01-01"), 400, 400},
	{"a revision that is none", with("Mcp-Protocol-Version", "latest"), 400, 400},
	{"another revision", with("Mcp-Protocol-Version", "2026-07-27"), 400, 400},
	{"another method", with("Mcp-Method", "tools/list"), 200, 400},
	{"no method", without("Mcp-Method"), 200, 400},
	{"another name", with("Mcp-Name", "wait"), 200, 400},
	{"no name", without("Mcp-Name"), 200, 400},
	{"packed", with("Content-Encoding", "gzip"), 200, 200},
	{"another origin", with("Origin", "https://evil.example"), 403, 403},
	{"no origin", with("Origin", "null"), 403, 403},
	{"origin with junk", with("Origin", "http://127.0.0.1:%zz"), 403, 403},
	{"many headers", func(h http.Header) {
		for range 500 {
			h.Add("X-Many", "x")
		}
	}, 200, 200},
	{"a megabyte of headers", with("X-Long", strings.Repeat("x", 2<<20)), 431, 431},
}

func with(name, value string) func(http.Header) {
	return func(h http.Header) { h.Set(name, value) }
}

func without(name string) func(http.Header) {
	return func(h http.Header) { h.Del(name) }
}

// TestHeaders sends each header, and asks for something after it.
func TestHeaders(t *testing.T) {
	t.Parallel()
	url := serveHTTP(t)
	inSession := session(t, url)
	for _, h := range headers {
		for way, want := range map[string]int{"in a session": h.session, "without one": h.without} {
			t.Run(h.name+" "+way, func(t *testing.T) {
				header, message := inSession.Clone(), request("1", `{"name":"test_simple_text"}`)
				if way != "in a session" {
					header, message = stateless("tools/call", "test_simple_text", calls)
				}
				right := header.Clone()
				h.change(header)
				status, _, body := post(t, url, header, message)
				if status != want || status == 200 && outcome(t, status, body) != answered {
					t.Errorf("%d %.300q, want %d", status, body, want)
				}
				if status, _, body = post(t, url, right, message); outcome(t, status, body) != answered {
					t.Errorf("the next call: %d %.300q", status, body)
				}
			})
		}
	}
}
