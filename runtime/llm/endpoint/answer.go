// Package endpoint helps to implement [llm.Model] for an endpoint that is called over HTTP with the
// client of its vendor. Send each request through [Answer.Send], which records the answer and limits
// its size, and read the answer with the other methods of [Answer]. Their errors contain no secrets.
//
// [Tools] converts tools and calls, [Object] encodes requests, [Members] decodes answers, and [Output]
// divides a streamed answer into chunks.
package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/aiongen/aiongen/runtime/internal/secret"
	"github.com/aiongen/aiongen/runtime/llm"
)

const (
	// MaxAnswer is the maximum size of an answer, in bytes.
	MaxAnswer = 64 << 20

	longestText  = 500 // maximum length of an endpoint's text in an error, in bytes
	maxRedirects = 10
)

// ErrTooLong is the error of an answer with more than [MaxAnswer] bytes.
var ErrTooLong = fmt.Errorf("the answer has more than %d bytes", MaxAnswer)

// Answer is the answer to one request. The zero value has no response yet.
type Answer struct {
	Response *http.Response // nil before it has arrived
	Host     string         // host of the endpoint, in lower case; "" before the request is sent
	Secrets  []string       // texts that no error may contain, in addition to those that Send finds; set it before Send

	hidden []string // texts that no error may contain, in all spellings
}

// Send sends a request with the given function, and records the response. It keeps secrets in the
// request out of errors: those in the URL, and those in headers with keys, tokens and cookies. Call
// it when the request is complete, immediately before it is sent.
func (a *Answer) Send(r *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	a.Host, a.hidden = HostOf(r), secret.Forms(append(findSecrets(r), a.Secrets...)...)
	response, err := send(r)
	if err != nil {
		return nil, a.hideIn(err)
	}
	response.Body = LimitBody(response.Body, MaxAnswer)
	a.Response = response
	return response, nil
}

// HostOf returns the host of a request in lower case, which identifies an endpoint.
func HostOf(r *http.Request) string { return strings.ToLower(r.URL.Host) }

// findSecrets returns the secrets in a request.
func findSecrets(r *http.Request) []string {
	secrets := []string{r.URL.RawQuery}
	if password, ok := r.URL.User.Password(); ok {
		secrets = append(secrets, password, r.URL.User.String(), r.URL.User.Username()+":"+password)
	}
	for _, values := range r.URL.Query() {
		secrets = append(secrets, values...)
	}
	for name, values := range r.Header {
		name = strings.ToLower(name)
		for _, part := range []string{"auth", "key", "token", "secret", "cookie", "password"} {
			if !strings.Contains(name, part) {
				continue
			}
			for _, value := range values {
				_, credentials, _ := strings.Cut(value, " ") // the part after a scheme such as Bearer
				secrets = append(secrets, value, credentials)
			}
		}
	}
	return secrets
}

// hideIn removes secrets from the text of err, and user information and the query from its URL.
func (a *Answer) hideIn(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		shown := url.URL{}
		if u, err := url.Parse(failed.URL); err == nil {
			shown = url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
		}
		failed.URL = shown.String()
	}
	return secret.HideIn(err, a.hidden...)
}

// Close closes the body of the response, if there is one.
func (a *Answer) Close() {
	if a.Response != nil {
		_ = a.Response.Body.Close() // an error of closing a response loses no data
	}
}

// Status returns the status of the response, or 0 if there is no response.
func (a *Answer) Status() int {
	if a.Response == nil {
		return 0
	}
	return a.Response.StatusCode
}

// Failed reports whether there is a response whose status is not 2xx.
func (a *Answer) Failed() bool { return a.Response != nil && a.Status()/100 != 2 }

// IsStream reports whether the answer may be a stream. It returns false for an answer with the media
// type application/json, which some endpoints send although a stream was requested.
func (a *Answer) IsStream() bool {
	media, _, _ := mime.ParseMediaType(a.Response.Header.Get("Content-Type"))
	return media != "application/json"
}

// ReadAll reads the rest of the answer. Invalid UTF-8 becomes U+FFFD.
func (a *Answer) ReadAll() ([]byte, error) {
	text, err := io.ReadAll(a.Response.Body)
	return bytes.ToValidUTF8(text, []byte("\uFFFD")), err
}

// ReadDocument reads an answer that is a JSON object.
func (a *Answer) ReadDocument() (Members, error) {
	text, err := a.ReadAll()
	if err != nil {
		return nil, err
	}
	return a.parseDocument(text)
}

// ReadDocuments reads an answer that is a JSON object, or a list of them.
func (a *Answer) ReadDocuments() (all []Members, err error) {
	text, err := a.ReadAll()
	if err != nil {
		return nil, err
	}
	items := ParseItems(text)
	if items == nil {
		items = []json.RawMessage{text}
	}
	for _, item := range items {
		document, err := a.parseDocument(item)
		if err != nil {
			return nil, err
		}
		all = append(all, document)
	}
	return all, nil
}

func (a *Answer) parseDocument(text []byte) (Members, error) {
	if document := ParseMembers(text); document != nil {
		return document, nil
	}
	return nil, a.Malformed("the answer is not a JSON object, it begins with %q", a.Excerpt(string(text)))
}

// NewError returns an error of the given kind with the endpoint's message, without secrets.
func (a *Answer) NewError(kind, message string) *llm.Error {
	e := &llm.Error{Kind: kind, Status: a.Status(), Err: errors.New(a.Excerpt(message))}
	if a.Response != nil {
		e.RetryAfter = llm.RetryAfter(a.Response.Header)
	}
	return e
}

// Excerpt returns the beginning of an endpoint's text on one line, without secrets.
func (a *Answer) Excerpt(text string) string {
	text = secret.HideCut(text[:min(len(text), 2*longestText)], a.hidden...)
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text[:min(len(text), longestText)], "")), " ")
	if text == "" {
		return "the endpoint gives no reason"
	}
	return text
}

// Malformed returns the error for an answer that violates the protocol.
func (a *Answer) Malformed(format string, values ...any) *llm.Error {
	e := a.NewError(llm.Malformed, "")
	e.Err = a.hideIn(fmt.Errorf(format, values...))
	return e
}

// CutOff returns the error for a stream that ended prematurely.
func (a *Answer) CutOff() *llm.Error {
	return a.NewError(llm.CutOff, "the stream ended before the answer was complete")
}

// Explain converts an error of the client or of reading the answer to an [*llm.Error]. If the error
// already contains an [*llm.Error] and ctx is not done, Explain returns that.
func (a *Answer) Explain(ctx context.Context, err error) *llm.Error {
	err = a.hideIn(err)
	for _, candidate := range []error{llm.ContextError(ctx, err), err} {
		if e, ok := errors.AsType[*llm.Error](candidate); ok {
			return e
		}
	}
	var slow interface{ Timeout() bool }
	_, sent := errors.AsType[*url.Error](err)
	_, invalid := errors.AsType[*json.SyntaxError](err)
	e := a.NewError(llm.Unreachable, "")
	e.Err = err
	switch {
	case errors.Is(err, ErrTooLong), invalid:
		e.Kind = llm.Malformed
	case errors.As(err, &slow) && slow.Timeout(), errors.Is(err, context.DeadlineExceeded): // a timeout of the client
		e.Kind = llm.Timeout
	case a.Response != nil:
		e.Kind = llm.CutOff
	case !sent:
		e.Kind = llm.BadRequest // the client did not send the request
	}
	return e
}

// limitedBody is a body with a limited length.
type limitedBody struct {
	io.ReadCloser
	remaining int // number of bytes that may still be read
}

// LimitBody returns a body whose method Read returns [ErrTooLong] if body has more than limit bytes.
func LimitBody(body io.ReadCloser, limit int) io.ReadCloser { return &limitedBody{body, limit} }

// Read implements [io.Reader].
func (l *limitedBody) Read(b []byte) (int, error) {
	n, err := l.ReadCloser.Read(b[:min(len(b), l.remaining+1)])
	if l.remaining -= n; l.remaining < 0 {
		return 0, ErrTooLong
	}
	return n, err
}

// RefuseRedirect is for the field CheckRedirect of an [http.Client]. It allows redirects only to the
// same host and with the same method. Any other redirect would send the key and the dialogue to
// another host, or the request without its body.
func RefuseRedirect(r *http.Request, via []*http.Request) error {
	first := via[0]
	if r.URL.Scheme == first.URL.Scheme && r.URL.Host == first.URL.Host && r.Method == first.Method && len(via) < maxRedirects {
		return nil
	}
	place := url.URL{Scheme: r.URL.Scheme, Host: r.URL.Host, Path: r.URL.Path}
	return &llm.Error{Kind: llm.BadRequest, Err: fmt.Errorf("the endpoint redirects to %q: create the client with the URL of that endpoint", place.String())}
}
