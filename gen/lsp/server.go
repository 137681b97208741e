package lsp

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"

	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
	"github.com/aiongen/aiongen/internal/regularfile"
)

// A phase is a part of a session.
type phase int

const (
	starting phase = iota // before initialize
	serving
	shutDown
)

// A server serves one client.
type server struct {
	cfg     Config
	log     *slog.Logger
	out     *protocol.Writer
	ctx     context.Context // of the session
	running sync.WaitGroup  // requests and background work
	slots   chan struct{}   // one element for each running request

	// These are set by initialize. Only the goroutine that reads the messages uses the phase.
	phase    phase
	encoding string
	client   protocol.ClientCapabilities
	options  options

	mu        sync.Mutex
	cancels   map[string]context.CancelFunc // of running requests, by ID
	documents map[string]*document          // open documents, by path or, without a path, URI
	modules   map[string]*module            // by directory
	changes   int                           // how often a document or file has changed
}

// options are the settings of the client for the server.
type options struct {
	Tags string   `json:"tags"` // build tags, in the syntax of the go command
	Lint []string `json:"lint"` // targets whose limitations are reported as warnings
}

func newServer(ctx context.Context, cfg Config, out io.Writer) *server {
	return &server{
		cfg: cfg, log: cmp.Or(cfg.Log, slog.New(slog.DiscardHandler)), out: protocol.NewWriter(out), ctx: ctx,
		slots: make(chan struct{}, maxRequests), encoding: protocol.UTF16,
		cancels: map[string]context.CancelFunc{}, documents: map[string]*document{}, modules: map[string]*module{},
	}
}

// notify sends a notification.
func (s *server) notify(method string, params any) {
	if err := s.out.Notify(method, params); err != nil {
		s.log.Error("lsp: cannot notify", "method", method, "error", err)
	}
}

// request sends a request. The server does not wait for the response, so a client that does not respond
// cannot block it.
func (s *server) request(method string, params any) {
	if err := s.out.Request(method, params); err != nil {
		s.log.Error("lsp: cannot request", "method", method, "error", err)
	}
}

// openDocument returns an open document, or nil.
func (s *server) openDocument(uri protocol.URI) *document {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.documents[documentKey(uri)]
}

// anyDocument returns an open document or one on disk, or nil if there is none.
func (s *server) anyDocument(uri protocol.URI) *document {
	if d := s.openDocument(uri); d != nil {
		return d
	}
	path := pathOf(uri)
	text, err := regularfile.ReadFile(path)
	if path == "" || err != nil {
		return nil
	}
	return newFile(s.encoding, path, text)
}

// protect calls do and returns its error, or an error if it panics.
func (s *server) protect(method string, do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("lsp: internal failure", "method", method, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("internal failure in %s: %v", method, p)
		}
	}()
	return do()
}

// invalidParams returns the error of a request with invalid parameters.
func invalidParams(format string, args ...any) error {
	return protocol.Errorf(protocol.InvalidParams, format, args...)
}
