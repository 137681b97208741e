// Package stdio implements a server transport for one client that sends each message as a line, as
// over standard input and output. Pass a [Transport] to the SDK.
package stdio

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

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/rpc"
)

// Transport reads and writes messages as lines. Unlike the transport of the SDK, it answers an
// invalid line with an error and continues with the next line. It ignores notifications that have
// no effect on a server, because the requests that follow would have to wait until the SDK has
// handled each of them. When the input ends, running requests are still answered within the time
// limit of [rpc.Calls].
type Transport struct {
	In         io.ReadCloser
	Out        io.WriteCloser
	MaxMessage int          // maximum size of a message, in bytes
	Log        *slog.Logger // receives rejected messages
}

// Connect starts reading, and returns the connection.
func (l Transport) Connect(context.Context) (sdk.Connection, error) {
	c := &connection{
		Transport: l, in: bufio.NewReader(l.In), ids: rpc.NewIDMask(),
		incoming: make(chan incoming), closed: make(chan struct{}), requests: openRequests{open: map[jsonrpc.ID]*request{}},
	}
	go c.readLines()
	return c, nil
}

// incoming is a message for the SDK, or the error that ended the input.
type incoming struct {
	message jsonrpc.Message
	err     error
}

// connection is the connection of a Transport.
type connection struct {
	Transport
	in       *bufio.Reader
	line     []byte // the line that is being read
	ids      rpc.IDMask
	incoming chan incoming
	requests openRequests

	writing  sync.Mutex
	closing  sync.Once
	closed   chan struct{}
	closeErr error
}

// SessionID returns "", because there is only one session.
func (c *connection) SessionID() string { return "" }

// Close closes the input and the output. The reading goroutine ends when its pending read
// returns.
func (c *connection) Close() error {
	c.closing.Do(func() {
		c.closeErr = errors.Join(c.In.Close(), c.Out.Close())
		close(c.closed)
	})
	return c.closeErr
}

// Read returns the next message. At the end of the input, it waits until all requests have been
// answered, and then returns [io.EOF]. Otherwise the SDK would cancel running requests without
// answering them.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.closed:
		return nil, io.EOF
	case next := <-c.incoming:
		if errors.Is(next.err, io.EOF) {
			if calls := rpc.CallsFrom(ctx); calls != nil {
				return nil, errors.Join(next.err, calls.Drain())
			}
		}
		return next.message, next.err
	}
}

// readLines reads lines until the input ends, and passes their messages on to Read.
func (c *connection) readLines() {
	for {
		text, long, err := c.readLine()
		var all []incoming
		if long != nil {
			all = c.rejectLong(long)
		} else {
			all = c.handleLine(text)
		}
		if err != nil {
			all = append(all, incoming{err: err})
		}
		for _, next := range all {
			select {
			case c.incoming <- next:
			case <-c.closed:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// readLine returns the next line without surrounding space. If the line is too long, readLine does not
// keep it, and returns a memberScanner that has read it. With the last line, it returns [io.EOF] or
// the error that ended the input.
func (c *connection) readLine() (text []byte, long *memberScanner, err error) {
	length, limit := 0, c.MaxMessage+len("\r\n")
	c.line = c.line[:0]
	for {
		var part []byte
		part, err = c.in.ReadSlice('\n')
		if length += len(part); length <= limit {
			c.line = append(c.line, part...)
		} else {
			if long == nil {
				long = newMemberScanner(c.line)
			}
			_, _ = long.Write(part) // never fails
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			break
		}
	}
	text = bytes.TrimSpace(c.line)
	if long == nil && len(text) > c.MaxMessage { // the limit allowed two more bytes for a line break
		long = newMemberScanner(text)
	}
	return text, long, err
}

// handleLine returns the messages of a line that are for the SDK. It answers an invalid line with an
// error.
func (c *connection) handleLine(text []byte) []incoming {
	switch {
	case len(text) == 0:
		return nil
	case !json.Valid(text):
		c.answerError(nil, jsonrpc.CodeParseError, json.Unmarshal(text, new(json.RawMessage)))
		return nil
	case text[0] == '[':
		return c.handleBatch(text)
	}
	m, messageErr := rpc.ReadMessage(c.ids.HideIDs(text))
	if messageErr != nil {
		return c.rejectMessage(messageErr)
	}
	if r, isRequest := m.(*jsonrpc.Request); isRequest && !c.requests.beginRequest(r, nil) {
		return nil
	}
	return []incoming{{message: m}}
}

// handleBatch is handleLine for a batch. If a message is invalid, it rejects the whole batch.
// Otherwise the answers of the batch are written together, when all its requests have been answered.
func (c *connection) handleBatch(text []byte) (all []incoming) {
	var texts []json.RawMessage
	_ = json.Unmarshal(c.ids.HideIDs(text), &texts) // it is valid JSON
	if len(texts) == 0 {
		c.answerError(nil, jsonrpc.CodeInvalidRequest, errors.New("the batch has no messages"))
		return nil
	}
	batch := new(batch)
	var messages []jsonrpc.Message
	ids := map[jsonrpc.ID]bool{}
	for i, text := range texts {
		m, messageErr := rpc.ReadMessage(text)
		if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
			if ids[r.ID] || c.requests.isOpen(r.ID) {
				messageErr = &rpc.MessageError{Code: jsonrpc.CodeInvalidRequest, Text: "the id belongs to another request that has not been answered yet"}
			}
			ids[r.ID] = true
		}
		if messageErr != nil {
			c.answerError(nil, messageErr.Code, fmt.Errorf("message %d of the batch: %w", i+1, messageErr))
			return nil
		}
		messages = append(messages, m)
	}
	batch.waiting = len(ids)
	for _, m := range messages {
		if r, isRequest := m.(*jsonrpc.Request); !isRequest || c.requests.beginRequest(r, batch) {
			all = append(all, incoming{message: m})
		}
	}
	return all
}

// rejectMessage answers an invalid message with an error. If the message is the client's answer to a
// request of the server, rejectMessage also returns an error answer for the SDK, which ends the request.
func (c *connection) rejectMessage(messageErr *rpc.MessageError) []incoming {
	switch {
	case !messageErr.IsAnswer:
		c.answerError(messageErr.ID, messageErr.Code, messageErr)
	case string(messageErr.ID) == "null": // must not be answered: two peers could exchange such answers forever
		c.Log.Warn("mcp: ignored an answer without an ID", "error", messageErr)
	default:
		c.answerError(nil, messageErr.Code, messageErr)
		return failedAnswer(messageErr.ID, messageErr)
	}
	return nil
}

// rejectLong is rejectMessage for a message that is too long to decode.
func (c *connection) rejectLong(long *memberScanner) []incoming {
	err := fmt.Errorf("a message is longer than %d bytes", c.MaxMessage)
	switch {
	case long.values["method"] == "" && long.values["id"] != "":
		c.Log.Warn("mcp: rejected an answer", "error", err)
		return failedAnswer(json.RawMessage(long.values["id"]), err)
	case long.values["method"] != "" && long.values["id"] == "":
		c.Log.Warn("mcp: rejected a notification", "error", err)
	default:
		c.answerError(long.requestID(), jsonrpc.CodeInvalidRequest, err)
	}
	return nil
}

// failedAnswer returns an error answer to the request of the server with this ID. It returns nil if the
// ID is invalid.
func failedAnswer(rawID json.RawMessage, reason error) []incoming {
	var value any
	_ = json.Unmarshal(rawID, &value) // it is valid JSON
	id, err := jsonrpc.MakeID(value)
	if err != nil || !id.IsValid() {
		return nil
	}
	return []incoming{{message: &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: reason.Error()}}}}
}

// answerError answers a message with an error. The ID is nil if it is unknown.
func (c *connection) answerError(id json.RawMessage, code int64, reason error) {
	c.Log.Warn("mcp: rejected a message", "error", reason)
	_ = c.writeLine(rpc.EncodeError(id, code, reason.Error())) // if this fails, the next Write fails and reports it
}

// Write writes a message. It drops the answer to a canceled request.
func (c *connection) Write(ctx context.Context, m jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	answer, isAnswer := m.(*jsonrpc.Response)
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil && isAnswer { // an error would end the connection
		c.Log.Error("mcp: cannot encode an answer", "error", err)
		text, err = jsonrpc.EncodeMessage(&jsonrpc.Response{ID: answer.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the server cannot encode the answer as JSON"}})
	}
	if err != nil {
		return err
	}
	if isAnswer {
		text = c.requests.endRequest(answer.ID, text)
	}
	if text == nil {
		return nil
	}
	return c.writeLine(text)
}

// writeLine writes a line.
func (c *connection) writeLine(text []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.Out.Write(append(c.ids.RestoreIDs(text), '\n'))
	return err
}
