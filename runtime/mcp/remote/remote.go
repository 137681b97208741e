// Package remote provides the tools of other MCP servers. Connect to a server with [Connect],
// and let a registry follow it:
//
//	server, err := remote.Connect(ctx, &mcp.CommandTransport{Command: exec.Command("some-server")})
//	if err != nil { … }
//	defer server.Close()
//	err = server.Follow(ctx, registry.With(tool.Prefix("some_")))
//
// An agent calls such tools as it calls its own. Gates, limits and journals apply to them.
// Arguments are checked before they are sent. Results are checked when they arrive, if the tool
// has an output schema.
//
// # Results
//
// The result of a call is the structured content of the answer or, without it, its texts as one
// string. Images, links and other content are in the Content of the call, and _meta is in its Meta.
// Content of an unknown kind is skipped and logged. If the answer reports that the tool failed, the
// error has the text from the server.
//
// The server receives only those members of a request's Meta that the protocol names:
// traceparent, tracestate, baggage, and names with a prefix, such as example.com/tenant.
//
// # Failures
//
// If a connection breaks, it is restored after a pause that grows from half a second to a minute: a
// command is started again, and a new session replaces one that the server no longer knows, or
// whose protocol version it no longer supports. In the meantime, the tools stay registered, and
// calls fail with an [*UnavailableError]. A call that may have run, because the connection broke
// before its answer came or because the answer cannot be read, fails with a
// [tool.UnknownOutcomeError]. So does a call whose context expires, unless its tool is read-only or
// idempotent. Runs repeat an idempotent call, and ask a person about any other.
//
// # Limits
//
// The size of a message is checked while it is read: an answer to a call may have 16 MiB,
// any other message 4 MiB, and all pages of the list of tools together 8 MiB. A message
// that is too long, invalid or has the wrong ID affects only the request that it answers. A
// definition that is nested too deeply affects only its own tool. Lines on the
// standard output of a command that are not messages are logged. At most ten progress
// notifications per second are passed on, after a first burst.
//
// # Trust
//
// A server can be another party's program, and the text that it sends is data. Invisible characters
// are removed from definitions, questions, errors and log messages. A definition that changes is
// logged, and [Pinned] rejects it until a person has accepted it. The hints of a server, for
// example that a tool is read-only, are used only with [TrustHints]. The From of a question
// ([tool.Question]) names the server and the tool that ask it.
package remote

import (
	"cmp"
	"context"
	"log/slog"
	"path"
	"runtime/debug"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/observe"
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/transport"
)

// Option is an option of [Connect].
type Option func(*config)

// config holds the values that the options set.
type config struct {
	client     sdk.ClientOptions
	trustHints bool
	pinFile    string
	observe    observe.Func
	watch      observe.SessionFunc
}

// Client sets the options of the SDK's client. Progress, and questions to a person, to the model
// or for the roots, go to the driver of the tool call through its [tool.Exchange], unless the
// options have a handler. In protocol versions with sessions, a server does not say which call a
// question belongs to, so nobody can answer while several calls are running. The Logger, by
// default [slog.Default], receives the errors of the server, at most 50 messages per second.
func Client(options sdk.ClientOptions) Option {
	return func(c *config) { c.client = options }
}

// TrustHints uses the annotations of the server's tools, for example that a tool is read-only or
// idempotent. Without this option, the tools have no annotations: a gate that allows read-only
// tools does not rely on the word of a server, and calls are not repeated.
func TrustHints() Option {
	return func(c *config) { c.trustHints = true }
}

// Pinned accepts only tools whose definitions are in a file. If there is no such file, it is
// written with the tools that the server has when they are first listed. Use one file for
// each server.
//
// A tool that is new or has changed is left out and logged, and all definitions of the
// server are written to the file with ".new" added to its name. To accept them, compare the
// two files and rename the new one. They are read each time that the tools are listed.
func Pinned(file string) Option {
	return func(c *config) { c.pinFile = file }
}

// Observe sets a function that observes the requests for tools and their calls, for traces and
// metrics. It can add to the metadata that the server receives. A call for which the server asks
// questions may consist of several requests. Other requests, such as those that open a session, are
// not observed.
func Observe(f observe.Func) Option {
	return func(c *config) { c.observe = f }
}

// ObserveSessions sets a function that observes the sessions with the server, for metrics. The protocol
// has had no sessions since version 2026-07-28. The error of a session is that of its connection;
// there is none if the program closes the server.
func ObserveSessions(f observe.SessionFunc) Option {
	return func(c *config) { c.watch = f }
}

// Connect connects to a server over a transport of the SDK, with the newest protocol version
// that both support. The client name is the last element of the main module's path.
//
// A connection that breaks is opened again, unless the transport can connect only once: an
// IOTransport, a StdioTransport, an InMemoryTransport, or a command that was made by
// exec.CommandContext. The first attempt to connect is not repeated.
func Connect(ctx context.Context, t sdk.Transport, options ...Option) (*Server, error) {
	s := &Server{
		transport: t, calls: newRunningCalls(), linkChanged: make(chan struct{}), changed: make(chan struct{}),
		ended: make(chan struct{}), lastDefinitions: map[string]string{},
	}
	s.ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	for _, o := range options {
		if o != nil {
			o(&s.config)
		}
	}
	s.log = transport.LimitLog(cmp.Or(s.config.client.Logger, slog.Default()))
	name, version := "tools", "unknown"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path != "" {
		name, version = path.Base(info.Main.Path), info.Main.Version
	}
	s.client = sdk.NewClient(&sdk.Implementation{Name: name, Version: version}, s.clientOptions())
	s.client.AddReceivingMiddleware(s.wrapHandler)
	l, err := s.openLink(ctx)
	if err != nil {
		s.stop()
		return nil, err
	}
	s.setLink(l, nil, false)
	s.background.Go(func() { s.keepConnected(l) })
	return s, nil
}

// Close ends the session and the running calls, and unregisters the tools from the registries
// that follow the server.
func (s *Server) Close() error {
	s.mu.Lock()
	s.link, s.unavailableReason = nil, errClosedByProgram
	s.mu.Unlock()
	s.calls.endCalls()
	s.stop()
	s.background.Wait()
	s.following.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closeErr
}
