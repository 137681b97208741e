// Package remote makes tools of those that other MCP servers offer. Connect to a server
// with [Connect], and let a registry follow it:
//
//	server, err := remote.Connect(ctx, &mcp.CommandTransport{Command: exec.Command("some-server")})
//	if err != nil { … }
//	defer server.Close()
//	err = server.Follow(ctx, registry.With(tool.Prefix("some_")))
//
// An agent calls such tools as it calls its own. Gates, limits and journals apply to them.
// Arguments are checked before they are sent, and results that have a schema when they
// arrive.
//
// # Results
//
// A result is the structured content of an answer, else its texts as one string. Images,
// links and other content are in the Content of the call, and _meta is in its Meta. Content
// of an unknown kind is skipped and logged. If the answer says that the tool failed, the
// error has the words of the server.
//
// Of the Meta of a request, the server receives what the protocol has names for:
// traceparent, tracestate, baggage, and names with a prefix, such as example.com/tenant.
//
// # Failures
//
// A connection that breaks is opened again after a pause that grows from half a second to
// a minute: a command is started again, and a server that no longer knows the session gets
// a new one. Meanwhile the tools stay registered, and calls fail with an
// [*UnavailableError]. A call that may have run, because the connection broke before its
// answer came or because the answer cannot be read, fails with a
// [tool.UnknownOutcomeError]. So does one whose context expires, unless its tool is
// read-only or idempotent. Runs make an idempotent call again, and ask a person about any
// other.
//
// # Limits
//
// The size of a message is checked while it is read: an answer to a call may have 16 MiB,
// any other message 4 MiB, and all pages of the list of tools together 8 MiB. A message
// that is longer, that is not valid, or that has the wrong ID affects only the request that
// it answers. Lines on the standard output of a command that are not messages are logged.
// At most ten progress notifications per second are passed on, after a first burst.
//
// # Trust
//
// A server is another party's program, and what it says is data. Characters that cannot be
// seen are removed from definitions, questions, errors and log messages. A definition that
// changes is logged, and [Pinned] rejects it until a person has accepted it. The hints of a
// server, for example that a tool is read-only, count only with [TrustHints]. A question
// names the server and the tool that ask it in [ask.Question.From].
package remote

import (
	"cmp"
	"context"
	"log/slog"
	"path"
	"runtime/debug"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/transport"
)

// Option is an option of [Connect].
type Option func(*config)

// config is what the options of a connection say.
type config struct {
	client sdk.ClientOptions
	hints  bool
	pinned string
}

// Client sets the options of the client of the SDK. What they have no handler for goes to
// whoever drives the call of a tool, by its [tool.Exchange]: progress, and what the server
// asks a person, the model, or for the roots. With protocol versions that have sessions, a
// server does not say which call it asks for: while several calls run, nobody answers. The
// Logger, by default [slog.Default], receives what a server does wrong, at most 50 messages per
// second.
func Client(options sdk.ClientOptions) Option {
	return func(c *config) { c.client = options }
}

// TrustHints makes the annotations of the tools count, for example that a tool is read-only
// or idempotent. Without it, a tool of the server has none: a gate that allows read-only
// tools does not allow a tool because its server says so, and its calls are not repeated.
func TrustHints() Option {
	return func(c *config) { c.hints = true }
}

// Pinned accepts only tools whose definitions are in a file. If there is no such file, it is
// written with the tools that the server has when they are first listed. Use one file for
// each server.
//
// A tool that is new or has changed is left out and logged, and all definitions of the
// server are written to the file with ".new" added to its name. To accept them, compare the
// two files and rename the new one. They are read each time that the tools are listed.
func Pinned(file string) Option {
	return func(c *config) { c.pinned = file }
}

// Connect connects to a server over a transport of the SDK, in the newest version of the
// protocol that both speak. The program introduces itself by the last part of the path of
// its main module.
//
// A connection that breaks is opened again, unless the transport can connect only once: an
// IOTransport, a StdioTransport, an InMemoryTransport, or a command that was made by
// exec.CommandContext. The first attempt to connect is not repeated.
func Connect(ctx context.Context, t sdk.Transport, options ...Option) (*Server, error) {
	s := &Server{
		transport: t, calls: newRunning(), renewed: make(chan struct{}), changed: make(chan struct{}),
		ended: make(chan struct{}), seen: map[string]string{},
	}
	s.ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	for _, o := range options {
		if o != nil {
			o(&s.config)
		}
	}
	s.logger = transport.LimitLog(cmp.Or(s.config.client.Logger, slog.Default()))
	name, version := "tools", "unknown"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path != "" {
		name, version = path.Base(info.Main.Path), info.Main.Version
	}
	s.client = sdk.NewClient(&sdk.Implementation{Name: name, Version: version}, s.handlers())
	s.client.AddReceivingMiddleware(s.receive)
	l, err := s.connect(ctx)
	if err != nil {
		s.stop()
		return nil, err
	}
	s.setLink(l, nil, false)
	s.background.Go(func() { s.keepConnected(l) })
	return s, nil
}

// Close ends the session and the calls that run. Registries that follow the server no
// longer have its tools then.
func (s *Server) Close() error {
	s.mu.Lock()
	s.link, s.away = nil, errClosedByProgram
	s.mu.Unlock()
	s.calls.close()
	s.stop()
	s.background.Wait()
	s.following.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closeErr
}
