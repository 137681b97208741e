package gemini

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

// errReceived is the error that the transport returns to the client after a response has arrived. It prevents the
// client from reading the response, because the client would decode the numbers of a call as floats, and drop
// members that it does not know.
var errReceived = errors.New("the response was received")

type requestKey struct{}

// transport replaces the body of the client's HTTP requests. The new body is the encoded *request in the context,
// in which transport also stores the response.
type transport struct{ base http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (t *transport) RoundTrip(sent *http.Request) (*http.Response, error) {
	base := t.base
	if base == nil {
		base = http.DefaultTransport
	}
	r, ok := sent.Context().Value(requestKey{}).(*request)
	if !ok {
		return base.RoundTrip(sent)
	}
	text, err := r.encode(sent)
	if err != nil {
		return nil, &llm.Error{Kind: llm.BadRequest, Err: err}
	}
	sent = sent.Clone(r.ctx) // the context of the client ends when this function returns
	sent.ContentLength = int64(len(text))
	sent.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	sent.Body, _ = sent.GetBody() // always succeeds
	if _, err := r.answer.Send(sent, base.RoundTrip); err != nil {
		return nil, err
	}
	return nil, errReceived
}

// encode returns the body of the request, including members that only the client's configuration (ExtraBody) adds.
func (r *request) encode(sent *http.Request) ([]byte, error) {
	text, err := io.ReadAll(sent.Body)
	sent.Body.Close()
	if err != nil {
		return nil, err
	}
	extra := endpoint.ParseMembers(text)
	for name := range extra {
		if name == "contents" || len(extra.Object(name)) == 0 && len(extra.List(name)) == 0 && extra.Text(name) == "" {
			delete(extra, name) // not from the client's configuration
		}
	}
	if err := r.body.AddExtra(extra); err != nil {
		return nil, err
	}
	return r.body.MarshalJSON()
}
