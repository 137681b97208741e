package protocol

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// The limits on a message, in bytes. The header of a real message has less than 100 bytes. An .aion file
// has at most 16 MiB, and escapes in JSON can double its size.
const (
	maxHeader  = 4 << 10
	maxContent = 64 << 20
)

// The codes of errors, from JSON-RPC and the Language Server Protocol.
const (
	ParseError           = -32700
	InvalidRequest       = -32600
	MethodNotFound       = -32601
	InvalidParams        = -32602
	InternalError        = -32603
	ServerNotInitialized = -32002
	RequestCancelled     = -32800
)

// An Error is the error in the response to a request.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Errorf returns an Error with a code and a message.
func Errorf(code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// A Message is a request, a notification (without an ID) or a response (without a method) from
// the client.
type Message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// IsRequest reports whether the message needs a response.
func (m *Message) IsRequest() bool { return m.Method != "" && m.ID != nil }

// A Reader reads messages.
type Reader struct{ in *bufio.Reader }

// NewReader returns a Reader of messages from in.
func NewReader(in io.Reader) *Reader { return &Reader{bufio.NewReaderSize(in, maxHeader)} }

// Read returns the next message. If the error is an [*Error], the text of the message is invalid,
// and Read can be called again. After other errors, such as io.EOF, it cannot.
func (r *Reader) Read() (*Message, error) {
	size, err := r.readHeader()
	if err != nil {
		return nil, err
	}
	// The buffer grows with the text, not with the length that the header claims.
	var text bytes.Buffer
	_, err = io.CopyN(&text, r.in, size)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, fmt.Errorf("jsonrpc: read message: %w", err)
	}
	return parseMessage(text.Bytes())
}

// readHeader reads the lines before a message and returns its length. It returns io.EOF only if the input ends before the
// first byte of a header.
func (r *Reader) readHeader() (size int64, err error) {
	size = -1
	for read := 0; ; {
		text, err := r.in.ReadSlice('\n')
		switch read += len(text); {
		case read > maxHeader || errors.Is(err, bufio.ErrBufferFull):
			return 0, fmt.Errorf("jsonrpc: a header of more than %d bytes", maxHeader)
		case errors.Is(err, io.EOF) && read > 0:
			return 0, io.ErrUnexpectedEOF
		case err != nil:
			return 0, err
		}
		line := strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
		if line == "" {
			break
		}
		name, value, _ := strings.Cut(line, ":")
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue
		}
		size, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64)
		if err != nil || size < 0 || size > maxContent {
			return 0, fmt.Errorf("jsonrpc: invalid Content-Length %.40q, want at most %d bytes", value, maxContent)
		}
	}
	if size < 0 {
		return 0, errors.New("jsonrpc: a message without Content-Length")
	}
	return size, nil
}

func parseMessage(text []byte) (*Message, error) {
	var m struct {
		Message
		Version string `json:"jsonrpc"`
	}
	if !json.Valid(text) {
		return nil, Errorf(ParseError, "the message is not JSON")
	}
	if err := json.Unmarshal(text, &m); err != nil || m.Version != "2.0" {
		return nil, Errorf(InvalidRequest, "not a message of JSON-RPC 2.0")
	}
	if string(m.ID) == "null" {
		m.ID = nil
	}
	if m.ID != nil && m.ID[0] != '"' && m.ID[0] != '-' && (m.ID[0] < '0' || m.ID[0] > '9') {
		return nil, Errorf(InvalidRequest, "the id is neither a string nor a number")
	}
	return &m.Message, nil
}

// A Writer writes messages. It is safe for concurrent use.
type Writer struct {
	mu   sync.Mutex
	out  io.Writer
	last int // number of the last request
}

// NewWriter returns a Writer of messages to out.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out} }

// Respond writes the response to the request with an ID: the result or, if err is not nil, an
// error. Errors other than *Error become internal errors.
func (w *Writer) Respond(id json.RawMessage, result any, err error) error {
	if id == nil {
		id = json.RawMessage("null")
	}
	if err == nil {
		return w.write(map[string]any{"jsonrpc": "2.0", "id": id, "result": result})
	}
	failure, ok := errors.AsType[*Error](err)
	if !ok {
		failure = Errorf(InternalError, "%v", err)
	}
	return w.write(map[string]any{"jsonrpc": "2.0", "id": id, "error": failure})
}

// Notify writes a notification.
func (w *Writer) Notify(method string, params any) error {
	return w.write(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// Request writes a request. The caller does not learn its ID, so it cannot wait for the response. The
// parameters may be nil.
func (w *Writer) Request(method string, params any) error {
	w.mu.Lock()
	w.last++
	id := w.last
	w.mu.Unlock()
	message := map[string]any{"jsonrpc": "2.0", "id": id, "method": method}
	if params != nil {
		message["params"] = params
	}
	return w.write(message)
}

func (w *Writer) write(message map[string]any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(message); err != nil {
		return fmt.Errorf("jsonrpc: encode message: %w", err)
	}
	body := bytes.TrimSuffix(text.Bytes(), []byte("\n"))
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := fmt.Fprintf(w.out, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}
