package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/secret"
	"github.com/aiongen/aiongen/runtime/llm"
)

const (
	maxAnswer   = 64 << 20 // bytes
	longestText = 500      // bytes of what an endpoint says is wrong

	longestQuote = 120 // bytes of an answer that is unusable

	byteOrderMark = "\uFEFF"
)

var errTooLong = fmt.Errorf("the answer has more than %d bytes", maxAnswer)

// exchange is one request and its response. It serves as the HTTP client of go-openai,
// which does not report the headers of an error. It decodes the answer itself, because
// go-openai rejects an answer if one unimportant member has an unexpected type.
type exchange struct {
	client  *openai.Client
	http    *http.Client
	header  http.Header
	query   string
	secrets []string // that no error may show
	body    []byte   // sent instead of what the client would send
	stream  bool     // a stream is requested

	status     int // 0 before there is a response
	retryAfter time.Duration
	complaint  string  // all that the endpoint says is wrong
	document   *piece  // the answer, if it is one JSON document
	events     *events // of the answer, if it is a stream
	beginning  []byte  // of a stream, to show
}

// send sends the request. The returned function closes the response.
func (x *exchange) send(ctx context.Context, model string) (closeBody func(), err error) {
	named := openai.ChatCompletionRequest{Model: model} // the body has the rest
	if !x.stream {
		_, err = x.client.CreateChatCompletion(ctx, named)
		return func() {}, err
	}
	stream, err := x.client.CreateChatCompletionStream(ctx, named)
	if err != nil {
		return nil, err
	}
	return func() { _ = stream.Close() }, nil // it was only read
}

// Do sends the request, as an http.Client does. An error that the endpoint reports is
// an [*llm.Error].
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	for name, values := range x.header {
		req.Header[name] = values
	}
	req.URL.RawQuery = x.query
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(x.body)), int64(len(x.body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(x.body)), nil }
	answer, err := x.http.Do(req)
	if err != nil {
		return nil, secret.HideIn(hideSecrets(err), x.secrets...)
	}
	x.status, x.retryAfter = answer.StatusCode, retryAfter(answer.Header)
	answer.Body = &limited{answer.Body, maxAnswer}
	if err := x.read(answer); err != nil {
		answer.Body.Close()
		return nil, err
	}
	if !x.stream {
		answer.Body = body{strings.NewReader("{}"), answer.Body} // for the client
	}
	return answer, nil
}

// stay refuses a redirect to elsewhere, which would have the key and the dialogue, and one
// that leaves both behind.
func stay(r *http.Request, via []*http.Request) error {
	was := via[0]
	if r.URL.Scheme == was.URL.Scheme && r.URL.Host == was.URL.Host && r.Method == was.Method && len(via) < 10 { // as net/http has it
		return nil
	}
	place := url.URL{Scheme: r.URL.Scheme, Host: r.URL.Host, Path: r.URL.Path}
	return &llm.Error{Kind: llm.BadRequest, Err: fmt.Errorf("the endpoint is at another place, %q: make the model with its base URL", place.String())}
}

// hideSecrets takes from an error what of a URL may be secret.
func hideSecrets(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		shown := url.URL{}
		if u, err := url.Parse(failed.URL); err == nil {
			shown = url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
		}
		failed.URL = shown.String()
	}
	return err
}

// body is another body in the place of one.
type body struct {
	io.Reader
	io.Closer
}

// read reads an error, and an answer that is one JSON document instead of a stream:
// some endpoints report an error with the status 200, and some send a document although
// a stream was requested.
func (x *exchange) read(answer *http.Response) error {
	if isFailure(x.status) {
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			return &llm.Error{Kind: kindOfStatus(x.status), Status: x.status, RetryAfter: x.retryAfter, Err: err}
		}
		c, ok := complaintOf(text)
		if !ok {
			c.message = string(text)
		}
		return x.complain(c, text)
	}
	r := bufio.NewReader(answer.Body)
	x.resume(answer, r)
	if mark, _ := r.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = r.Discard(len(byteOrderMark)) // it is there
	}
	first, err := r.Peek(1)
	for err == nil && strings.Contains(" \t\r\n", string(first)) { // some endpoints send white space while they work
		_, _ = r.Discard(1)
		first, err = r.Peek(1)
	}
	if x.stream && string(first) != "{" {
		x.beginning, _ = r.Peek(r.Buffered()) // it is there
		x.beginning = bytes.Clone(x.beginning)
		return nil
	}
	text, err := io.ReadAll(r)
	switch {
	case err != nil && x.stream:
		x.resume(answer, io.MultiReader(bytes.NewReader(text), r)) // r fails again
		return nil
	case err != nil:
		return err
	case x.stream && !json.Valid(text): // a stream without marks
		x.resume(answer, bytes.NewReader(text))
		return nil
	}
	return x.readDocument(text)
}

// readDocument reads an answer that is one JSON document.
func (x *exchange) readDocument(text []byte) error {
	p, err := parsePiece(text)
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return x.unusable(errors.New("the answer is empty"))
	case err != nil:
		return x.unusable(fmt.Errorf("%s: %w", x.describe("the answer is not JSON", text), err))
	}
	if c, ok := p.complaint(); ok {
		return x.complain(c, text)
	}
	switch {
	case len(p.choices) == 0:
		return x.unusable(errors.New(x.describe("there is no choice in the answer", text)))
	case !hasMessage(p.choices[0]):
		return x.unusable(errors.New(x.describe("there is no message in the answer", text)))
	}
	x.document = &p
	return nil
}

// unusable returns the error of an answer that breaks the protocol.
func (x *exchange) unusable(err error) *llm.Error {
	return &llm.Error{Kind: llm.Malformed, Status: x.status, RetryAfter: x.retryAfter, Err: err}
}

// describe says in words that an answer is unusable, and how it begins.
func (x *exchange) describe(what string, answer []byte) string {
	if len(bytes.TrimSpace(answer)) == 0 {
		return what
	}
	return fmt.Sprintf("%s, it begins with %q", what, words.Cut(excerpt(secret.HideCut(string(answer), x.secrets...)), longestQuote))
}

// resume has the answer read from the beginning again.
func (x *exchange) resume(answer *http.Response, from io.Reader) {
	r := bufio.NewReader(from)
	answer.Body, x.events = body{r, answer.Body}, &events{lines: r}
}

// next returns the next piece of a stream, or the error that the endpoint reports
// instead.
func (x *exchange) next() (piece, error) {
	data, err := x.events.next()
	if err != nil {
		return piece{}, err
	}
	p, err := parsePiece(data)
	if err != nil {
		return p, err
	}
	if c, ok := p.complaint(); ok {
		return p, x.complain(c, data)
	}
	return p, nil
}

// complain returns what the endpoint says is wrong, in a response or an event of it.
func (x *exchange) complain(c complaint, whole []byte) *llm.Error {
	x.complaint = string(whole)
	e := &llm.Error{Kind: c.class(x.status), Status: x.status, RetryAfter: x.retryAfter}
	for _, text := range []*string{&c.message, &c.kind, &c.code} {
		*text = secret.Hide(*text, x.secrets...)
	}
	e.Err = errors.New(c.String())
	return e
}

// limited is a body that fails where it becomes too long.
type limited struct {
	io.ReadCloser
	left int
}

func (l *limited) Read(b []byte) (int, error) {
	n, err := l.ReadCloser.Read(b[:min(len(b), l.left+1)])
	if l.left -= n; l.left < 0 {
		return 0, errTooLong
	}
	return n, err
}

// retryAfter reads how long the endpoint wants to be left alone: in milliseconds,
// or in the header of that name, seconds or a date.
func retryAfter(header http.Header) time.Duration {
	if wait, ok := duration(header.Get("Retry-After-Ms"), time.Millisecond); ok {
		return wait
	}
	text := header.Get("Retry-After")
	if wait, ok := duration(text, time.Second); ok {
		return wait
	}
	if date, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(date))
	}
	return 0
}

// duration reads a number of units. One that is too large, or below zero, is 0.
func duration(text string, unit time.Duration) (d time.Duration, ok bool) {
	n, err := strconv.ParseFloat(text, 64)
	if n > 0 && n < math.MaxInt64/float64(unit) {
		d = time.Duration(n * float64(unit))
	}
	return d, err == nil
}

// explain returns an error of the client as one of package llm.
func (x *exchange) explain(ctx context.Context, err error) *llm.Error {
	var e *llm.Error
	if errors.As(llm.ContextError(ctx, err), &e) {
		return e
	}
	if errors.As(err, &e) {
		return e
	}
	var (
		failed *url.Error
		slow   interface{ Timeout() bool }
		syntax *json.SyntaxError
	)
	e = &llm.Error{Status: x.status, RetryAfter: x.retryAfter, Err: secret.HideIn(err, x.secrets...)}
	switch {
	case x.status == 0 && !errors.As(err, &failed):
		e.Kind = llm.BadRequest // the client did not send it
	case errors.Is(err, errTooLong), errors.As(err, &syntax):
		e.Kind = llm.Malformed
	case errors.As(err, &slow) && slow.Timeout():
		e.Kind = llm.Timeout
	default:
		e.Kind = llm.Unreachable
	}
	return e
}
