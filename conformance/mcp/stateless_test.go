package main

import (
	"net/http"
	"strings"
	"testing"
)

// requestMeta is the _meta of each request at 2026-07-28.
const requestMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// elicitationMeta is that of a client with a person who can answer.
const elicitationMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`

const (
	text    = `"name":"test_simple_text"`
	elicits = `"name":"test_input_required_result_elicitation"`
)

// newRequest returns a request with params.
func newRequest(params string) string { return callRequest("1", "{"+params+"}") }

// malformedStateless are messages without a session, with the expected outcomes.
var malformedStateless = []struct{ name, message, want string }{
	{"as it should be", newRequest(text + "," + requestMeta), answered},
	{"nothing", "", refused},
	{"null", "null", refused},
	{"a batch", "[" + newRequest(text+","+requestMeta) + "]", refused},
	{"an open brace", "{", refused},
	{"no version of JSON-RPC", `{"id":1,"method":"tools/call","params":{` + text + "," + requestMeta + "}}", refused},
	{"version 1.0", `{"jsonrpc":"1.0","id":1,"method":"tools/call","params":{` + text + "," + requestMeta + "}}", refused},
	{"id null", callRequest("null", "{"+text+","+requestMeta+"}"), refused},
	{"id true", callRequest("true", "{"+text+","+requestMeta+"}"), refused},
	{"id an object", callRequest("{}", "{"+text+","+requestMeta+"}"), refused},
	{"id an array", callRequest("[1]", "{"+text+","+requestMeta+"}"), refused},
	{"id with escapes", callRequest(`"\u0000\"\n"`, "{"+text+","+requestMeta+"}"), answered},
	{"id negative", callRequest("-1", "{"+text+","+requestMeta+"}"), answered},
	{"another method than the header", strings.Replace(newRequest(text+","+requestMeta), "tools/call", "tools/list", 1), refused},
	{"method a number", strings.Replace(newRequest(text+","+requestMeta), `"tools/call"`, "7", 1), refused},
	{"params null", callRequest("1", "null"), refused},
	{"params an array", callRequest("1", "[]"), refused},
	{"no _meta", newRequest(text), refused},
	{"_meta null", newRequest(text + `,"_meta":null`), refused},
	{"_meta an array", newRequest(text + `,"_meta":[]`), refused},
	{"_meta empty", newRequest(text + `,"_meta":{}`), refused},
	{"revision null", newRequest(text + "," + strings.Replace(requestMeta, `"2026-07-28"`, "null", 1)), refused},
	{"revision a number", newRequest(text + "," + strings.Replace(requestMeta, `"2026-07-28"`, "2026", 1)), refused},
	{"another revision than the header", newRequest(text + "," + strings.Replace(requestMeta, "2026-07-28", "2025-11-25", 1)), refused},
	{"a revision of the future", newRequest(text + "," + strings.Replace(requestMeta, "2026-07-28", "2999-01-01", 1)), refused},
	{"capabilities null", newRequest(text + "," + strings.Replace(requestMeta, "{}", "null", 1)), refused},
	{"capabilities an array", newRequest(text + "," + strings.Replace(requestMeta, "{}", "[]", 1)), refused},
	{"capabilities a number", newRequest(text + "," + strings.Replace(requestMeta, "{}", "7", 1)), refused},
	{"name a number", newRequest(`"name":7,` + requestMeta), refused},
	{"another name than the header", newRequest(`"name":"wait",` + requestMeta), refused},
	{"arguments null", newRequest(text + `,"arguments":null,` + requestMeta), answered},
	{"arguments an array", newRequest(text + `,"arguments":[],` + requestMeta), refused},
	{"arguments a string", newRequest(text + `,"arguments":"{}",` + requestMeta), refused},
	{"arguments unknown", newRequest(text + `,"arguments":{"x":1},` + requestMeta), refused},
	{"deep arguments", newRequest(text + `,"arguments":` + nestedValue(`{"x":`, "1", "}", deepLevels) + "," + requestMeta), refused},
	{"deep beside", newRequest(text + `,"x":` + nestedValue("[", "", "]", deepLevels) + "," + requestMeta), refused},
	{"deep _meta", newRequest(text + "," + strings.Replace(requestMeta, "{}", nestedValue("[", "", "]", deepLevels), 1)), refused},
	{"100,000 arguments", newRequest(text + `,"arguments":` + manyMembers(deepLevels) + "," + requestMeta), refused},
	{"no UTF-8 in arguments", newRequest(text + ",\"arguments\":{\"x\":\"\xc3\x28\"}," + requestMeta), refused},
	{"lone surrogate in arguments", newRequest(text + `,"arguments":{"\ud800":1},` + requestMeta), refused},
	{"two messages", newRequest(text+","+requestMeta) + newRequest(text+","+requestMeta), refused},
	{"junk behind", newRequest(text+","+requestMeta) + "]", refused},
	{"a zero behind", newRequest(text+","+requestMeta) + "\x00", refused},
	{"mark of order", "\ufeff" + newRequest(text+","+requestMeta), refused},
	{"NaN", newRequest(text + `,"arguments":{"x":NaN},` + requestMeta), refused},
	{"token an object", newRequest(text + "," + strings.Replace(requestMeta, `"_meta":{`, `"_meta":{"progressToken":{},`, 1)), answered},
	{"longer than it may be", newRequest(text + `,"x":"` + strings.Repeat("x", 5<<20) + `",` + requestMeta), refused},
	{"a result of nothing asked", `{"jsonrpc":"2.0","id":1,"result":{}}`, heard},
}

// malformedAnswers are answers to a question, with the expected outcomes: the question is repeated,
// which counts as a result, or the answer is rejected.
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
	{"content that nests", `,"inputResponses":{"user_name":{"action":"accept","content":{"name":` + nestedValue("[", "", "]", deepLevels) + `}}}`, refused},
	{"the answer of a model", `,"inputResponses":{"user_name":{"role":"assistant","content":{"type":"text","text":"x"},"model":"x"}}`, refused},
	{"state a number", `,"inputResponses":{"user_name":{"action":"accept","content":{"name":"x"}}},"requestState":7`, refused},
	{"state that is none", `,"inputResponses":{"user_name":{"action":"accept","content":{"name":"x"}}},"requestState":"x"`, refused},
	{"state of a megabyte", `,"inputResponses":{"user_name":{"action":"accept","content":{"name":"x"}}},"requestState":"` + strings.Repeat("A", 1<<20) + `"`, refused},
	{"state with a zero", `,"requestState":"\u0000"`, refused},
}

// TestMalformedStateless sends each message, followed by a valid request.
func TestMalformedStateless(t *testing.T) {
	t.Parallel()
	url := serveHTTP(t)
	try := func(t *testing.T, header http.Header, message, want string) {
		t.Helper()
		status, _, body := postMessage(t, url, header, message)
		if got := readOutcome(t, status, body); got != want {
			t.Errorf("%s, want %s: %d %.300q", got, want, status, body)
		}
		header, message = statelessRequest("tools/call", "test_simple_text", simpleTextParams)
		if status, _, body = postMessage(t, url, header, message); readOutcome(t, status, body) != answered {
			t.Errorf("the next call: %d %.300q", status, body)
		}
	}
	for _, m := range malformedStateless {
		t.Run(m.name, func(t *testing.T) {
			header, _ := statelessRequest("tools/call", "test_simple_text", simpleTextParams)
			try(t, header, m.message, m.want)
		})
	}
	for _, m := range malformedAnswers {
		t.Run("answer "+m.name, func(t *testing.T) {
			const name = "test_input_required_result_elicitation"
			header, _ := statelessRequest("tools/call", name, "")
			try(t, header, newRequest(elicits+m.params+","+elicitationMeta), m.want)
		})
	}
}
