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

// Answer is what a [Double] answers to a request.
type Answer struct {
	// Response is the answer. The names and arguments of its calls are those of the wire, where they
	// are not marked as truncated. Its Provider is not used.
	Response llm.Response

	// Opaque is data such as a signature, which the provider must get back unchanged with the
	// response in later requests. A [Protocol] puts it where its vendor puts such data.
	Opaque string

	// Err is the error that the provider reports instead of Response. A stream reports it after the
	// text of Response.
	Err *llm.Error

	// Fault is what goes wrong on the way.
	Fault Fault

	// Unknown adds members and events that the protocol does not define.
	Unknown bool

	change func(parts []string) []string // changes the events of a stream, or the only part of a document
	header http.Header                   // additional header of an error

	// Reply, if not nil, returns the answer to the request as it was received.
	Reply func(Request) Answer
}

// Fault is what goes wrong with an answer.
type Fault string

// The faults. A [Protocol] does not need to know them.
const (
	NoFault   Fault = ""
	Hang      Fault = "hang"       // nothing is sent until the client gives up
	HangLater Fault = "hang later" // nothing is sent after the first event of a stream, or half of a document
	HangUp    Fault = "hang up"    // the connection ends before the answer
	Cut       Fault = "cut"        // the connection breaks in the middle of the answer
	EndEarly  Fault = "end early"  // the answer ends in the middle, but the connection does not break
	Empty     Fault = "empty"      // the answer has no content
	HTML      Fault = "HTML"       // the answer is a page of a proxy
	NoMembers Fault = "no members" // the answer is a JSON object without members
	Endless   Fault = "endless"    // the answer has no end
	Redirect  Fault = "redirect"   // the answer is a redirect to another host
)

// Request is a request as the provider understands it.
type Request struct {
	// Request contains the messages with their texts, parts, calls and results. The result of a call
	// has its ID in Result and its text in Text. The provider's data of an assistant is the JSON of
	// the string [Answer.Opaque]. Names, arguments and schemas are those of the wire.
	llm.Request

	Streamed bool   // a stream is requested
	Body     []byte // as it was sent
}

// longestQuote limits the part of a request that a failure shows.
const longestQuote = 3000

// String returns the beginning of the body.
func (r Request) String() string {
	if len(r.Body) > longestQuote {
		return string(r.Body[:longestQuote]) + "…"
	}
	return string(r.Body)
}

// Double answers requests instead of a provider, as a test demands. It is safe for concurrent use.
type Double struct {
	split int // bytes of a piece of a stream; 0 is one event

	mu       sync.Mutex
	url      string // of the server, if it runs
	answers  []Answer
	requests []Request
	refusals []error
	hangs    chan struct{} // receives a value when a request hangs
	other    string        // URL to which answers redirect
}

func newDouble(split int) *Double {
	return &Double{split: split, hangs: make(chan struct{}, 100)}
}

// script adds answers to later requests.
func (d *Double) script(answers ...Answer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.answers = append(d.answers, answers...)
}

// discard removes the answers that were not requested, and forgets refusals.
func (d *Double) discard() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.answers, d.refusals = nil, nil
}

// Requests returns the requests that were not refused.
func (d *Double) Requests() []Request {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]Request(nil), d.requests...)
}

// nextAnswer records a request and returns the answer to it.
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

// checkUsed fails the test if the provider refused a request or has unused answers.
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

// Generate answers a request without a protocol, for models that have none, such as those of
// package replay. The provider's data of its responses is the JSON of [Answer.Opaque].
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
		a.Response.Provider = encodeOpaque(a.Opaque)
	}
	return a.Response, nil
}

// encodeOpaque returns the JSON of a text.
func encodeOpaque(text string) json.RawMessage {
	encoded, err := json.Marshal(text)
	if err != nil {
		panic(err) // a text can always be encoded
	}
	return encoded
}
