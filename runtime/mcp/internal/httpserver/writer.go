package httpserver

import (
	"net/http"
	"time"

	"github.com/aiongen/aiongen/runtime/mcp/internal/rpc"
)

// maxChunkBytes is the maximum number of bytes that are written before the write deadline is renewed.
const maxChunkBytes = 64 << 10

// answerWriter writes a response in chunks, each with its own write deadline. So a long response may
// take any time while the client keeps reading, but a client that stops reading is disconnected. While
// the server is shutting down, each response closes its connection.
type answerWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	timeout time.Duration
	calls   *rpc.Calls // may be nil
	started bool       // the header was written
}

func newAnswerWriter(w http.ResponseWriter, r *http.Request, timeout time.Duration) *answerWriter {
	if writer, ok := w.(*answerWriter); ok {
		return writer
	}
	return &answerWriter{ResponseWriter: w, control: http.NewResponseController(w), timeout: timeout, calls: rpc.CallsFrom(r.Context())}
}

// Unwrap returns the wrapped writer, for http.ResponseController.
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader writes the header.
func (w *answerWriter) WriteHeader(status int) {
	w.started = true
	if w.calls != nil && w.calls.IsEnding() {
		w.Header().Set("Connection", "close")
	}
	if status == http.StatusAccepted { // such a response has no body in the protocol
		w.Header().Set("Content-Length", "0")
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write writes p in chunks.
func (w *answerWriter) Write(p []byte) (n int, err error) {
	if !w.started {
		w.WriteHeader(http.StatusOK)
	}
	for err == nil && len(p) > 0 {
		chunk := p[:min(len(p), maxChunkBytes)]
		p = p[len(chunk):]
		w.renewDeadline()
		var written int
		written, err = w.ResponseWriter.Write(chunk)
		n += written
	}
	return n, err
}

// FlushError sends buffered data to the client, and then removes the deadline. There are two reasons:
// HTTP/2 would end a stream that sends nothing until the deadline, and another handler may serve the
// next request on the connection.
func (w *answerWriter) FlushError() error {
	if !w.started {
		w.WriteHeader(http.StatusOK)
	}
	w.renewDeadline()
	defer func() { _ = w.control.SetWriteDeadline(time.Time{}) }()
	return w.control.Flush()
}

// renewDeadline sets the deadline for the next chunk.
func (w *answerWriter) renewDeadline() {
	_ = w.control.SetWriteDeadline(time.Now().Add(w.timeout)) // fails for a writer without a connection
}

// finishAnswer sends the rest of the response.
func (w *answerWriter) finishAnswer() { _ = w.FlushError() }
