package main

import (
	"net/http"
	"strings"
	"testing"
)

// statelessRequest returns the headers and the body of a request at 2026-07-28.
func statelessRequest(method, name, params string) (http.Header, string) {
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

const simpleTextParams = `"name":"test_simple_text",`

// headerTests are wrong or unusual headers with the expected HTTP status, in a session and without one.
var headerTests = []struct {
	name             string
	change           func(http.Header)
	session, without int
}{
	{"as it should be", func(http.Header) {}, 200, 200},
	{"no type", removeHeader("Content-Type"), 415, 415},
	{"another type", setHeader("Content-Type", "text/plain"), 415, 415},
	{"a type with junk", setHeader("Content-Type", "application/json;;="), 415, 415},
	{"a type twice", setHeader("Content-Type", "application/json, text/plain"), 415, 415},
	{"accepts nothing", removeHeader("Accept"), 400, 400},
	{"accepts pages", setHeader("Accept", "text/html"), 400, 400},
	{"accepts everything", setHeader("Accept", "*/*"), 200, 200},
	{"no session", removeHeader("Mcp-Session-Id"), 400, 200},
	{"unknown session", setHeader("Mcp-Session-Id", "x"), 404, 200},
	{"a long session", setHeader("Mcp-Session-Id", strings.Repeat("x", 100_000)), 404, 200},
	{"no revision", removeHeader("Mcp-Protocol-Version"), 200, 400},
	{"a revision of the past", setHeader("Mcp-Protocol-Version", "1999-01-01"), 400, 400},
	{"a revision of the future", setHeader("Mcp-Protocol-Version", "2999-01-01"), 400, 400},
	{"a revision that is none", setHeader("Mcp-Protocol-Version", "latest"), 400, 400},
	{"another revision", setHeader("Mcp-Protocol-Version", "2026-07-27"), 400, 400},
	{"another method", setHeader("Mcp-Method", "tools/list"), 200, 400},
	{"no method", removeHeader("Mcp-Method"), 200, 400},
	{"another name", setHeader("Mcp-Name", "wait"), 200, 400},
	{"no name", removeHeader("Mcp-Name"), 200, 400},
	{"packed", setHeader("Content-Encoding", "gzip"), 200, 200},
	{"another origin", setHeader("Origin", "https://evil.example"), 403, 403},
	{"no origin", setHeader("Origin", "null"), 403, 403},
	{"origin with junk", setHeader("Origin", "http://127.0.0.1:%zz"), 403, 403},
	{"many headers", func(h http.Header) {
		for range 500 {
			h.Add("X-Many", "x")
		}
	}, 200, 200},
	{"a megabyte of headers", setHeader("X-Long", strings.Repeat("x", 2<<20)), 431, 431},
}

func setHeader(name, value string) func(http.Header) {
	return func(h http.Header) { h.Set(name, value) }
}

func removeHeader(name string) func(http.Header) {
	return func(h http.Header) { h.Del(name) }
}

// TestHeaders sends each header, followed by a valid request.
func TestHeaders(t *testing.T) {
	t.Parallel()
	url := serveHTTP(t)
	inSession := openSession(t, url)
	for _, h := range headerTests {
		for way, want := range map[string]int{"in a session": h.session, "without one": h.without} {
			t.Run(h.name+" "+way, func(t *testing.T) {
				header, message := inSession.Clone(), callRequest("1", `{"name":"test_simple_text"}`)
				if way != "in a session" {
					header, message = statelessRequest("tools/call", "test_simple_text", simpleTextParams)
				}
				right := header.Clone()
				h.change(header)
				status, _, body := postMessage(t, url, header, message)
				if status != want || status == 200 && readOutcome(t, status, body) != answered {
					t.Errorf("%d %.300q, want %d", status, body, want)
				}
				if status, _, body = postMessage(t, url, right, message); readOutcome(t, status, body) != answered {
					t.Errorf("the next call: %d %.300q", status, body)
				}
			})
		}
	}
}
