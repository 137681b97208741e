// Package mcp serves the tools of a registry over the Model Context Protocol (MCP), to
// one client over standard input and output or to many over HTTP. The official Go SDK
// implements the protocol; the registry checks arguments, applies limits and reports errors.
// Create a server with [New]:
//
//	server, err := mcp.New(registry, mcp.Prompts(gen.SystemPrompt, gen.Rules(), gen.WrapQuery))
//	if err != nil { … }
//	err = server.ServeStdio(ctx)                        // or
//	err = server.ListenAndServe(ctx, "127.0.0.1:8080")  // at http://127.0.0.1:8080/mcp
//
// # Tools and results
//
// Clients see the tools that can be called without a [tool.Scope], sorted by name, and are
// notified when the list changes. A result is sent twice. The model reads it as text: a JSON
// string is sent without quotes, anything else as JSON. Programs read the structured content,
// which matches the output schema. There, a result that is not an object is wrapped in one, as
// in {"result": [1, 2]}. Markers of FastMCP in the output schema and in _meta tell clients to
// unwrap it. If a call fails, its result is marked as an error and contains the text of
// [tool.ModelText].
//
// # Requests to the client
//
// The [tool.Exchange] of a function has the user, the session and the client that made the request,
// the headers of the request, and the strings in its _meta. Progress and log messages are sent to
// clients that request them, at most ten per second after a first burst. A function can ask the
// person at the client to fill in a form or to visit a URL, ask the client's model, or list the
// client's roots. In protocol versions with sessions, up to 2025-11-25, the server asks during the
// call. From version 2026-07-28 on, the client repeats the call with the answers within an hour, and
// also sends back the earlier answers, which the server has signed; see [StateKey]. The person is
// also asked for the approvals that a gate requires. A client that does not support questions
// receives the error that its protocol version defines.
//
// # Prompts and resources
//
// In addition to tools, a server can offer prompts, with [Prompts] and [Server.AddPrompt], and
// resources, with [Server.AddResource]. A tool that only returns a link is also a resource. Clients
// can request completions of arguments from their possible values.
package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/internal/secret"
	"github.com/aiongen/aiongen/runtime/mcp/internal/httpserver"
	"github.com/aiongen/aiongen/runtime/mcp/internal/rpc"
	"github.com/aiongen/aiongen/runtime/mcp/internal/stdio"
	"github.com/aiongen/aiongen/runtime/mcp/observe"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Server serves the tools of a registry. It is safe for concurrent use, and can serve
// any number of clients over all transports at the same time.
type Server struct {
	settings settings
	sdk      *sdk.Server
	tools    *toolOffers
	index    argumentIndex
	web      *httpserver.Handler
}

// settings are the values that the options of a server set.
type settings struct {
	name, version string
	log           *slog.Logger
	drain         time.Duration
	maxResult     int // bytes
	aion          aionPrompts
	stateKey      secret.Value[[]byte]
	icons         []sdk.Icon
	observe       observe.Func
	watch         observe.SessionFunc
	web           httpserver.Settings
}

// Option configures a [Server].
type Option func(*settings)

// Name sets the name and version that the server reports to clients. The default is the last
// element of the main module's path, and the module's version.
func Name(name, version string) Option {
	return func(s *settings) { s.name, s.version = name, version }
}

// Logger sets the logger. It receives the address that the server listens on, tools that were
// registered later and cannot be offered, and internal errors of the server. The default is
// [slog.Default].
func Logger(l *slog.Logger) Option {
	return func(s *settings) { s.log = l }
}

// MaxMessage limits the size of a message from a client, in bytes. The default is 4 MiB.
// Arguments have their own limit, [tool.MaxArguments].
func MaxMessage(bytes int) Option {
	return func(s *settings) { s.web.MaxMessage = bytes }
}

// MaxResult limits the result of a call, a prompt or a resource, in bytes of JSON. The
// default is 4 MiB; some clients close the connection at 16 MiB. A result is sent twice, as
// text and as structuredContent. If both together exceed the limit, structuredContent is
// omitted. If the text alone exceeds it, the call returns an error that says so to the model.
// [tool.MaxOutput] limits the output of functions.
func MaxResult(bytes int) Option {
	return func(s *settings) { s.maxResult = bytes }
}

// Drain limits how long running calls may continue after the server's context is done or the
// input of [Server.ServeStdio] has ended. New calls are rejected from then on. Calls that
// exceed the limit are canceled and answered, which takes at most five more seconds. The
// default is 20 seconds, because process managers often kill a process after 30. With zero,
// running calls are canceled at once.
func Drain(d time.Duration) Option {
	return func(s *settings) { s.drain = d }
}

// StateKey sets a secret of at least 32 bytes that several servers behind one address share.
// In the protocol version without sessions, the client keeps the signed answers of a call until
// its next request, which may reach any of the servers. The default is a random key. Servers
// with the same [Name] and key must have the same tools. A server rejects answers that a server
// with another name has signed. A client can send signed answers again for the same call within
// an hour, so one approval may cover several calls with the same arguments.
func StateKey(key []byte) Option {
	return func(s *settings) { s.stateKey = secret.New(key) }
}

// Icon adds an image that clients may show for the server. The URL is an https URL, or a data
// URL that contains the image. The media type, such as image/png, may be empty.
func Icon(url, media string) Option {
	return func(s *settings) { s.icons = append(s.icons, sdk.Icon{Source: url, MIMEType: media}) }
}

// New returns a server for the tools of a registry. Clients see the definitions that
// [schema.Lower] returns for [schema.MCP]. New returns an error if a tool has an invalid schema,
// or if two tools would have the same name. Tools that are registered later are checked in the
// same way, but an invalid one is only logged and not offered.
func New(r *tool.Registry, options ...Option) (*Server, error) {
	settings, err := newSettings(options)
	if err != nil {
		return nil, err
	}
	s := &Server{settings: settings}
	self := &sdk.Implementation{Name: s.settings.name, Version: s.settings.version, Icons: s.settings.icons}
	s.sdk = sdk.NewServer(self, &sdk.ServerOptions{
		Instructions:       s.settings.aion.system,
		Capabilities:       &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{ListChanged: true}, Logging: new(sdk.LoggingCapabilities)},
		CompletionHandler:  s.completeArgument,
		SubscribeHandler:   s.subscribe,
		UnsubscribeHandler: s.unsubscribe,
	})
	s.sdk.AddReceivingMiddleware(s.wrapHandler)
	if s.settings.observe != nil {
		s.sdk.AddReceivingMiddleware(s.settings.observeHandler)
	}
	if err := s.settings.aion.addPrompts(s); err != nil {
		return nil, err
	}
	s.tools = s.settings.newOffers(s.sdk, r)
	s.settings.web.Direct = (&httpserver.DirectCalls{Server: self, Find: s.tools.findDirect, Log: s.settings.log, Observe: s.settings.observe}).AnswerCall
	s.settings.web.Watch, s.settings.web.Log = s.tools.watchRegistry, s.settings.log
	s.settings.web.Observed = s.settings.observe != nil || s.settings.watch != nil
	s.web = httpserver.New(s.sdk, &s.settings.web)
	if _, err := s.tools.refresh(); err != nil {
		return nil, err
	}
	return s, nil
}

// newSettings returns the default settings with the options applied.
func newSettings(options []Option) (settings, error) {
	s := settings{drain: 20 * time.Second, maxResult: 4 << 20, web: httpserver.Settings{MaxMessage: 4 << 20, MaxSessions: 1000}}
	s.name, s.version = mainModule()
	for _, option := range options {
		option(&s)
	}
	if s.log == nil {
		s.log = slog.Default()
	}
	return s, s.checkValues()
}

// minKeyBytes is the minimum length of a state key, in bytes.
const minKeyBytes = 32

func (s *settings) checkValues() error {
	if key := s.stateKey.Reveal(); key != nil && len(key) < minKeyBytes {
		return fmt.Errorf("mcp: state key has %d bytes, need at least %d", len(key), minKeyBytes)
	}
	if s.maxResult <= 0 {
		return fmt.Errorf("mcp: MaxResult is %d bytes, need at least 1", s.maxResult)
	}
	return s.web.Check()
}

// mainModule returns the name and version of the program's main module.
func mainModule() (name, version string) {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path != "" {
		return path.Base(info.Main.Path), info.Main.Version
	}
	return "tools", "unknown"
}

// wrapHandler is the middleware for all requests of clients. It updates the offered tools from
// the registry first, and cancels the request when the server shuts down. If a function panics,
// such as one passed to [Prompts], only the current request fails.
func (s *Server) wrapHandler(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		return rpc.Recover(s.settings.log, method, func() (sdk.Result, error) {
			session, _ := r.GetSession().(*sdk.ServerSession)
			if call, ok := httpserver.HandoverFrom(ctx, r); ok {
				return call.Resume(ctx, session)
			}
			capVersion(r)
			s.tools.refreshAndLog()
			if calls := rpc.CallsFrom(ctx); calls != nil {
				var cancel context.CancelFunc
				ctx, cancel = calls.BindContext(ctx)
				defer cancel()
			}
			if err := checkURIs(r); err != nil {
				return nil, err
			}
			result, err := next(ctx, method, r)
			if session != nil && err == nil {
				s.observeRequest(session, method, r)
				s.settings.watchSession(ctx, session, result)
			}
			return result, repairErrorData(err)
		})
	}
}

// observeRequest passes a request of a session on to the HTTP handler, which keeps track of
// open sessions, canceled calls and log levels.
func (s *Server) observeRequest(session *sdk.ServerSession, method string, r sdk.Request) {
	if method == "initialize" {
		s.web.AddSession(session, verifiedToken(r))
	} else {
		s.web.ObserveParams(session, r.GetParams())
	}
}

// verifiedToken returns the verified token of the client that made a request, or nil.
func verifiedToken(r sdk.Request) *auth.TokenInfo {
	if extra := r.GetExtra(); extra != nil {
		return extra.TokenInfo
	}
	return nil
}

// capVersion lowers the protocol version that a client requests for a session to the last version
// that has sessions. The SDK negotiates that version anyway, but would send its messages in the
// format of the requested version.
func capVersion(r sdk.Request) {
	const last = "2025-11-25" // the last version with sessions
	if p, ok := r.GetParams().(*sdk.InitializeParams); ok && p != nil && p.ProtocolVersion > last {
		p.ProtocolVersion = last
	}
}

// Serve serves one client over a transport of the SDK until the client disconnects or ctx is
// done. When ctx is done, running calls are still answered within the limit of [Drain].
func (s *Server) Serve(ctx context.Context, t sdk.Transport) error {
	calls := rpc.NewCalls(s.settings.drain, s.settings.log)
	watchers := new(sync.WaitGroup)
	base := context.WithValue(withPipe(context.WithoutCancel(ctx), t), watchersKey{}, watchers)
	serveCtx, cancel := context.WithCancel(rpc.WithCalls(base, calls))
	defer cancel()
	stopDraining := context.AfterFunc(ctx, func() {
		if err := calls.Drain(); err != nil {
			s.settings.log.Error(err.Error())
		}
		cancel()
	})
	defer stopDraining()
	go s.tools.watchRegistry(serveCtx)
	err := s.sdk.Run(serveCtx, calls.WrapTransport(t))
	watchers.Wait()
	if ctx.Err() != nil || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, syscall.EPIPE) {
		return nil // ctx is done, or the client did not wait for its answers
	}
	return err
}

// ServeStdio serves one client over standard input and output, like [Server.Serve]. When the
// input ends, ServeStdio first answers the requests received before, within the limit of
// [Drain]. It answers a line that is not a message or is too long with an error, and reads the
// next line. While it runs, [os.Stdout] is set to [os.Stderr], so that a tool that prints does
// not break the protocol.
func (s *Server) ServeStdio(ctx context.Context) error {
	out := os.Stdout
	os.Stdout = os.Stderr
	defer func() { os.Stdout = out }()
	return s.Serve(ctx, stdio.Transport{In: os.Stdin, Out: unclosedFile{out}, MaxMessage: s.settings.web.MaxMessage, Log: s.settings.log})
}

// unclosedFile is a file whose Close does nothing, because this package did not open it.
type unclosedFile struct{ *os.File }

func (unclosedFile) Close() error { return nil }
