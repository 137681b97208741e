// Package pipe carries the messages of one client by lines, such as those of standard
// input and output. What is no message is answered, and the next line read; what was
// asked before the input ended is answered, within limits of time.
//
// Its layers, from top to bottom:
//
//	pipe  the lines, and what is open
//	id    whose a message is
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
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/drain"
)

// Lines is a transport that takes messages by lines, as the SDK's for standard input
// does. That one ends by the first that is none; here it is answered, and the next
// one is read.
type Lines struct {
	In  io.ReadCloser
	Out io.WriteCloser
	Max int          // bytes of a message
	Log *slog.Logger // of what is refused
}

// Connect returns the connection, which reads and writes until it is closed.
func (l Lines) Connect(ctx context.Context) (sdk.Connection, error) {
	in := &lines{Lines: l, in: bufio.NewReader(l.In), ids: newDisguise()}
	c, err := (&sdk.IOTransport{Reader: in, Writer: answers{l.Out, in.ids}, MaxLineLength: -1}).Connect(ctx) // there are no longer ones
	return &connection{Connection: c, lines: in}, err
}

// lines reads the lines of a connection that are JSON.
type lines struct {
	Lines
	in      *bufio.Reader
	ids     disguise
	line    []byte
	rest    []byte      // of the line, to read
	batches atomic.Bool // there was one
}

// answers writes what goes to the client.
type answers struct {
	io.WriteCloser
	ids disguise
}

// Write writes a message, or a batch of some.
func (a answers) Write(p []byte) (int, error) {
	if _, err := a.WriteCloser.Write(a.ids.takeOff(p)); err != nil {
		return 0, err
	}
	return len(p), nil
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
	var said members
	part, err := l.in.ReadSlice('\n')
	for ; ; part, err = l.in.ReadSlice('\n') {
		if length += len(part); length <= l.Max+len("\r\n") {
			l.line = append(l.line, part...)
		}
		_, _ = said.Write(part) // never fails
		if err != bufio.ErrBufferFull {
			break
		}
	}
	switch text := bytes.TrimSpace(l.line); {
	case length > l.Max+len("\r\n") || len(text) > l.Max:
		l.tooLong(said)
	case len(text) == 0:
		return err
	case !json.Valid(text):
		l.refuse(nil, jsonrpc.CodeParseError, json.Unmarshal(text, new(json.RawMessage)))
	case said.found["method"] != "" && said.found["jsonrpc"] != `"2.0"`:
		l.refuse(said.id(), jsonrpc.CodeInvalidRequest, errors.New(`a message must have "jsonrpc": "2.0"`))
	case said.isNobodys(text):
		l.refuse(nil, jsonrpc.CodeInvalidRequest, errors.New("the id of a request must be a string or a number"))
	default:
		if text[0] == '[' {
			l.batches.Store(true)
		}
		l.rest = append(l.ids.put(text), '\n')
	}
	if err == io.EOF {
		return nil // it comes again
	}
	return err
}

// tooLong answers a message that is too long. If it is an answer itself, who asked is
// told instead.
func (l *lines) tooLong(said members) {
	why := fmt.Errorf("a message is longer than %d bytes", l.Max)
	switch {
	case said.found["method"] == "" && said.found["id"] != "":
		l.Log.Warn("mcp: an answer is refused", "error", why)
		l.rest = failure(json.RawMessage(said.found["id"]), jsonrpc.CodeInvalidRequest, why)
	case said.found["method"] != "" && said.found["id"] == "":
		l.Log.Warn("mcp: a notification is refused", "error", why)
	default:
		l.refuse(said.id(), jsonrpc.CodeInvalidRequest, why)
	}
}

// refuse answers a message, whose id is nil if that cannot be told.
func (l *lines) refuse(id json.RawMessage, code int, why error) {
	l.Log.Warn("mcp: a message is refused", "error", why)
	_, _ = l.Out.Write(failure(id, code, why)) // if it fails, so does the next answer, which tells
}

// failure is a line that answers with an error.
func failure(id json.RawMessage, code int, why error) []byte {
	return append(marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": jsonrpc.Error{Code: int64(code), Message: why.Error()}}), '\n')
}

// endError ends a connection.
type endError struct{ error }

func (e *endError) Unwrap() error { return e.error }

// connection is the connection of lines.
type connection struct {
	sdk.Connection
	lines *lines

	mu   sync.Mutex
	open map[jsonrpc.ID]bool // what was asked and not answered; whether it is to be
}

// Read returns the next message, and answers JSON that is none. The end of the input
// is told when all that was asked before is answered: the SDK cancels then what is
// still running, and does not answer it.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := c.Connection.Read(ctx)
		var ended *endError
		switch answer := new(jsonrpc.Error); {
		case err == nil:
			c.asked(m)
			return m, nil
		case errors.Is(err, io.EOF):
			if calls := drain.From(ctx); calls != nil {
				err = errors.Join(err, calls.Drain())
			}
			return m, err
		case ctx.Err() != nil || errors.As(err, &ended):
			return m, err
		case errors.As(err, &answer):
			c.lines.Log.Warn("mcp: an answer to nothing", "error", err) // an answer to that could go on for ever
		default:
			c.lines.refuse(nil, jsonrpc.CodeInvalidRequest, err)
		}
	}
}

// asked notes what there is to answer, but for that which only ends with the
// connection, and what need not be answered any more.
func (c *connection) asked(m jsonrpc.Message) {
	r, ok := m.(*jsonrpc.Request)
	if !ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case r.Method == "notifications/cancelled" && !c.lines.batches.Load(): // a batch waits for all its answers
		var cancelled struct{ RequestID any }
		if json.Unmarshal(r.Params, &cancelled) != nil {
			return
		}
		if id, err := jsonrpc.MakeID(cancelled.RequestID); err == nil && c.open[id] {
			c.open[id] = false
		}
	case r.IsCall() && r.Method != "subscriptions/listen":
		if c.open == nil {
			c.open = map[jsonrpc.ID]bool{}
		}
		c.open[r.ID] = true
	}
}

// Write writes a message, unless it is the answer to what was cancelled.
func (c *connection) Write(ctx context.Context, m jsonrpc.Message) error {
	r, ok := m.(*jsonrpc.Response)
	if !ok {
		return c.Connection.Write(ctx, m)
	}
	c.mu.Lock()
	wanted, open := c.open[r.ID]
	c.mu.Unlock()
	var err error
	if wanted || !open {
		err = c.Connection.Write(ctx, m)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, r.ID)
	return err
}
