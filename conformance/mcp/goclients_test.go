package main

import (
	"context"
	"errors"
	"testing"
	"time"

	mark3labs "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// within returns what comes.
func within[T any](t *testing.T, from chan T) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(patience):
		t.Fatal("nothing came")
	}
	return v
}

// changed reports whether a client hears of a change. It may not listen yet at the
// first one.
func changed(t *testing.T, s seen, change func()) bool {
	t.Helper()
	for range int(patience / time.Second) {
		change()
		select {
		case <-s.changed:
			return true
		case <-time.After(time.Second):
		}
	}
	return false
}

// TestGoClients tries the server with the clients of go-sdk and of mcp-go.
func TestGoClients(t *testing.T) {
	t.Parallel()
	for name, connect := range map[string]func(t *testing.T, revision, url string, s seen) goClient{
		"go-sdk": newOfficial,
		"mcp-go": newMark3labs,
	} {
		for _, revision := range []string{"2025-11-25", "2026-07-28"} {
			for _, way := range []string{"stdio", "HTTP"} {
				t.Run(name+" "+revision+" "+way, func(t *testing.T) {
					t.Parallel()
					url := "" // for stdio
					if way == "HTTP" {
						url = serveHTTP(t)
					}
					s := newSeen()
					c := connect(t, revision, url, s)
					experienced(t, c, s).check(t, revision, c.cancels())
				})
			}
		}
	}
}

// official is the client of go-sdk.
type official struct{ *sdk.ClientSession }

func newOfficial(t *testing.T, revision, url string, s seen) goClient {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { s.change() },
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			s.progress <- r.Params.Progress
		},
		ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			s.asked <- r.Params.Message
			return &sdk.ElicitResult{Action: "accept", Content: answer}, nil
		},
	})
	var way sdk.Transport = &sdk.CommandTransport{Command: server(t.Context())}
	if url != "" {
		way = &sdk.StreamableClientTransport{Endpoint: url}
	}
	session, err := client.Connect(t.Context(), way, &sdk.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() }) // the error is that of the process
	return official{session}
}

func (c official) revision() string { return c.InitializeResult().ProtocolVersion }

func (official) cancels() bool { return true }

func (c official) list(ctx context.Context) (names []string, err error) {
	for t, err := range c.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		names = append(names, t.Name)
	}
	return names, nil
}

func (c official) call(ctx context.Context, name string, arguments map[string]any) (string, bool, error) {
	params := &sdk.CallToolParams{Name: name, Arguments: arguments}
	params.SetProgressToken(name)
	result, err := c.CallTool(ctx, params)
	if err != nil {
		return "", false, err
	}
	return result.Content[0].(*sdk.TextContent).Text, result.IsError, nil
}

func (official) code(err error) int {
	var of *jsonrpc.Error
	if !errors.As(err, &of) {
		return 0
	}
	return int(of.Code)
}

// third is the client of mcp-go.
type third struct{ *mark3labs.Client }

// asking answers what a client is asked.
type asking struct{ seen }

func (a asking) Elicit(_ context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	a.asked <- r.Params.Message
	return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: mcp.ElicitationResponseActionAccept, Content: answer}}, nil
}

func newMark3labs(t *testing.T, revision, url string, s seen) goClient {
	t.Helper()
	var way transport.Interface
	if url == "" {
		cmd := server(t.Context())
		way = transport.NewStdio(cmd.Path, cmd.Env)
	} else {
		var options []transport.StreamableHTTPCOption
		if revision < mcp.ProtocolVersion20260728 {
			options = append(options, transport.WithContinuousListening())
		}
		var err error
		if way, err = transport.NewStreamableHTTP(url, options...); err != nil {
			t.Fatal(err)
		}
	}
	client := mark3labs.NewClient(way, mark3labs.WithElicitationHandler(asking{s}), mark3labs.WithProtocolVersion(revision))
	client.OnNotification(func(n mcp.JSONRPCNotification) {
		switch n.Method {
		case "notifications/tools/list_changed":
			s.change()
		case "notifications/progress":
			s.progress <- n.Params.AdditionalFields["progress"].(float64)
		}
	})
	if err := client.Start(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() }) // the error is that of the process
	if _, err := client.Initialize(t.Context(), mcp.InitializeRequest{Params: mcp.InitializeParams{ProtocolVersion: revision, ClientInfo: mcp.Implementation{Name: "test", Version: "1"}}}); err != nil {
		t.Fatal(err)
	}
	if revision >= mcp.ProtocolVersion20260728 {
		stop, err := client.ListenAsync(context.WithoutCancel(t.Context()), mcp.SubscriptionFilter{ToolsListChanged: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(stop)
	}
	return third{client}
}

func (c third) revision() string { return c.ProtocolVersion() }

// cancels is false for sessions over HTTP: it tells nobody there.
func (c third) cancels() bool {
	_, overHTTP := c.GetTransport().(*transport.StreamableHTTP)
	return !overHTTP || c.ProtocolVersion() >= mcp.ProtocolVersion20260728
}

func (c third) list(ctx context.Context) (names []string, err error) {
	result, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return nil, err
	}
	for _, t := range result.Tools {
		names = append(names, t.Name)
	}
	return names, nil
}

func (c third) call(ctx context.Context, name string, arguments map[string]any) (string, bool, error) {
	result, err := c.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{
		Name: name, Arguments: arguments, Meta: &mcp.Meta{ProgressToken: name},
	}})
	if err != nil {
		return "", false, err
	}
	return result.Content[0].(mcp.TextContent).Text, result.IsError, nil
}

func (third) code(err error) int {
	if errors.Is(err, mcp.ErrInvalidParams) {
		return mcp.INVALID_PARAMS
	}
	return 0
}
