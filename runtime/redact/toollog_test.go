package redact_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/redact"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestToollog checks the log of calls with the same rule, by the names under which tools are called.
func TestToollog(t *testing.T) {
	var log strings.Builder
	rule := func(name, pointer string, value json.RawMessage) json.RawMessage {
		return passwords(strings.TrimPrefix(name, "our_"), pointer, value)
	}
	r := tool.NewRegistry(tool.Use(middleware.LogRedacted(slog.New(slog.NewTextHandler(&log, nil)), redact.New(rule).Call)))
	login, err := schema.Dynamic(tools[0], func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`{"token":"` + secret + `"}`), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	r.Replace(login)
	r.With(tool.Prefix("our_")).Replace(login)
	arguments := []byte(`{"user":"ada","password":"` + secret + `"}`)
	r.Call(t.Context(), tool.Request{Name: "login", Arguments: arguments})
	r.Call(t.Context(), tool.Request{Name: "our_login", Arguments: arguments})
	r.Call(t.Context(), tool.Request{Name: "lgoin", Arguments: arguments})
	r.Call(t.Context(), tool.Request{Name: "login", Arguments: []byte(`{"password":["` + secret + `"],"pin":"` + secret + `"}`)})
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if strings.Contains(log.String(), secret) || len(lines) != 4 {
		t.Fatal(log.String())
	}
	for i, want := range []string{
		`arguments="{\"user\":\"ada\",\"password\":\"hidden\"}" output="{\"token\":\"hidden\"}"`, `arguments="{\"user\":\"ada\",\"password\":\"hidden\"}" output="{\"token\":\"hidden\"}"`,
		`arguments="\"redacted\""`, `arguments="{\"password\":\"hidden\",\"pin\":\"redacted\"}"`,
	} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("%s, want %s", lines[i], want)
		}
	}
}
