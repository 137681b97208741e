// Mcp is an MCP server for the official conformance suite and for clients of other SDKs. Like any
// aiongen server, it consists of an .aion file, everything.aion, and Go functions.
//
//	go run ./mcp                       # one client over standard input and output
//	go run ./mcp -http 127.0.0.1:8080  # many clients at http://127.0.0.1:8080/mcp
//
// Its tests run the suite in both revisions of the protocol. To run the suite against another server,
// which needs the tools that the scenarios call, with Node 22:
//
//	npx @modelcontextprotocol/conformance@0.2.0-alpha.12 server \
//		--url http://127.0.0.1:8080/mcp --requirements 2026-07-28
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/tool"
)

func main() {
	addr := flag.String("http", "", "serve over HTTP at `address` instead of standard input and output")
	drain := flag.Duration("drain", 20*time.Second, "how long calls may continue after a signal to terminate")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serveEverything(ctx, *addr, *drain); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serveEverything(ctx context.Context, addr string, drain time.Duration) error {
	stage := &Stage{registry: tool.NewRegistry()}
	if err := stage.registerTools(); err != nil {
		return err
	}
	server, err := mcp.New(stage.registry, mcp.Name("everything", "1.0.0"), mcp.Drain(drain))
	if err != nil {
		return err
	}
	if err := addResources(server); err != nil {
		return err
	}
	stage.server = server
	if addr == "" {
		return server.ServeStdio(ctx)
	}
	return server.ListenAndServe(ctx, addr)
}
