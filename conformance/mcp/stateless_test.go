package main

import (
	"net/http"
	"strings"
	"testing"
)

// meta is what each request says of its client at 2026-07-28.
const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// asks is a client that a person sits at.
const asks = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`

const (
	text    = `"name":"test_simple_text"`
	elicits = `"name":"test_input_required_result_elicitation"`
)

// whole returns a request with such params.
func whole(params string) string { return request("1", "{"+params+"}") }

// malformedStateless are messages without a session, and what comes of each.
var malformedStateless = []struct{ name, message, want string }{
	{"as it should be", whole(text + "," + meta), answered},
	{"nothing", "", refused},
	{"null", "null", refused},
	{"a batch", "[" + whole(text+","+meta) + "]", refused},
	{"an open brace", "{", refused},
	{"no version of JSON-RPC", `{"id":1,"method":"tools/call","params":{` + text + "," + meta + "}}", refused},
	{"version 1.0", `{"jsonrpc":"1.0","id":1,"method":"tools/call","params":{` + text + "," + meta + "}}", refused},
	{"id null", request("null", "{"+text+","+meta+"}"), refused},
	{"id true", request("true", "{"+text+","+meta+"}"), refused},
	{"id an object", request("{}", "{"+text+","+meta+"}"), refused},
	{"id an array", request("[1]", "{"+text+","+meta+"}"), refused},
	{"id with escapes", request(`"\u0000\"\n"`, "{"+text+","+meta+"}"), answered},
	{"id negative", request("-1", "{"+text+","+meta+"}"), answered},
	{"another method than the header", strings.Replace(whole(text+","+meta), "tools/call", "tools/list", 1), refused},
	{"method a number", strings.Replace(whole(text+","+meta), `"tools/call"`, "7", 1), refused},
	{"params null", request("1", "null"), refused},
	{"params an array", request("1", "[]"), refused},
	{"no _meta", whole(text), refused},
	{"_meta null", whole(text + `,"_meta":null`), refused},
	{"_meta an array", whole(text + `,"_meta":[]`), refused},
	{"_meta empty", whole(text + `,"_meta":{}`), refused},
	{"revision null", whole(text + "," + strings.Replace(meta, `"2026-07-28"`, "null", 1)), refused},
	{"revision a number", whole(text + "," + strings.Replace(meta, `"2026-07-28"`, "2026", 1)), refused},
	{"another revision than the header", whole(text + "," + strings.Replace(meta, "2026-07-28", "2025-11-25", 1)), refused},
	{"a revision of the future", whole(text + "," + strings.Replace(meta, "2026-07-28", "2999-01-01", 1)), refused},
	{"capabilities null", whole(text + "," + strings.Replace(meta, "{}", "null", 1)), refused},
	{"capabilities an array", whole(text + "," + strings.Replace(meta, "{}", "[]", 1)), refused},
	{"capabilities a number", whole(text + "," + strings.Replace(meta, "{}", "7", 1)), refused},
	{"name a number", whole(`"name":7,` + meta), refused},
	{"another name than the header", whole(`"name":"wait",` + meta), refused},
	{"arguments null", whole(text + `,"arguments":null,` + meta), answered},
	{"arguments an array", whole(text + `,"arguments":[],` + meta), refused},
	{"arguments a string", whole(text + `,"arguments":"{}",` + meta), refused},
	{"arguments unknown", whole(text + `,"arguments":{"x":1},` + meta), refused},
	{"deep arguments", whole(text + `,"arguments":` + nested(`{"x":`, "1", "}", deep) + "," + meta), refused},
	{"deep beside", whole(text + `,"x":` + nested("[", "", "]", deep) + "," + meta), refused},
	{"deep _meta", whole(text + "," + strings.Replace(meta, "{}", nested("[", "", "]", deep), 1)), refused},
	{"100,000 arguments", whole(text + `,"arguments":` + members(deep) + "," + meta), refused},
	{"no UTF-8 in arguments", whole(text + ",\"arguments\":{\"x\":\"\xc3\x28\"}," + meta), refused},
	{"lone surrogate in arguments", whole(text + `,"arguments":{"\ud800":1},` + meta), refused},
	{"two messages", whole(text+","+meta) + whole(text+","+meta), refused},
	{"junk behind", whole(text+","+meta) + "]", refused},
	{"a zero behind", whole(text+","+meta) + "\x00", refused},
	{"mark of order", "\ufeff" + whole(text+","+meta), refused},
	{"NaN", whole(text + `,"arguments":{"x":NaN},` + meta), refused},
	{"token an object", whole(text + "," + strings.Replace(meta, `"_meta":{`, `"_meta":{"progressToken":{},`, 1)), answered},
	{"longer than it may be", whole(text + `,"x":"` + strings.Repeat("x", 5<<20) + `",` + meta), refused},
	{"a result of nothing asked", `{"jsonrpc":"2.0","id":1,"result":{}}`, heard},
}

// malformedAnswers are what a client may say to a question, and what comes of it: it is
// asked again, which is a result, or refused.
var malformedAnswers = []struct{ name, params, want string }{
	{"none yet", "", answered},
	{"null", `,"inputResponses":null`, answered},
	{"a number", `,"inputResponses":7`, refused},
	{"an array", `,"inputResponses":[]`, refused},
	{"a number for an answer", `,"inputResponses":{"user_name":7}`, refused},
	{"null for an answer", `,"inputResponses":{"user_name":null}`, refused},
	{"nothing in it", `,"inputResponses":{"user_name":{}}`, refused},
	{"an action that is none", `,"inputResponses":{"user_name":{"action":"maybe"}}`, refused},
	{"no content", `,"inputResponses":{"user_name":{"action":"accept"}}`, refused},
	{"content of another schema", `,"inputResponses":{"user_name":{"action":"accept","content":{"name":7}}}`, refused},
	{"content that nests", `,"inputResponses":{"user_name":{"action":"accept","content":{"name":` + nested("[", "", "]", deep) + `}}}`, refused},
	{"the answer of a model", `,"inputResponses":{"user_name":{"role":"assistant","content":{"type":"text","text":"x"},"model":"x"}}`, refused},
	{"state a number", `,"inputResponses":{"user_name":{"action":"accept","content":{"name":"x"}}},"requestState":7`, refused},
	{"state that is none", `,"inputResponses":{"user_name":{"action":"accept","content":{"name":"x"}}},"requestState":"x"`, refused},
	{"state of a megabyte", `,"inputResponses":{"user_name":{"action":"accept","content":{"name":"x"}}},"requestState":"` + strings.Repeat("A", 1<<20) + `"`, refused},
	{"state with a zero", `,"requestState":"\u0000"`, refused},
}

// TestMalformedStateless sends each message, and asks for something after it.
func TestMalformedStateless(t *testing.T) {
	t.Parallel()
	url := serveHTTP(t)
	try := func(t *testing.T, header http.Header, message, want string) {
		t.Helper()
		status, _, body := post(t, url, header, message)
		if got := outcome(t, status, body); got != want {
			t.Errorf("%s, want %s: %d %.300q", got, want, status, body)
		}
		header, message = stateless("tools/call", "test_simple_text", calls)
		if status, _, body = post(t, url, header, message); outcome(t, status, body) != answered {
			t.Errorf("the next call: %d %.300q", status, body)
		}
	}
	for _, m := range malformedStateless {
		t.Run(m.name, func(t *testing.T) {
			header, _ := stateless("tools/call", "test_simple_text", calls)
			try(t, header, m.message, m.want)
		})
	}
	for _, m := range malformedAnswers {
		t.Run("answer "+m.name, func(t *testing.T) {
			const name = "test_input_required_result_elicitation"
			header, _ := stateless("tools/call", name, "")
			try(t, header, whole(elicits+m.params+","+asks), m.want)
		})
	}
}
