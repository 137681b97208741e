package transport

import (
	"encoding/json"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// errWrongID is the error of a request whose answer has the ID of another request.
var errWrongID = &UnreadableError{"it does not have the ID of the request"}

// receiveJSON delivers the answer in a JSON response.
func (w *httpConnection) receiveJSON(request *jsonrpc.Request, r *http.Response) error {
	defer r.Body.Close()
	limit := answerLimit(request.Method)
	text, err := io.ReadAll(io.LimitReader(r.Body, int64(limit)+1))
	switch {
	case len(text) > limit:
		return tooLongError(limit)
	case err != nil:
		return connectionError(err)
	}
	messages, err := decodeMessages(text)
	if err != nil {
		return &UnreadableError{err.Error()}
	}
	for _, m := range messages {
		if done, err := w.takeMessage(request, m); done || err != nil {
			return err
		}
	}
	return errWrongID
}

// takeMessage delivers a message from the response to a request, and reports whether it is the
// answer.
func (w *httpConnection) takeMessage(request *jsonrpc.Request, m jsonrpc.Message) (answered bool, err error) {
	answer, ok := m.(*jsonrpc.Response)
	switch {
	case !ok:
	case !answer.ID.IsValid():
		return false, answer.Error
	case answer.ID != request.ID:
		return false, errWrongID
	case request.Method == "initialize":
		var result struct{ ProtocolVersion string }
		_ = json.Unmarshal(answer.Result, &result) // the SDK reports an invalid result
		w.mu.Lock()
		w.version = result.ProtocolVersion
		w.mu.Unlock()
	case request.Method == "server/discover" && answer.Error == nil:
		w.mu.Lock()
		w.version = statelessVersion
		w.mu.Unlock()
	}
	w.deliverMessage(m)
	return ok, nil
}

func (w *httpConnection) deliverMessage(m jsonrpc.Message) {
	select {
	case w.incoming <- m:
	case <-w.ctx.Done():
	}
}
