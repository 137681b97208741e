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
// The result of a call is the structured content of the server's answer. If there is none, it is the
// text content, joined to one string. Images, links and other content are in the Content of the call,
// and _meta is in its Meta. Content of an unknown kind is skipped and logged. If the server reports
// that the tool failed, the call fails with the text from the server.
//
// The server receives only these members of a request's Meta: traceparent, tracestate, baggage, and
// names with a prefix, such as example.com/tenant.
//
// # Failures
//
// A broken connection is opened again after a pause that grows from half a second to a minute. If the
// server is a command, the command is started again. If the server no longer knows the session, or no
// longer supports its protocol version, a new session is opened. In the meantime, the tools stay
// registered, and calls fail with an [*UnavailableError]. A call fails with a
// [tool.UnknownOutcomeError] if it may have run: because the connection broke before the answer
// arrived, because the answer cannot be read, or because the context of the call expired and the tool
// is neither read-only nor idempotent. Agents repeat such a call if the tool is idempotent, and
// otherwise ask a person.
//
// # Limits
//
// An answer to a call may have 16 MiB, any other message 4 MiB, and all pages of the list of tools
// together 8 MiB. These limits are checked while a message is read. If a message is too long or
// invalid, or has the wrong ID, only the request that it answers fails. If a definition is nested too
// deeply, only its tool is left out. Lines on the standard output of a command that are not messages
// are logged. At most ten progress notifications per second are passed on, after a first burst.
//
// # Trust
//
// Text from a server is not trusted. Invisible characters are removed from definitions, questions,
// errors and log messages. A changed definition is logged. With [Pinned], it is also rejected until a
// person has accepted it. The hints of a server, for example that a tool is read-only, are used only
// with [TrustHints]. The field From of a [tool.Question] names the server and the tool that ask it.
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

// Client sets the options of the SDK's client. The server's questions to a person or to the model go to
// the caller of the tool, through the [tool.Exchange] of the call, unless the options have a handler for
// them. The progress of a call and requests for the roots always go to the caller. In protocol versions
// with sessions, a question does not say which call it belongs to, so it fails while several calls are
// running. The Logger, by default [slog.Default], receives log messages about the server, at most 50 per
// second.
func Client(options sdk.ClientOptions) Option {
	return func(c *config) { c.client = options }
}

// TrustHints uses the annotations of the server's tools, for example that a tool is read-only or
// idempotent. Without this option, the tools have no annotations: gates do not treat them as
// read-only, and calls with an unknown outcome are not repeated.
func TrustHints() Option {
	return func(c *config) { c.trustHints = true }
}

// Pinned accepts only tools whose definitions are in a file. If the file does not exist, it is
// written when the tools are first listed, with all tools that the server has at that time. Use one
// file for each server.
//
// A tool that is new or has changed is left out and logged, and all definitions of the server are
// written to a file with ".new" added to the name. To accept them, compare the two files and rename
// the new one to the old name. The file is read each time that the tools are listed.
func Pinned(file string) Option {
	return func(c *config) { c.pinFile = file }
}

// Observe sets a function that observes requests of the methods tools/list and tools/call, for traces
// and metrics. It can add to the metadata that the server receives. A call for which the server asks
// questions may consist of several requests. Other requests, such as those that open a session, are
// not observed.
func Observe(f observe.Func) Option {
	return func(c *config) { c.observe = f }
}

// ObserveSessions sets a function that observes the sessions with the server, for metrics. The protocol
// has had no sessions since version 2026-07-28. The function that f returns receives the error of the
// connection, or nil if the program closes the server.
func ObserveSessions(f observe.SessionFunc) Option {
	return func(c *config) { c.watch = f }
}

// Connect connects to a server over a transport of the SDK, with the newest protocol version
// that both support. The client name is the last element of the main module's path.
//
// A connection that breaks is opened again, unless the transport can connect only once: an
// IOTransport, a StdioTransport, an InMemoryTransport, or a command that was made by
// exec.CommandContext. If the first attempt fails, Connect returns its error.
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
	return s.closeErr
}
