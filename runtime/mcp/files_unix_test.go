//go:build unix

package mcp_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/tool"
)

// A named pipe is not served, because opening it would wait for its other end.
func TestServeFSPipe(t *testing.T) {
	dir := newFolder(t)
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := newServer(t, tool.NewRegistry())
	if err := s.AddResource(mcp.ServeFS("docs", "docs:///", os.DirFS(dir))); err != nil {
		t.Fatal(err)
	}
	if got, err := connectClient(t, s, stateless, nil).ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "docs:///pipe"}); err == nil {
		t.Errorf("%+v", got)
	}
}
