package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/aiongen/aiongen/runtime/mcp/internal/drain"
)

// read reads the message of a request, within the limit of its length; that of time
// is the deadline of the connection.
func (s *Settings) read(w http.ResponseWriter, r *http.Request) ([]byte, *refusal) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(s.MaxMessage)))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return nil, &refusal{status: http.StatusRequestEntityTooLarge, why: fmt.Sprintf("the message is longer than %d bytes", tooLong.Limit)}
	case err != nil:
		w.Header().Set("Connection", "close") // what may still come is no other request
		return nil, &refusal{status: http.StatusBadRequest, why: "the message did not come whole"}
	}
	return body, nil
}

// call reports whether a message asks for something that a server which ends does not
// begin any more, and the ID that it is to be answered with.
func call(body []byte) (id json.RawMessage, asks bool) {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	if err := json.Unmarshal(body, &m); err != nil { // a batch, perhaps
		return json.RawMessage("null"), true
	}
	return m.ID, m.ID != nil && m.Method != "" && drain.Counts(m.Method)
}

// opens reports whether a message may come before there is a session, as one of a batch
// may: one that begins it, or asks no more than whether the server is there.
func opens(body []byte) bool {
	var m struct{ Method string }
	return json.Unmarshal(body, &m) != nil || m.Method == "initialize" || m.Method == "ping"
}
