package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
)

// Answer is the answer of a [Double] to a request.
type Answer struct {
	// Response is the answer. The names and arguments of its calls are in wire form, which is
	// the form that the model and its provider exchange; see [schema.Lower]. The field Truncated of
	// calls has no effect on the answer, and Provider is not used.
	Response llm.Response

	// Opaque is data such as a signature, which later requests must send back unchanged with the
	// response. A [Protocol] puts it into the member that the vendor uses for such data.
	Opaque string

	// Err is the error that the provider reports instead of Response. A stream reports it after the
	// text of Response.
	Err *llm.Error

	// Fault is a failure during the transmission of the answer.
	Fault Fault

	// Unknown adds members and events that the protocol does not define.
	Unknown bool

	change func(parts []string) []string // changes the events of a stream, or the single element with the document
	header http.Header                   // additional headers of an error

	// Reply, if not nil, returns the answer to the request that the double received. The other
	// fields are then ignored.
	Reply func(Request) Answer
}

// Fault is a failure during the transmission of an answer.
type Fault string

// The faults. The double produces them; a [Protocol] can ignore them.
const (
	NoFault   Fault = ""
	Hang      Fault = "hang"       // nothing is sent until the client gives up
	HangLater Fault = "hang later" // nothing is sent after the first half of the answer
	HangUp    Fault = "hang up"    // the connection is closed before the answer
	Cut       Fault = "cut"        // the connection breaks in the middle of the answer
	EndEarly  Fault = "end early"  // the answer ends after its first half, but the connection does not break
	Empty     Fault = "empty"      // the body of the answer is empty
	HTML      Fault = "HTML"       // the answer is a page of a proxy
	NoMembers Fault = "no members" // the answer is a JSON object without members
	Endless   Fault = "endless"    // the answer has no end
	Redirect  Fault = "redirect"   // the answer is a redirect to another host
)

// Request is a request that a [Protocol] has decoded.
type Request struct {
	// Request contains the messages with their texts, parts, calls and results. In the message with
	// the result of a call, Result contains only the ID of the call, and Text contains the result. The
	// Provider of an assistant's message is the JSON of the string [Answer.Opaque]. Names, arguments
	// and schemas are in wire form.
	llm.Request

	Streamed bool   // whether a stream is requested
	Body     []byte // the body that was sent
}

// longestQuote limits the part of a request that a failure shows, in bytes.
const longestQuote = 3000

// String returns the beginning of the body.
func (r Request) String() string {
	if len(r.Body) > longestQuote {
		return string(r.Body[:longestQuote]) + "…"
	}
	return string(r.Body)
}

// Double replaces a provider in tests: it answers requests with scripted answers. It is safe for concurrent
// use.
type Double struct {
	pieceSize int // size of the pieces in which a stream is sent, in bytes; 0 sends event by event

	mu          sync.Mutex
	url         string // URL of the server; "" before it is started
	answers     []Answer
	requests    []Request
	refusals    []error
	hangs       chan struct{} // receives a value when an answer hangs
	redirectURL string        // URL to which answers with the fault Redirect redirect
}

func newDouble(split int) *Double {
	return &Double{pieceSize: split, hangs: make(chan struct{}, 100)}
}

// script appends answers for the next requests.
func (d *Double) script(answers ...Answer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.answers = append(d.answers, answers...)
}

// discard removes unused answers and recorded refusals.
func (d *Double) discard() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.answers, d.refusals = nil, nil
}

// Requests returns the requests that the double has received and not refused.
func (d *Double) Requests() []Request {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]Request(nil), d.requests...)
}

// nextAnswer records a request and returns the next answer.
func (d *Double) nextAnswer(r Request) Answer {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.requests = append(d.requests, r)
	if len(d.answers) == 0 {
		return Answer{Err: &llm.Error{Kind: llm.ServerError, Status: 500, Err: errors.New("no answer is left")}}
	}
	a := d.answers[0]
	d.answers = d.answers[1:]
	if a.Reply != nil {
		a = a.Reply(r)
	}
	return a
}

// refuse records that the provider refuses a request.
func (d *Double) refuse(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.refusals = append(d.refusals, err)
}

// checkUsed fails the test if the double has refused a request, or has unused answers.
func (d *Double) checkUsed(t testing.TB) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, err := range d.refusals {
		t.Errorf("the provider refuses a request: %v", err)
	}
	if len(d.answers) > 0 {
		t.Errorf("%d scripted answers were not requested", len(d.answers))
	}
}

// Generate answers a request without a protocol. It is for models that wrap another model instead of
// calling an endpoint, such as those of package replay. The field Provider of its responses is the JSON
// of [Answer.Opaque].
func (d *Double) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	if err := llm.ContextError(ctx, nil); err != nil {
		return llm.Response{}, err
	}
	body, err := json.Marshal(req)
	if err != nil {
		return llm.Response{}, &llm.Error{Kind: llm.BadRequest, Err: err}
	}
	a := d.nextAnswer(Request{Request: req, Body: body})
	switch a.Fault {
	case NoFault:
	case Hang, HangLater:
		d.hangs <- struct{}{}
		<-ctx.Done()
		return llm.Response{}, llm.ContextError(ctx, nil)
	case HangUp:
		return llm.Response{}, &llm.Error{Kind: llm.Unreachable}
	case Cut, EndEarly:
		return llm.Response{}, &llm.Error{Kind: llm.CutOff}
	case Empty, HTML, NoMembers, Endless, Redirect:
		return llm.Response{}, &llm.Error{Kind: llm.Malformed}
	}
	if a.Err != nil {
		return llm.Response{}, a.Err
	}
	if a.Opaque != "" {
		a.Response.Provider = json.RawMessage(encodeText(a.Opaque))
	}
	return a.Response, nil
}
