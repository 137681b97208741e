package httpserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/aiongen/aiongen/runtime/mcp/internal/rpc"
)

// readBody reads the body of a request, up to MaxMessage bytes. The read deadline of the
// connection limits the time.
func (s *Settings) readBody(w http.ResponseWriter, r *http.Request) ([]byte, *refusal) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(s.MaxMessage)))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return nil, &refusal{status: http.StatusRequestEntityTooLarge, reason: fmt.Sprintf("the message is longer than %d bytes", tooLong.Limit)}
	case err != nil:
		w.Header().Set("Connection", "close") // the rest of the body must not be read as a request
		return nil, &refusal{status: http.StatusBadRequest, reason: "the message is incomplete"}
	}
	return body, nil
}

// findCallID returns the ID of the call in a message. isCall is false if the message is not a
// call, or is a call that the server answers even while it is shutting down.
func findCallID(body []byte) (id json.RawMessage, isCall bool) {
	id, method, err := readIDAndMethod(body)
	if err != nil { // may be a batch, which may contain calls
		return json.RawMessage("null"), true
	}
	return id, id != nil && method != "" && rpc.DelaysShutdown(method)
}

// mayOpenSession reports whether a message is allowed without a session: an initialize or ping
// request, or a batch, which may contain one.
func mayOpenSession(body []byte) bool {
	_, method, err := readIDAndMethod(body)
	return err != nil || method == "initialize" || method == "ping"
}

// readIDAndMethod decodes the members "id" and "method" of a message. Like the SDK, and unlike
// encoding/json with a struct, it matches the names case-sensitively.
func readIDAndMethod(body []byte) (id json.RawMessage, method string, err error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return nil, "", err
	}
	if text := members["method"]; text != nil {
		err = json.Unmarshal(text, &method)
	}
	return members["id"], method, err
}
