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

// receiveWithin receives a value from a channel, or fails after a while.
func receiveWithin[T any](t *testing.T, from chan T) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(answerTimeout):
		t.Fatal("nothing came")
	}
	return v
}

// waitForChange reports whether a client is notified of a change. It repeats the change, because the
// client may not listen yet the first time.
func waitForChange(t *testing.T, s notifications, change func()) bool {
	t.Helper()
	for range int(answerTimeout / time.Second) {
		change()
		select {
		case <-s.changed:
			return true
		case <-time.After(time.Second):
		}
	}
	return false
}

// TestGoClients tests the server with the clients of go-sdk and mcp-go.
func TestGoClients(t *testing.T) {
	t.Parallel()
	for name, connect := range map[string]func(t *testing.T, revision, url string, s notifications) goClient{
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
					s := newNotifications()
					c := connect(t, revision, url, s)
					exerciseServer(t, c, s).checkAgainst(t, revision, c.cancels())
				})
			}
		}
	}
}

// officialClient is the client of go-sdk.
type officialClient struct{ *sdk.ClientSession }

func newOfficial(t *testing.T, revision, url string, s notifications) goClient {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { s.noteChange() },
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			s.progress <- r.Params.Progress
		},
		ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			s.asked <- r.Params.Message
			return &sdk.ElicitResult{Action: "accept", Content: personAnswer}, nil
		},
	})
	var way sdk.Transport = &sdk.CommandTransport{Command: serverCommand(t.Context())}
	if url != "" {
		way = &sdk.StreamableClientTransport{Endpoint: url}
	}
	session, err := client.Connect(t.Context(), way, &sdk.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() }) // the error is that of the process
	return officialClient{session}
}

func (c officialClient) revision() string { return c.InitializeResult().ProtocolVersion }

func (officialClient) cancels() bool { return true }

func (c officialClient) list(ctx context.Context) (names []string, err error) {
	for t, err := range c.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		names = append(names, t.Name)
	}
	return names, nil
}

func (c officialClient) call(ctx context.Context, name string, arguments map[string]any) (string, bool, error) {
	params := &sdk.CallToolParams{Name: name, Arguments: arguments}
	params.SetProgressToken(name)
	result, err := c.CallTool(ctx, params)
	if err != nil {
		return "", false, err
	}
	return result.Content[0].(*sdk.TextContent).Text, result.IsError, nil
}

func (officialClient) code(err error) int {
	var of *jsonrpc.Error
	if !errors.As(err, &of) {
		return 0
	}
	return int(of.Code)
}

// mark3labsClient is the client of mcp-go.
type mark3labsClient struct{ *mark3labs.Client }

// elicitationHandler answers questions to the person at the client.
type elicitationHandler struct{ notifications }

func (a elicitationHandler) Elicit(_ context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	a.asked <- r.Params.Message
	return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: mcp.ElicitationResponseActionAccept, Content: personAnswer}}, nil
}

func newMark3labs(t *testing.T, revision, url string, s notifications) goClient {
	t.Helper()
	var way transport.Interface
	if url == "" {
		cmd := serverCommand(t.Context())
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
	client := mark3labs.NewClient(way, mark3labs.WithElicitationHandler(elicitationHandler{s}), mark3labs.WithProtocolVersion(revision))
	client.OnNotification(func(n mcp.JSONRPCNotification) {
		switch n.Method {
		case "notifications/tools/list_changed":
			s.noteChange()
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
	return mark3labsClient{client}
}

func (c mark3labsClient) revision() string { return c.ProtocolVersion() }

// cancels returns false for sessions over HTTP, where the client does not notify the server.
func (c mark3labsClient) cancels() bool {
	_, overHTTP := c.GetTransport().(*transport.StreamableHTTP)
	return !overHTTP || c.ProtocolVersion() >= mcp.ProtocolVersion20260728
}

func (c mark3labsClient) list(ctx context.Context) (names []string, err error) {
	result, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return nil, err
	}
	for _, t := range result.Tools {
		names = append(names, t.Name)
	}
	return names, nil
}

func (c mark3labsClient) call(ctx context.Context, name string, arguments map[string]any) (string, bool, error) {
	result, err := c.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{
		Name: name, Arguments: arguments, Meta: &mcp.Meta{ProgressToken: name},
	}})
	if err != nil {
		return "", false, err
	}
	return result.Content[0].(mcp.TextContent).Text, result.IsError, nil
}

func (mark3labsClient) code(err error) int {
	if errors.Is(err, mcp.ErrInvalidParams) {
		return mcp.INVALID_PARAMS
	}
	return 0
}
