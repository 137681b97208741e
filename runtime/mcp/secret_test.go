package mcp_test

import (
	"encoding/base64"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestSecretsNeverPrinted prints a server with a token and a key.
func TestSecretsNeverPrinted(t *testing.T) {
	key := strings.Repeat("hunter2-", 4)
	s, err := mcp.New(tool.NewRegistry(), mcp.Token("hunter2-token"), mcp.StateKey([]byte(key)))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	slog.New(slog.NewTextHandler(&b, nil)).Info("x", "server", s)
	slog.New(slog.NewJSONHandler(&b, nil)).Info("x", "server", s)
	for _, value := range []any{s, []any{s}, struct{ *mcp.Server }{s}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x"} {
			fmt.Fprintf(&b, verb+"\n", value)
		}
	}
	for what, text := range map[string]string{
		"as text": "hunter2", "as numbers": "104 117 110 116", "in Go": "0x68, 0x75, 0x6e", "in hexadecimal": "68756e74", "in base64": base64.StdEncoding.EncodeToString([]byte(key))[:20],
	} {
		if strings.Contains(b.String(), text) {
			t.Errorf("a secret is shown %s", what)
		}
	}
}
