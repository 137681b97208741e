// Package mcp serves the tools of a registry over the Model Context Protocol, to
// one client by standard input and output or to many over HTTP. The protocol is
// that of the official Go SDK; the checks of arguments, the limits and the errors
// are those of the registry.
//
//	server, err := mcp.New(registry, mcp.Prompts(gen.SystemPrompt, gen.Rules(), gen.WrapQuery))
//	if err != nil { … }
//	err = server.ServeStdio(ctx)                        // or
//	err = server.ListenAndServe(ctx, "127.0.0.1:8080")  // at http://127.0.0.1:8080/mcp
//
// Clients are offered the tools that can be called without a [tool.Scope], sorted
// by name, and are told when they change. A result comes as text, for the model: a
// text as it is, anything else as JSON. It comes once more, for programs, as JSON that
// fits the output schema; there, one that is no object is the member "result" of one,
// with the mark of FastMCP by which clients take it out again. What a call fails with
// comes as a result too, marked as an error, in the words of [tool.ModelText].
//
// A function learns from its [tool.Exchange] who asks: user, session and client of that
// very request, its headers, and the texts in its _meta. Progress and logs go to a client
// that wants them, at most ten a second in a loop. What it asks a person (a form, or a
// URL to go to), the model of the client or for its roots is asked at once in the
// protocol with sessions, up to 2025-11-25; from 2026-07-28 on, the client makes the
// call again with the answers within an hour, and carries those so far, signed; see
// [StateKey]. What a gate wants approved is asked of the person, too. A client that
// cannot be asked gets the error that its version of the protocol has for that.
//
// Beside tools, clients are offered prompts, by [Prompts] and [Server.AddPrompt], and
// resources, by [Server.AddResource]; a tool that is a link alone is one, too. Arguments
// are completed from their values.
//
// Its layers, from top to bottom:
//
//	http, mcp, addto                            the server, and its ways in; or one that there is
//	aion                                        the prompts of .aion files
//	prompt, resource                            what is offered beside tools
//	complete                                    their arguments
//	internal/web, internal/pipe                 many clients by HTTP, one by its lines
//	internal/direct                           most calls without a session
//	internal/drain                              what they wait for when the server ends
//	internal/offer, internal/peer               tools, and who calls them
//	internal/parts, internal/sealed             content, and what clients carry
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
	"syscall"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/internal/secret"
	"github.com/aiongen/aiongen/runtime/mcp/internal/contain"
	"github.com/aiongen/aiongen/runtime/mcp/internal/direct"
	"github.com/aiongen/aiongen/runtime/mcp/internal/drain"
	"github.com/aiongen/aiongen/runtime/mcp/internal/offer"
	"github.com/aiongen/aiongen/runtime/mcp/internal/pipe"
	"github.com/aiongen/aiongen/runtime/mcp/internal/sealed"
	"github.com/aiongen/aiongen/runtime/mcp/internal/web"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Server serves the tools of a registry. It is safe for concurrent use, and serves
// any number of clients, by all ways at once.
type Server struct {
	settings settings
	sdk      *sdk.Server
	tools    *offer.Offers
	shelf    shelf
	key      sealed.Key
	web      *web.Handler
}

// settings are what the options of a server set.
type settings struct {
	name, version string
	log           *slog.Logger
	drain         time.Duration
	aion          aion
	stateKey      secret.Value[[]byte]
	icons         []sdk.Icon
	web           web.Settings
}

// Option sets up a [Server].
type Option func(*settings)

// Name is how the server introduces itself. The default is the last part of the
// path of the main module, and its version.
func Name(name, version string) Option {
	return func(s *settings) { s.name, s.version = name, version }
}

// Logger takes what nobody else can be told: where the server listens, tools that
// were registered later and cannot be offered, and faults of the server itself. The
// default is [slog.Default].
func Logger(l *slog.Logger) Option {
	return func(s *settings) { s.log = l }
}

// MaxMessage bounds what a client may send at once, in bytes. The default is 4 MiB.
// Arguments have a limit of their own, [tool.MaxArguments].
func MaxMessage(bytes int) Option {
	return func(s *settings) { s.web.MaxMessage = bytes }
}

// Drain bounds how long calls that run go on when the server is told to end by its
// context, or the input of [Server.ServeStdio] has ended. Others that come then are
// refused. Those that run longer are cancelled, which is answered, too, and takes
// five seconds more at most. The default is 20 seconds: whoever kills what does not
// end often waits for 30. With zero, calls are cancelled at once.
func Drain(d time.Duration) Option {
	return func(s *settings) { s.drain = d }
}

// StateKey is a secret of at least 32 bytes that several servers share behind one
// address: in the protocol without sessions, what a call was answered so far is signed
// and kept by its client until the next request, which any of them may get. Without it,
// the key is random, and of this server alone. Servers of one [Name] and key must have the
// same tools; those of another name take nothing that is signed for these. A client may send the same again for the same call, within an hour: one approval
// may be for several calls with the same arguments.
func StateKey(key []byte) Option {
	return func(s *settings) { s.stateKey = secret.New(key) }
}

// Icon is the URL of an image that clients may show for the server: https, or data with
// the image in it. The type of that, as in image/png, may be empty.
func Icon(url, media string) Option {
	return func(s *settings) { s.icons = append(s.icons, sdk.Icon{Source: url, MIMEType: media}) }
}

// New returns a server for the tools of a registry. Clients are offered them as
// [schema.Lower] has them for [schema.MCP]. A tool that the protocol cannot carry
// is an error: one with a schema that is none, or whose name becomes that of
// another one. Tools that are registered later are checked too, and left out.
func New(r *tool.Registry, options ...Option) (*Server, error) {
	settings, err := settle(options)
	if err != nil {
		return nil, err
	}
	s := &Server{settings: settings}
	self := &sdk.Implementation{Name: s.settings.name, Version: s.settings.version, Icons: s.settings.icons}
	s.sdk = sdk.NewServer(self, &sdk.ServerOptions{
		Instructions:       s.settings.aion.system,
		Capabilities:       &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{ListChanged: true}, Logging: new(sdk.LoggingCapabilities)},
		CompletionHandler:  s.complete,
		SubscribeHandler:   s.subscribe,
		UnsubscribeHandler: s.unsubscribe,
	})
	s.sdk.AddReceivingMiddleware(s.receive)
	if err := s.settings.aion.addTo(s); err != nil {
		return nil, err
	}
	s.key = sealed.NewKey(s.settings.stateKey.Reveal(), s.settings.name)
	s.tools = offer.New(r, s.sdk, s.settings.log, s.key)
	s.settings.web.Direct = (&direct.Calls{Server: self, Find: s.tools.Direct, Log: s.settings.log}).Answer
	s.settings.web.Watch, s.settings.web.Log = s.tools.Watch, s.settings.log
	s.web = web.New(s.sdk, &s.settings.web)
	if _, err := s.tools.Refresh(); err != nil {
		return nil, err
	}
	return s, nil
}

// settle returns what options set, and the defaults of the rest.
func settle(options []Option) (settings, error) {
	s := settings{drain: 20 * time.Second, web: web.Settings{MaxMessage: 4 << 20, MaxSessions: 1000}}
	s.name, s.version = program()
	for _, option := range options {
		option(&s)
	}
	if s.log == nil {
		s.log = slog.Default()
	}
	return s, s.check()
}

// leastKey is how long a secret must be, in bytes.
const leastKey = 32

func (s *settings) check() error {
	if key := s.stateKey.Reveal(); key != nil && len(key) < leastKey {
		return fmt.Errorf("mcp: state key has %d bytes, need at least %d", len(key), leastKey)
	}
	return s.web.Check()
}

// program returns name and version of the program.
func program() (name, version string) {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path != "" {
		return path.Base(info.Main.Path), info.Main.Version
	}
	return "tools", "unknown"
}

// receive is around everything that a client asks. The answer is of what the
// registry holds now, and the work for it ends when the server does. A panic, as of
// a function given to [Prompts], is an error of that request alone.
func (s *Server) receive(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		return contain.Answer(s.settings.log, method, func() (sdk.Result, error) {
			capVersion(r)
			s.tools.Follow()
			if calls := drain.From(ctx); calls != nil {
				var cancel context.CancelFunc
				ctx, cancel = calls.Bind(ctx)
				defer cancel()
			}
			result, err := next(ctx, method, r)
			if session, ok := r.GetSession().(*sdk.ServerSession); ok && method == "initialize" && err == nil {
				s.web.Opened(session)
			}
			return result, err
		})
	}
}

// capVersion has a session be of the version that it is served with, where the client
// asked for a later one: the SDK goes by what was asked for when it tells and asks.
func capVersion(r sdk.Request) {
	const last = "2025-11-25" // with sessions
	if p, ok := r.GetParams().(*sdk.InitializeParams); ok && p != nil && p.ProtocolVersion > last {
		p.ProtocolVersion = last
	}
}

// Serve serves one client over a transport of the SDK until the client or ctx ends
// it; calls that run then are answered as [Drain] says, if the client is still there.
func (s *Server) Serve(ctx context.Context, t sdk.Transport) error {
	calls := drain.New(s.settings.drain, s.settings.log)
	serving, end := context.WithCancel(drain.With(context.WithoutCancel(ctx), calls))
	defer end()
	ending := context.AfterFunc(ctx, func() {
		if err := calls.Drain(); err != nil {
			s.settings.log.Error(err.Error())
		}
		end()
	})
	defer ending()
	go s.tools.Watch(serving)
	err := s.sdk.Run(serving, calls.Transport(t))
	if ctx.Err() != nil || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, syscall.EPIPE) {
		return nil // it ended as it was told to, or the client did not wait for an answer
	}
	return err
}

// ServeStdio serves the client at standard input and output, as [Server.Serve]
// does. When the input ends, what was asked before is answered first, as [Drain] says.
// A line that is no message, or too long for one, is answered with an error, and the
// next one is read. Meanwhile [os.Stdout] is [os.Stderr], so that a tool that prints
// does not break the protocol.
func (s *Server) ServeStdio(ctx context.Context) error {
	out := os.Stdout
	os.Stdout = os.Stderr
	defer func() { os.Stdout = out }()
	return s.Serve(ctx, pipe.Lines{In: os.Stdin, Out: leftOpen{out}, Max: s.settings.web.MaxMessage, Log: s.settings.log})
}

// leftOpen is a file that is somebody else's to close.
type leftOpen struct{ *os.File }

func (leftOpen) Close() error { return nil }
