package remote

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// limited is a transport that takes no longer messages than the SDK does from others: it
// has no limit for an answer by HTTP that is no stream of events.
func limited(t sdk.Transport) sdk.Transport {
	web, ok := t.(*sdk.StreamableClientTransport)
	if !ok {
		return t
	}
	copied := *web
	client := *cmp.Or(web.HTTPClient, http.DefaultClient)
	client.Transport = answers{cmp.Or(client.Transport, http.DefaultTransport)}
	copied.HTTPClient = &client
	return &copied
}

// answers is what comes by HTTP.
type answers struct{ http.RoundTripper }

// RoundTrip returns a response with a limit. One that refuses what needs no answer is
// left out: the SDK would end the connection, and there are servers that refuse to be
// told that a call was cancelled, or what they asked in one that is over.
func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := a.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		response.Body = &body{response.Body, sdk.DefaultMaxLineLength}
	}
	if response.StatusCode == http.StatusBadRequest && !isCall(r) {
		_ = response.Body.Close() // nobody reads it
		response.StatusCode, response.Status = http.StatusAccepted, "202 Accepted"
		response.Body, response.ContentLength = http.NoBody, 0
	}
	return response, nil
}

// isCall reports whether a request is for something.
func isCall(r *http.Request) bool {
	if r.Method != http.MethodPost || r.GetBody == nil {
		return true
	}
	text, err := r.GetBody()
	if err != nil {
		return true
	}
	defer text.Close()
	var message struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	return json.NewDecoder(text).Decode(&message) != nil || message.ID != nil && message.Method != ""
}

// body is that of a response, with so many bytes to come at most.
type body struct {
	io.ReadCloser
	left int
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.left < 0 {
		return 0, fmt.Errorf("the answer is longer than %d bytes", sdk.DefaultMaxLineLength)
	}
	return n, err
}
