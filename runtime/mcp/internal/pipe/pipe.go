// Package pipe carries the messages of one client by lines, such as those of standard
// input and output. What is no message is answered, and the next line read; what was
// asked before the input ended is answered, within limits of time.
package pipe

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Lines is a transport that takes messages by lines, as the SDK's for standard input
// does. That one ends by the first that is none; here it is answered, and the next
// one is read.
type Lines struct {
	In    io.ReadCloser
	Out   io.WriteCloser
	Max   int           // bytes of a message
	Grace time.Duration // for what is asked to be answered when the input has ended
	Log   *slog.Logger  // of what is refused
}

// Connect returns the connection, which reads and writes until it is closed.
func (l Lines) Connect(ctx context.Context) (sdk.Connection, error) {
	in := &lines{Lines: l, in: bufio.NewReader(l.In)}
	c, err := (&sdk.IOTransport{Reader: in, Writer: l.Out, MaxLineLength: -1}).Connect(ctx) // there are no longer ones
	return &connection{Connection: c, lines: in, answered: make(chan struct{}, 1), closed: make(chan struct{})}, err
}

// lines reads the lines of a connection that are JSON.
type lines struct {
	Lines
	in   *bufio.Reader
	line []byte
	rest []byte // of the line, to read
}

// Close closes the input.
func (l *lines) Close() error { return l.In.Close() }

// Read reads from the lines that are JSON.
func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		if err := l.next(); err != nil {
			return 0, &endError{err}
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// next reads a line, and leaves what it holds to read, if that is JSON.
func (l *lines) next() error {
	length := 0
	l.line = l.line[:0]
	part, err := l.in.ReadSlice('\n')
	for ; ; part, err = l.in.ReadSlice('\n') {
		if length += len(part); length <= l.Max+len("\r\n") {
			l.line = append(l.line, part...)
		}
		if err != bufio.ErrBufferFull {
			break
		}
	}
	switch text := bytes.TrimSpace(l.line); {
	case length > l.Max+len("\r\n") || len(text) > l.Max:
		l.refuse(jsonrpc.CodeInvalidRequest, fmt.Errorf("a message is longer than %d bytes", l.Max))
	case len(text) == 0:
		return err
	case !json.Valid(text):
		l.refuse(jsonrpc.CodeParseError, json.Unmarshal(text, new(json.RawMessage)))
	default:
		l.rest = append(text, '\n')
	}
	if err == io.EOF {
		return nil // it comes again
	}
	return err
}

// refuse answers what has no id, as far as can be told.
func (l *lines) refuse(code int, why error) {
	l.Log.Warn("mcp: a message is refused", "error", why)
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": jsonrpc.Error{Code: int64(code), Message: why.Error()}})
	if err != nil {
		panic(err) // it is made of strings and numbers
	}
	_, _ = l.Out.Write(append(text, '\n')) // if it fails, so does the next answer, which tells
}

// endError ends a connection.
type endError struct{ error }

func (e *endError) Unwrap() error { return e.error }

// connection is the connection of lines.
type connection struct {
	sdk.Connection
	lines *lines

	mu        sync.Mutex
	open      map[jsonrpc.ID]bool // what was asked and not answered
	answered  chan struct{}       // has one when something was
	closed    chan struct{}
	closeOnce sync.Once
}

// Read returns the next message, and answers JSON that is none. The end of the
// input is told when all that was asked before is answered, or the grace is over:
// the SDK cancels then what is still running, and does not answer it.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := c.Connection.Read(ctx)
		var ended *endError
		switch answer := new(jsonrpc.Error); {
		case err == nil:
			c.asked(m)
			return m, nil
		case errors.Is(err, io.EOF):
			c.wait(ctx)
			return m, err
		case ctx.Err() != nil || errors.As(err, &ended):
			return m, err
		case errors.As(err, &answer):
			c.lines.Log.Warn("mcp: an answer to nothing", "error", err) // an answer to that could go on for ever
		default:
			c.lines.refuse(jsonrpc.CodeInvalidRequest, err)
		}
	}
}

// asked notes what there is to answer, but for that which only ends with the
// connection.
func (c *connection) asked(m jsonrpc.Message) {
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() && r.Method != "subscriptions/listen" {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.open == nil {
			c.open = map[jsonrpc.ID]bool{}
		}
		c.open[r.ID] = true
	}
}

// Write writes a message, which may be an answer.
func (c *connection) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.open, r.ID)
		select {
		case c.answered <- struct{}{}:
		default: // it was told already
		}
	}
	return err
}

// wait returns when all is answered, or nobody waits for it any more.
func (c *connection) wait(ctx context.Context) {
	over := time.NewTimer(c.lines.Grace)
	defer over.Stop()
	for c.unanswered() > 0 {
		select {
		case <-c.answered:
		case <-c.closed:
			return
		case <-ctx.Done():
			return
		case <-over.C:
			c.lines.Log.Warn("mcp: the input has ended, and calls that still run are cancelled", "after", c.lines.Grace)
			return
		}
	}
}

func (c *connection) unanswered() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open)
}

// Close closes the connection, and ends what waits for it.
func (c *connection) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	return c.Connection.Close()
}
