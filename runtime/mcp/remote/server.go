package remote

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/link"
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/transport"
)

// Server is an MCP server that somebody else runs. It is safe for concurrent use.
type Server struct {
	transport sdk.Transport
	client    *sdk.Client
	config    config
	calls     *running
	logger    *slog.Logger
	headers   paramHeaders

	mu       sync.Mutex
	link     *link.Link // nil while there is no connection
	away     error      // why there is none
	soon     bool       // one is opened at once
	info     *sdk.InitializeResult
	renewed  chan struct{} // closed when link or away changes
	changed  chan struct{} // closed when the tools may have changed
	closeErr error
	seen     map[string]string // the last definition of each tool, by its name

	ctx        context.Context // done when the server is closed
	stop       context.CancelFunc
	ended      chan struct{} // closed when there will be no connection any more
	background sync.WaitGroup
	following  sync.WaitGroup
}

// Session returns the session of the current connection, for what else the SDK offers, such
// as prompts. After the connection broke it is another one, and nil while there is none. Close
// the server, not the session.
func (s *Server) Session() *sdk.ClientSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.link == nil {
		return nil
	}
	return s.link.Session
}

// log receives what a server does wrong.
func (s *Server) log() *slog.Logger { return s.logger }

// longestPart limits the parts of the name of whoever asks a question, in bytes.
const longestPart = 100

// source names the server as people read it: what it calls itself, and what the program
// knows of it.
func (s *Server) source() string {
	s.mu.Lock()
	info := s.info
	s.mu.Unlock()
	name := "MCP server"
	if info != nil && info.ServerInfo != nil && info.ServerInfo.Name != "" {
		name += fmt.Sprintf(" %q", words.Cut(words.Visible(info.ServerInfo.Name, ""), longestPart))
	}
	if address := transport.Address(s.transport); address != "" {
		name += " (" + words.Cut(words.Visible(address, ""), longestPart) + ")"
	}
	return name
}

// change reports that the tools may have changed.
func (s *Server) change() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.changed)
	s.changed = make(chan struct{})
}

// changes returns a channel that is closed when the tools may have changed next.
func (s *Server) changes() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// UnavailableError reports that there is no connection to a server, and that the call did
// not run. It is retryable.
type UnavailableError struct {
	Server string // what people call it
	Err    error  // why there is no connection
}

func (e *UnavailableError) Error() string { return e.Server + " is unavailable: " + e.Err.Error() }

func (e *UnavailableError) Unwrap() error { return e.Err }

// Code returns "unavailable".
func (e *UnavailableError) Code() string { return "unavailable" }

// Retryable returns true: the connection is opened again.
func (e *UnavailableError) Retryable() bool { return true }

// ModelText returns what a model reads of it.
func (e *UnavailableError) ModelText() string { return "the server of this tool is unavailable" }
