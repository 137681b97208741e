package emit_test

import (
	"strings"
	"testing"
	"text/template"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/injected"
)

// TestInjected calls tools with injected values.
func TestInjected(t *testing.T) {
	var written strings.Builder
	deps := injected.Deps{
		Client: &injected.Client{Name: "client", Users: &injected.Users{Names: []string{"ada", "bob"}}}, Key: "key", Writer: &written,
		Limits: injected.Limits{Max: 2}, Now: func() int { return 3 },
		Template: &injected.Template{Width: 4}, TemplateTemplate: template.Must(template.New("greeting").Parse("hello {{.}}")),
	}
	// Only the outermost task is filled, the arguments object or not.
	const tasks = `{"name":"a","then":{"name":"b","then":{"name":"c"}},"parts":[{"name":"d"}],"pages":{"e":{"number":1}}}`
	r := tool.NewRegistry()
	if err := injected.Register(r, deps); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"find", `{"id":1}`, `"client gets with key"`},
		{"find", `{"id":1,"key":"mine"}`, "fault: /key"},
		{"get", `{"id":1}`, `"client gets with key"`},
		{"plain", `{"id":1}`, `"client"`},
		{"log", `{"text":"told"}`, `null`},
		{"most", `{}`, `5`},
		{"literal", `{"id":1}`, `"client"`},
		{"lambda", `{"id":1}`, `"client gets with key"`},
		{"user", `{"number":1}`, `"bob"`},
		{"user", `{"number":2}`, "error: user: there is no such user"},
		{"both", `{"a":1,"b":0}`, `{"one":"bob","other":"ada"}`},
		{"signed", `{"text":"w"}`, `"w of client, key"`},
		{"signed", `{"text":"words"}`, `"client gets with key"`},
		{"filled", `{"data":"ada"}`, `"hell"`},
		{"template_name", `{}`, `"greeting"`},
		{"hidden", `{"deps":"A","words":["b"]}`, `["B","A"]`},
		{"ask", `{"words":"w"}`, `"ada asks w with key"`},
		{"ask", `{"words":"w","page":{"number":1},"deep":true}`, `"ada asks w with key of client deeply for ada"`},
		{"ask", `{"words":"w","Context":{},"Key":"k","page":{"number":1,"Client":null},"ctx":1}`, "fault: /Context /Key /page/Client /ctx"},
		{"keep", `{"title":"t"}`, `{"title":"t"}`},
		{"keep", `{"title":"t","key":"k","Name":"n","Max":1}`, "fault: /key /Name /Max"},
		{"keys", `{}`, "error: there is no scope to keep the result in: add one to the context with tool.WithScope"},
		{"used", `{}`, "error: there is no scope to keep the result in: add one to the context with tool.WithScope"},
		{"ask_both", `{"id":1,"q":{"words":"w","page":{"number":1}}}`, `"ada asks w with key of client"`},
		{"do", tasks, `"a"`},
		{"do_for", `{"id":1,"t":` + tasks + `}`, `"a"`},
	} {
		if got := outcome(r.Call(injected.WithTenant(t.Context(), "ada"), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})); got != tt.want {
			t.Errorf("%s(%s) = %s, want %s", tt.name, tt.arguments, got, tt.want)
		}
	}
	if written.String() != "told" {
		t.Errorf("written: %q", &written)
	}
	got, err := injected.FindTool(deps).Call(t.Context(), injected.FindArgs{ID: 1})
	if err != nil || got != "client gets with key" {
		t.Errorf("a typed call: %s, %v", got, err)
	}
	deps.Client = &injected.Client{}
	if _, err := injected.UserTool(deps).Call(t.Context(), injected.UserArgs{}); err == nil || !strings.Contains(err.Error(), "'NoneType' object has no attribute 'name' (injected.aion:37:34)") {
		t.Errorf("without users: %v", err)
	}
	deps.Now = nil
	if err := injected.Register(tool.NewRegistry(), deps); err == nil || !strings.Contains(err.Error(), "Deps.Now is nil, but most takes it") {
		t.Errorf("without a clock: %v", err)
	}
}
