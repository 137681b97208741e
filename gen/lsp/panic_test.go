package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

// TestPanic checks that a panic in a request is answered and logged, and that the session goes on.
func TestPanic(t *testing.T) {
	requests["test/panic"] = func(context.Context, *server, json.RawMessage) (any, error) { panic("on purpose") }
	notifications["test/panic"] = func(*server, json.RawMessage) error { panic("on purpose") }
	defer delete(requests, "test/panic")
	defer delete(notifications, "test/panic")
	var input strings.Builder
	for _, text := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, `{"jsonrpc":"2.0","method":"test/panic"}`,
		`{"jsonrpc":"2.0","id":2,"method":"test/panic"}`, `{"jsonrpc":"2.0","id":3,"method":"shutdown"}`, `{"jsonrpc":"2.0","method":"exit"}`,
	} {
		fmt.Fprintf(&input, "Content-Length: %d\r\n\r\n%s", len(text), text)
	}
	var output, log bytes.Buffer
	err := Serve(t.Context(), Config{Log: slog.New(slog.NewTextHandler(&log, nil))}, strings.NewReader(input.String()), &output)
	if err != nil {
		t.Error(err)
	}
	for _, want := range []string{`"id":3,"jsonrpc":"2.0","result":null`, `"id":2`, `"code":-32`} {
		if !strings.Contains(output.String(), want) {
			t.Errorf("%s is missing in %s", want, output.String())
		}
	}
	if got := strings.Count(log.String(), "internal failure"); got != 2 {
		t.Errorf("%d internal failures were logged, want 2: %s", got, log.String())
	}
}
