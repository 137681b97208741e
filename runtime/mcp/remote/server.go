package remote

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/sanitize"
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/transport"
)

// Server is a connection to an MCP server. It is safe for concurrent use.
type Server struct {
	transport sdk.Transport
	client    *sdk.Client
	config    config
	calls     *runningCalls
	log       *slog.Logger
	headers   paramHeaders

	mu                sync.Mutex
	link              *transport.Link // nil while there is no connection
	unavailableReason error           // why link is nil
	reconnecting      bool            // a new link is being opened without delay
	info              *sdk.InitializeResult
	linkChanged       chan struct{}     // closed when link or unavailableReason changes
	changed           chan struct{}     // closed when the tools may have changed
	lastDefinitions   map[string]string // fingerprints of the tools when they were last listed, by name

	ctx        context.Context // done when the server is closed
	stop       context.CancelFunc
	ended      chan struct{}  // closed when the connection has ended for good
	background sync.WaitGroup // goroutines of the connection
	closeErr   error          // of closing the connection; valid when its goroutines have ended
	following  sync.WaitGroup // goroutines of Follow
}

// Session returns the session of the current connection, for other features of the SDK, such as
// prompts. It returns nil while there is no connection, and a new session after the connection
// has been opened again. Close the server, not the session.
func (s *Server) Session() *sdk.ClientSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.link == nil {
		return nil
	}
	return s.link.Session
}

// maxNamePartBytes limits the name and the address in the description of a server, in bytes.
const maxNamePartBytes = 100

// describeServer returns a description of the server for people: the name that it reports, and the
// host or command to which the program connects, as in `MCP server "files" (files.example)`.
func (s *Server) describeServer() string {
	s.mu.Lock()
	info := s.info
	s.mu.Unlock()
	name := "MCP server"
	if info != nil && info.ServerInfo != nil && info.ServerInfo.Name != "" {
		name += fmt.Sprintf(" %q", words.Cut(words.Visible(info.ServerInfo.Name, ""), maxNamePartBytes))
	}
	if address, _ := transport.Describe(s.transport); address != "" {
		name += " (" + words.Cut(words.Visible(address, ""), maxNamePartBytes) + ")"
	}
	return name
}

// notifyChange reports that the tools may have changed.
func (s *Server) notifyChange() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.changed)
	s.changed = make(chan struct{})
}

// nextChange returns a channel that is closed at the next call of notifyChange.
func (s *Server) nextChange() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// UnavailableError reports that a call did not run, because there is no connection to the server. It is
// retryable, unless the connection cannot be opened again.
type UnavailableError struct {
	Server string // description of the server, for people
	Err    error  // reason why there is no connection

	final bool // the connection will not be opened again
}

func (e *UnavailableError) Error() string {
	return e.Server + " is unavailable: " + sanitize.Text(e.Err.Error())
}

func (e *UnavailableError) Unwrap() error { return e.Err }

// Code returns "unavailable".
func (e *UnavailableError) Code() string { return "unavailable" }

// Retryable reports whether the connection will be opened again.
func (e *UnavailableError) Retryable() bool { return !e.final }

// ModelText returns the text for the model.
func (e *UnavailableError) ModelText() string { return "the server of this tool is unavailable" }
