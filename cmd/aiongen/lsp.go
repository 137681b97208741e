package main

import (
	"context"
	"log/slog"

	"github.com/aiongen/aiongen/gen/lsp"
)

// serveEditor serves an editor over standard input and output. It ignores --stdio, which many editors
// add, and the arguments after it.
func (c *command) serveEditor(ctx context.Context, args []string) int {
	if len(args) > 0 && args[0] != "--stdio" {
		return c.usageError("lsp takes no arguments")
	}
	cfg := lsp.Config{Version: moduleVersion(), Log: slog.New(slog.NewTextHandler(c.stderr, nil))}
	if err := lsp.Serve(ctx, cfg, c.stdin, c.stdout); err != nil {
		c.fail(err)
		return exitFindings
	}
	return exitOK
}
