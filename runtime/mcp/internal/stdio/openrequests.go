package stdio

import (
	"bytes"
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// openRequests tracks the unanswered requests of a client.
type openRequests struct {
	mu          sync.Mutex
	open        map[jsonrpc.ID]*request
	initialized bool // the client has sent notifications/initialized
}

type request struct {
	answeredOnCancel bool // the answer is written even if the client has canceled the request
	cancelled        bool
	batch            *batch // nil if the request was not in a batch
}

// batch is a batch of requests, which are answered together.
type batch struct {
	waiting int // number of missing answers
	answers [][]byte
}

// isOpen reports whether there is an unanswered request with this ID.
func (r *openRequests) isOpen(id jsonrpc.ID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.open[id] != nil
}

// beginRequest records a request or notification, and reports whether to pass it on to the SDK. Of the
// notifications, it passes on only the first notifications/initialized, and the first cancellation of
// each open request.
func (r *openRequests) beginRequest(m *jsonrpc.Request, b *batch) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case m.IsCall():
		if r.open[m.ID] == nil { // the SDK rejects a duplicate ID
			r.open[m.ID] = &request{batch: b, answeredOnCancel: m.Method == "subscriptions/listen"}
		}
		return true
	case m.Method == "notifications/cancelled":
		return r.cancelRequest(m.Params)
	case m.Method == "notifications/initialized":
		first := !r.initialized
		r.initialized = true
		return first
	}
	return false
}

// cancelRequest records that a request is canceled. It returns false if there is no open
// request with that ID, or if it has already been canceled.
func (r *openRequests) cancelRequest(params json.RawMessage) bool {
	var cancelled struct{ RequestID any }
	if json.Unmarshal(params, &cancelled) != nil {
		return false
	}
	id, err := jsonrpc.MakeID(cancelled.RequestID)
	if err != nil || r.open[id] == nil || r.open[id].cancelled {
		return false
	}
	r.open[id].cancelled = true
	return true
}

// endRequest records the answer to a request, and returns the text to write now: the answer, all
// answers of a complete batch, or nil.
func (r *openRequests) endRequest(id jsonrpc.ID, answer []byte) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	request := r.open[id]
	delete(r.open, id)
	if request == nil {
		return answer
	}
	if request.cancelled && !request.answeredOnCancel { // the client no longer knows the ID
		answer = nil
	}
	if request.batch == nil {
		return answer
	}
	if answer != nil {
		request.batch.answers = append(request.batch.answers, answer)
	}
	if request.batch.waiting--; request.batch.waiting > 0 || len(request.batch.answers) == 0 {
		return nil
	}
	return append(append([]byte("["), bytes.Join(request.batch.answers, []byte(","))...), ']')
}
