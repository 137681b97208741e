package remote

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// limited is a transport that takes no longer messages than the SDK does from others:
// it has no limit for an answer by HTTP that is no stream of events.
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

// answers bounds what comes by HTTP.
type answers struct{ http.RoundTripper }

// RoundTrip returns a response with a limit.
func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := a.RoundTripper.RoundTrip(r)
	if err == nil && !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		response.Body = &body{response.Body, sdk.DefaultMaxLineLength}
	}
	return response, err
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
