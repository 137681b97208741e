// Package remote makes tools of those that other MCP servers offer, for a registry: an
// agent calls them as it calls its own, and what holds for these holds for them, a gate,
// a limit, a journal.
//
//	server, err := remote.Connect(ctx, &mcp.CommandTransport{Command: exec.Command("some-server")}, nil)
//	if err != nil { … }
//	defer server.Close()
//	err = server.Follow(ctx, registry.With(tool.Prefix("some_")))
//
// A server is somebody else's program, and what it says is data. Schemas are checked, and
// a tool that cannot be held is left out and told. Arguments are checked before they are
// sent, and results that have a schema when they come. Annotations are what the server
// claims: a gate for one that is not trusted goes by names.
//
// A result is the structured content of an answer, else its texts as one string; images,
// links and all else is in the Content of the call, and _meta in its Meta. What an answer
// says to be an error is one of the tool, in the words of the server. Of the Meta of a
// request the server is sent what the protocol has names for: traceparent, tracestate,
// baggage, and what has a prefix, as example.com/tenant.
//
// Its layers, from top to bottom:
//
//	follow, remote    a registry that has what a server has; a connection
//	handler           what the client of a connection does for calls that run
//	list, call        the tools of a session; a call
//	running, asking   the calls that run; what a server asks during one
//	result, limit     what an answer says; how much may come
package remote

import (
	"context"
	"path"
	"runtime/debug"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Tools returns the tools of the server at the other end of a session, in its order. They
// are good as long as the session. For each that cannot be held, a
// [*tool.DefinitionError] is in the error; the others are returned beside it.
//
// It is for a session that one has: how far a call is, and what the server asks during
// it, goes to the handlers of its client. Those of a [Server] pass it on to whoever
// drives the call.
func Tools(ctx context.Context, session *sdk.ClientSession) ([]tool.Tool, error) {
	return (&caller{session: session, calls: newRunning()}).tools(ctx)
}

// Server is an MCP server that somebody else runs, as a client sees it. It is safe for
// concurrent use.
type Server struct {
	caller *caller
	ended  chan struct{} // closed when the session is

	mu        sync.Mutex
	changed   chan struct{} // closed when the tools are others
	following sync.WaitGroup
}

// Connect connects to a server over a transport of the SDK, in the newest version of the
// protocol that both speak. The program introduces itself by the last part of the path of
// its main module. Messages of more than 16 MiB end the connection.
//
// Options may be nil. What they have no handlers for goes to whoever drives the call of a
// tool, by its [tool.Exchange]: how far it is, and what the server asks a person, the
// model, or for the roots. In versions with sessions a server does not say which call it
// asks for: while several run, it is told that nobody answers.
func Connect(ctx context.Context, t sdk.Transport, options *sdk.ClientOptions) (*Server, error) {
	s := &Server{caller: &caller{calls: newRunning()}, ended: make(chan struct{}), changed: make(chan struct{})}
	if options != nil {
		s.caller.own = *options
	}
	name, version := "tools", "unknown"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path != "" {
		name, version = path.Base(info.Main.Path), info.Main.Version
	}
	client := sdk.NewClient(&sdk.Implementation{Name: name, Version: version}, s.caller.handlers(s.change))
	client.AddReceivingMiddleware(s.caller.receive)
	session, err := client.Connect(ctx, limited(t), nil)
	if err != nil {
		return nil, err
	}
	s.caller.session = session
	go func() {
		_ = session.Wait() // the next call tells why
		close(s.ended)
	}()
	return s, nil
}

// Session is that of the connection, for what else the SDK has, such as prompts.
func (s *Server) Session() *sdk.ClientSession { return s.caller.session }

// Tools returns the tools that the server has now, as the function of that name does.
func (s *Server) Tools(ctx context.Context) ([]tool.Tool, error) { return s.caller.tools(ctx) }

// Close ends the session, and with it the calls that run. Registries that follow the
// server no longer have its tools then.
func (s *Server) Close() error {
	s.caller.calls.close()
	err := s.caller.session.Close()
	<-s.ended
	s.following.Wait()
	return err
}

// change tells all that follow that the tools are others.
func (s *Server) change() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.changed)
	s.changed = make(chan struct{})
}

// changes returns a channel that is closed when the tools are next others.
func (s *Server) changes() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}
