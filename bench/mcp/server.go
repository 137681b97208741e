//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	mark3labs "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/bench/search"
	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/tool"
)

// serverNames are the names of the servers. The last one validates arguments against their schema, as the first two do.
var serverNames = []string{"aiongen", "go-sdk", "mcp-go", "mcp-go checked"}

// handlers create the servers.
var handlers = map[string]func() (http.Handler, error){
	"aiongen":        newAiongen,
	"go-sdk":         newGoSDK,
	"mcp-go":         func() (http.Handler, error) { return newMCPGo(), nil },
	"mcp-go checked": func() (http.Handler, error) { return newMCPGo(server.WithInputSchemaValidation()), nil },
}

// sleepBriefly is the first thing each call does.
func sleepBriefly(ctx context.Context) error {
	select {
	case <-time.After(5 * time.Millisecond):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// findHandler is the function of the tools without generated code.
func findHandler(ctx context.Context, a search.Args) (search.Result, error) {
	if err := sleepBriefly(ctx); err != nil {
		return search.Result{}, err
	}
	return search.Find(ctx, a)
}

func newAiongen() (http.Handler, error) {
	r := tool.NewRegistry(tool.Use(func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			if err := sleepBriefly(ctx); err != nil {
				return nil, err
			}
			return next(ctx, c)
		}
	}))
	if err := search.Register(r); err != nil {
		return nil, err
	}
	s, err := mcp.New(r)
	if err != nil {
		return nil, err
	}
	return s.Handler(), nil
}

func newGoSDK() (http.Handler, error) {
	s := sdk.NewServer(&sdk.Implementation{Name: "bench", Version: "1"}, nil)
	sdk.AddTool(s, &sdk.Tool{Name: "search", Description: "Searches the archive."}, func(ctx context.Context, _ *sdk.CallToolRequest, a search.Args) (*sdk.CallToolResult, search.Result, error) {
		result, err := findHandler(ctx, a)
		return nil, result, err
	})
	get := func(*http.Request) *sdk.Server { return s }
	sessions := sdk.NewStreamableHTTPHandler(get, nil)
	stateless := sdk.NewStreamableHTTPHandler(get, &sdk.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") == versions[1] {
			stateless.ServeHTTP(w, r)
		} else {
			sessions.ServeHTTP(w, r)
		}
	}), nil
}

func newMCPGo(options ...server.ServerOption) http.Handler {
	s := server.NewMCPServer("bench", "1", options...)
	t := mark3labs.NewTool("search", mark3labs.WithDescription("Searches the archive."), mark3labs.WithInputSchema[search.Args](), mark3labs.WithOutputSchema[search.Result]())
	s.AddTool(t, mark3labs.NewStructuredToolHandler(func(ctx context.Context, _ mark3labs.CallToolRequest, a search.Args) (search.Result, error) {
		return findHandler(ctx, a)
	}))
	return server.NewStreamableHTTPServer(s)
}

// serveUntilEOF runs a server until standard input ends. It prints its address, and for each line of input what it has used so
// far.
func serveUntilEOF(name string) error {
	h, err := handlers[name]()
	if err != nil {
		return err
	}
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/mcp\n", l.Addr())
	go func() { exitOnError(http.Serve(l, h)) }()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			return err
		}
		fmt.Println(u.Utime.Nano()+u.Stime.Nano(), u.Maxrss)
	}
	return nil
}
