package emit_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/supplied"
)

// TestEachSupplied calls a function for each type that the runtime supplies, with it and
// without it. Without it, no function runs.
func TestEachSupplied(t *testing.T) {
	var log strings.Builder
	var store memory.Map
	desk := supplied.Deps{Desk: &supplied.Desk{}}
	with := tool.NewRegistry(tool.Use(middleware.WithLogger(slog.New(slog.NewTextHandler(&log, nil)))))
	without := tool.NewRegistry()
	for _, r := range []*tool.Registry{with, without} {
		if err := supplied.Register(r, desk); err != nil {
			t.Fatal(err)
		}
	}
	scope := tool.NewScope()
	if err := scope.Set("a", 1); err != nil {
		t.Fatal(err)
	}
	ctx := memory.With(tool.WithScope(t.Context(), scope), &store)
	for _, tt := range []struct{ name, arguments, want, missing string }{
		{"tenant", `{}`, `"ada"`, ""},
		{"variables", `{}`, `["a"]`, "there is no scope"},
		{"arguments", `{"note":"n"}`, `"{\"note\":\"n\"}"`, ""},
		{"remember", `{"key":"k","value":"v"}`, `null`, "there is no store"},
		{"recall", `{"key":"k"}`, `{"value":"\"v\"","known":true}`, "there is no store"},
		{"tell", `{"text":"told"}`, `null`, "there is no logger"},
		{"all", `{"text":"everything"}`, `1`, "there is no "},
		{"keep", `{"value":"v"}`, `null`, "there is no store"},
		{"literal", `{"key":"k"}`, `null`, "there is no store"},
		{"lambda", `{"key":"key"}`, `null`, "there is no store"},
	} {
		request := tool.Request{Name: tt.name, Arguments: []byte(tt.arguments), Meta: map[string]string{"tenant": "ada"}}
		if c := with.Call(ctx, request); c.Err != nil || string(c.Output) != tt.want {
			t.Errorf("%s = %s, %v; want %s", tt.name, c.Output, c.Err, tt.want)
		}
		if c := without.Call(t.Context(), request); tt.missing != "" && (c.Err == nil || !strings.Contains(c.Err.Error(), tt.missing)) {
			t.Errorf("%s without what it takes: %v, want %s", tt.name, c.Err, tt.missing)
		} else if told := tool.ModelText(c.Err); strings.Contains(told, "With") || tt.missing != "" && !strings.Contains(told, "again") {
			t.Errorf("of %s without what it takes a model is told: %s", tt.name, told)
		}
	}
	for key, want := range map[string]string{"k": "", "all": `"everything"`, "kept": `"v"`, "key": `"KEY"`} {
		if value, _, err := store.Read(t.Context(), key); err != nil || string(value) != want {
			t.Errorf("%s is %s, %v; want %s", key, value, err, want)
		}
	}
	if text := log.String(); !strings.Contains(text, "msg=told") || !strings.Contains(text, "msg=everything") {
		t.Error(text)
	}
	// An exchange always exists.
	ctx = tool.WithPeer(t.Context(), tool.Peer{
		Caller:   tool.Caller{User: "ada"},
		Progress: func(float64, float64, string) {},
		Ask: func(_ context.Context, questions []tool.Question) ([]tool.Answer, error) {
			return []tool.Answer{questions[0].Accept(nil)}, nil
		},
	})
	for _, tt := range []struct{ name, arguments, want, alone string }{
		{"book", `{"room":"7"}`, `"ada"`, ``},
		{"rebook", `{"room":"7"}`, `"ada"`, ``},
		{"file", `{"title":"x","pages":[{"text":"y"}]}`, `true`, `false`},
		{"caller", `{}`, `"ada"`, `""`},
	} {
		request := tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)}
		c := with.Call(ctx, request)
		if string(c.Output) != tt.want || tt.name == "file" && (len(c.Content) != 1 || c.Content[0].Text != "x") {
			t.Errorf("%s = %s %v, %v; want %s", tt.name, c.Output, c.Content, c.Err, tt.want)
		}
		c = without.Call(t.Context(), request)
		asked, fails := errors.AsType[*tool.AskError](c.Err)
		if string(c.Output) != tt.alone || fails != (tt.alone == "") || fails && !asked.Nobody {
			t.Errorf("%s of nobody = %s, %v", tt.name, c.Output, c.Err)
		}
	}
	// Only a registry creates a *tool.Call.
	_, err := supplied.ArgumentsTool().Call(context.Background(), supplied.ArgumentsArgs{})
	if err == nil || !strings.Contains(err.Error(), "there is no call") {
		t.Errorf("without a call: %v", err)
	}
}
