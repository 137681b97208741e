package anthropic_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestDoubleRefuses checks that the double refuses what Anthropic refuses. Otherwise, tests with it
// would show nothing.
func TestDoubleRefuses(t *testing.T) {
	const user = `{"role":"user","content":[{"type":"text","text":"?"}]}`
	use := func(id string) string {
		return `{"role":"assistant","content":[{"type":"tool_use","id":"` + id + `","name":"now","input":{}}]}`
	}
	result := func(id string) string {
		return `{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id + `","content":[]}]}`
	}
	mark := `,"cache_control":{"type":"ephemeral"}}`
	for _, test := range []struct{ messages, members, want string }{
		{user, ``, ""},
		{user + "," + use("a") + "," + result("a"), ``, ""},
		{user + `,{"role":"assistant","content":[{"type":"text","text":" "}]},` + user, ``, "non-whitespace"},
		{user + "," + use("a"), ``, "without `tool_result`"},
		{user + "," + use("a") + "," + user, ``, "without `tool_result`"},
		{user + "," + result("a"), ``, "alternate"},
		{result("a"), ``, "unexpected `tool_use_id`"},
		{user + "," + use("a") + "," + strings.Replace(user, `]`, `,{"type":"tool_result","tool_use_id":"a","content":[]}]`, 1), ``, "unexpected `tool_use_id`"},
		{use("a") + "," + result("a"), ``, "first message"},
		{user + "," + user, ``, "alternate"},
		{`{"role":"tool","content":[{"type":"text","text":"?"}]}`, ``, "first message"},
		{user + `,{"role":"assistant","content":[{"type":"text","text":"Yes. "}]}`, ``, "trailing whitespace"},
		{user + `,{"role":"assistant","content":[{"type":"thinking","thinking":"changed","signature":"sig:3:x"}]},` + user, ``, "cannot be modified"},
		{user + `,{"role":"assistant","content":[{"type":"thinking","thinking":"abc","signature":"sig:3:x"` + mark + `]},` + user, ``, "thinking blocks"},
		{user + "," + use("a.b") + "," + result("a.b"), ``, "invalid tool_use"},
		{user, `"tools":[{"name":"a.b","input_schema":{"type":"object"}}],`, "match pattern"},
		{user, `"tools":[{"name":"` + strings.Repeat("a", 129) + `","input_schema":{"type":"object"}}],`, "match pattern"},
		{user, `"tools":[{"name":"a","input_schema":{"anyOf":[],"type":"object"}}],`, "top level"},
		{user, `"tool_choice":{"type":"any"},`, "while providing tools"},
		{user, `"unknown":1,`, "not permitted"},
		{user, `"system":[{"type":"text","text":"1"` + strings.Repeat(mark+`,{"type":"text","text":"2"`, 4) + mark + `],`, "maximum of 4 blocks"},
		{user, `"thinking":{"type":"enabled","budget_tokens":2000},`, "not supported"},
		{user, `"temperature":1,`, "deprecated"},
	} {
		body := `{"model":"` + newestModel + `",` + test.members + `"max_tokens":100,"messages":[` + test.messages + `]}`
		r, err := http.NewRequest(http.MethodPost, "http://localhost/v1/messages", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{"X-Api-Key": {"k"}, "Anthropic-Version": {"2023-06-01"}}
		_, err = messagesAPI{}.Decode(r, []byte(body))
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s\nis refused with: %v\nwant %q", body, err, test.want)
		}
	}
}
