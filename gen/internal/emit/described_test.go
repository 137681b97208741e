package emit_test

import (
	"encoding/json"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/described"
)

// TestDescribed calls tools whose types have their own methods for JSON and fields that describe it.
func TestDescribed(t *testing.T) {
	r := tool.NewRegistry()
	if err := described.Register(r); err != nil {
		t.Fatal(err)
	}
	event, err := described.GetEvent("x")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"get_event", `{"id":"x"}`, string(whole)},
		{"get_event", `{"id":""}`, "error: get_event: there is no event without an ID"},
		{
			"summarize_event", `{"id":"x"}`,
			`{"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com"}],"previous":{"summary":"old"},"start":{"date":"2026-01-31"},"summary":"x"}`,
		},
		{"insert", `{"summary":"a","previous":{"start":{"date":"b"}}}`, `{"summary":"a","previous":{"start":{"date":"b"}}}`},
		{"insert", `{"summary":"a","NullFields":[]}`, `fault: /NullFields`},
		{"create_monitor", `{"name":"a","tags":["x"],"limits":{"low":0.5},"options":{"text":"","silent":false}}`, `{"limits":{"low":0.5},"name":"a","options":{"silent":false,"text":""},"read":true,"tags":["x"]}`},
		{"create_monitor", `{"name":"a","priority":null}`, `{"name":"a","read":true}`},
		{"create_monitor", `{"name":"a","options":{"text":1},"tags":"x"}`, `fault: /options/text /tags`},
		{"create_monitor", `{"name":"a","read":true}`, `fault: /read`},
		{"create_monitor", `{"name":"forbidden"}`, `fault: `},
		{"create_monitor", `{}`, `fault: /name`},
		{"create_small_monitor", `{"name":"a","priority":9007199254740993,"options":{"text":"x"}}`, `{"name":"a","options":{"text":"x"},"priority":9007199254740993}`},
		{"create_small_monitor", `{"name":"a"}`, `fault: /priority`},
		{"create_small_monitor", `{"name":"a","priority":1,"tags":[]}`, `fault: /tags`},
		{"quote", `{"replies":[{"text":"a", "size":1}]}`, `"{\"text\":\"a\", \"size\":1}"`},
		{"quote", `{"replies":[{"text":"a"}]}`, `fault: /replies/0/size`},
		{"find", `{}`, `{}`},
		{"find", `{"name":"a","not":{"not":{"name":"b"}}}`, `{"name":"a","not":{"not":{"name":"b"}}}`},
		{"find", `{"not":null,"and":null}`, `{}`},
		{"find", `{"not":5,"and":[]}`, `fault: /not /and`},
		{"find", `{"and":{"left":{"not":{}},"right":{"name":1}}}`, `fault: /and/right/name`},
		{"find", `{"and":{"left":null}}`, `{"and":{"left":null,"right":null}}`},
		{"pay", `{"amount":3}`, `3`},
		{"see", `{"id":"a","seen":0,"zone":"Z","place":{"name":"b"},"before":{"id":"c","seen":"2026-01-31T00:00:00Z"}}`, `"a 1970-01-01Zb, c 2026-01-31"`},
		{"see", `{"id":1,"seen":{},"data":"x","place":{"city":1},"before":{"zone":2,"other":3}}`, `fault: /id /place/city /place/name /before/other /before/id /before/seen`},
		{"see", `{"id":"a","seen":0,"place":{"name":""}}`, `fault: `},
		{"visit", `{"places":[{"name":"a"},{"name":"b"}],"note":"to"}`, `"to a b"`},
		{"visit", `{"places":[{"name":1}],"note":"to"}`, `fault: /places/0/name`},
		{
			"send_message", `{"messages":["a",["b"]],"model":"m","user":null,"limit":9007199254740993,"nested":{"name":"n"},"level":"new","day":"2026-01-31"}`,
			`"{\"messages\":[\"a\",[\"b\"]],\"model\":\"m\",\"user\":null,\"limit\":9007199254740993,\"nested\":{\"name\":\"n\"},\"level\":\"new\",\"day\":\"2026-01-31\"}"`,
		},
		{"send_message", `{"messages":[],"model":"m","user":"u","limit":null}`, `"{\"messages\":[],\"model\":\"m\",\"user\":\"u\",\"limit\":null}"`},
		{"send_message", `{}`, `fault: /messages /model /user`},
		{"send_message", `{"messages":1,"model":2,"user":3,"limit":"4","nested":{},"level":5,"Include":[],"include":[]}`, `fault: /messages /model /user /limit /nested/name /level /Include /include`},
		{"send_content", `{"u":"a","all":["b",["c"]]}`, `"\"a\" \"b\" [\"c\"]"`},
		{"send_content", `{"u":1,"all":{}}`, `fault: /u /all`},
		{"send_content", `{}`, `fault: /u /all`},
		{"send_wrapped", `{"p":["a"]}`, `"[\"a\"]"`},
		{"choose", `{"level":"new","levels":["low","high"],"choice":{"a":1}}`, `"[\"new\",[\"low\",\"high\"],{\"a\":1}]"`},
		{"choose", `{"level":1,"levels":[null,"none"],"choice":3}`, `fault: /level /levels/0 /levels/1`},
		{"respond", `{"i":{"id":"a","type":1,"member":{"nick":"n"},"replies":[{"id":"b", "type":2}]},"note":"x"}`, `"x{\"id\":\"a\",\"type\":1,\"member\":{\"nick\":\"n\"},\"replies\":[{\"id\":\"b\", \"type\":2}]}"`},
		{"respond", `{"i":{"id":1,"replies":[{"id":"b","type":2,"member":{}}],"text":"","Data":1},"note":""}`, `fault: /i/id /i/replies/0/member /i/text /i/Data /i/type /i/member`},
		{"respond", `{"i":{"id":"a","type":9,"member":{"nick":"n","roles":["x"]}},"note":""}`, `fault: /i/member/roles/0`},
		{"respond", `{"i":{"id":"a","type":9,"member":{"nick":"n"}},"note":""}`, `fault: /i`},
		{"respond_all", `{"all":{"all":[{"id":"a","type":1},{"id":"b","type":2}]}}`, `"{\"id\":\"a\",\"type\":1}{\"id\":\"b\",\"type\":2}"`},
		{"respond_all", `{"all":{"all":[{"id":"a","type":1,"replies":[{"id":2,"type":1}]}]}}`, `fault: /all/all/0/replies/0/id`},
		{"promote", `{"m":{"nick":"n","roles":[1]}}`, `{"nick":"n"}`},
		{"promote", `{"m":{"roles":[1]}}`, `fault: /m/nick`},
		{"list_members", `{"owner":{"nick":"","roles":[1]},"members":[{"nick":"m"}]}`, `{"return_1":{"owner":{"nick":""}},"return_2":[{"nick":"m","by":"marshal"}]}`},
		{"list_members", `{"owner":{"nick":1},"members":[{"nick":""},{}]}`, `fault: /owner/nick /members/0/nick /members/1/nick`},
		{"list_whole_members", `{"owner":{"nick":"o"},"members":[]}`, `{"return_1":{"owner":{"nick":"o","by":"marshal"},"members":[]},"return_2":[]}`},
		{"list_whole_members", `{"owner":{"nick":"o","by":"me"},"members":[]}`, `fault: /owner/by`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if got := outcome(call); got != tt.want {
			t.Errorf("%s(%s) = %s, want %s", tt.name, tt.arguments, got, tt.want)
		}
	}
}
