package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/secret"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

const (
	longestText = 500 // maximum length of an endpoint's error message, in bytes

	longestQuote = 120 // maximum length of the quotation from an unusable answer in an error, in bytes

	byteOrderMark = "\uFEFF"
)

// exchange is one request and its response. It serves as the HTTP client of go-openai, because
// go-openai does not report the headers of an error response. It decodes the answer itself, because
// go-openai rejects a whole answer if one unimportant member has an unexpected type.
type exchange struct {
	client  *openai.Client
	http    *http.Client
	header  http.Header
	query   string
	secrets []string // texts that no error may contain
	body    []byte   // sent instead of the body that the client encodes
	stream  bool     // whether a stream is requested

	status     int // 0 before the response has arrived
	retryAfter time.Duration
	complaint  string           // the complete error report of the endpoint
	document   *piece           // the answer, if it is one JSON document
	events     *endpoint.Events // the events of the answer, if it is a stream
	beginning  []byte           // the first bytes of the stream, for errors
}

// sendRequest sends the request with go-openai, which calls Do. The returned function closes the
// response.
func (x *exchange) sendRequest(ctx context.Context, model string) (closeBody func(), err error) {
	modelOnly := openai.ChatCompletionRequest{Model: model} // x.body contains the rest
	if !x.stream {
		_, err = x.client.CreateChatCompletion(ctx, modelOnly)
		return func() {}, err
	}
	stream, err := x.client.CreateChatCompletionStream(ctx, modelOnly)
	if err != nil {
		return nil, err
	}
	return func() { _ = stream.Close() }, nil // an error of closing a response loses no data
}

// Do sends the request as http.Client does. If the endpoint reports an error, Do returns it as an
// [*llm.Error].
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
	x.status, x.retryAfter = answer.StatusCode, llm.RetryAfter(answer.Header)
	answer.Body = endpoint.LimitBody(answer.Body, endpoint.MaxAnswer)
	if err := x.readAnswer(answer); err != nil {
		answer.Body.Close()
		return nil, err
	}
	if !x.stream {
		answer.Body = body{strings.NewReader("{}"), answer.Body} // the client expects a JSON object
	}
	return answer, nil
}

// hideSecrets removes user information and the query from the URL in err.
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

// body is a response body with another reader.
type body struct {
	io.Reader
	io.Closer
}

// readAnswer reads an error or a JSON document completely, and prepares reading a stream. Some
// endpoints report an error with the status 200, and some send a document although a stream was
// requested.
func (x *exchange) readAnswer(answer *http.Response) error {
	if isFailure(x.status) {
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			return &llm.Error{Kind: llm.StatusKind(x.status), Status: x.status, RetryAfter: x.retryAfter, Err: err}
		}
		c, ok := parseErrorReport(text)
		if !ok {
			c.message = string(text)
		}
		return x.newError(c, text)
	}
	r := bufio.NewReader(answer.Body)
	x.startStream(answer, r)
	if mark, _ := r.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = r.Discard(len(byteOrderMark)) // Peek has buffered it
	}
	first, err := r.Peek(1)
	for err == nil && strings.Contains(" \t\r\n", string(first)) { // some endpoints send white space until the answer is ready
		buffered, _ := r.Peek(r.Buffered()) // cannot fail
		_, _ = r.Discard(len(buffered) - len(bytes.TrimLeft(buffered, " \t\r\n")))
		first, err = r.Peek(1)
	}
	if x.stream && string(first) != "{" {
		x.beginning, _ = r.Peek(r.Buffered()) // cannot fail
		x.beginning = bytes.Clone(x.beginning)
		return nil
	}
	text, err := io.ReadAll(r)
	switch {
	case err != nil && x.stream:
		x.startStream(answer, io.MultiReader(bytes.NewReader(text), r)) // r fails again
		return nil
	case err != nil:
		return err
	case x.stream && !json.Valid(text): // a stream whose events have no "data:" prefix
		x.startStream(answer, bytes.NewReader(text))
		return nil
	}
	return x.readDocument(text)
}

// readDocument reads an answer that is one JSON document.
func (x *exchange) readDocument(text []byte) error {
	p, err := parsePiece(text)
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return x.unusableAnswer(errors.New("the answer is empty"))
	case err != nil:
		return x.unusableAnswer(fmt.Errorf("%s: %w", x.describeAnswer("the answer is not JSON", text), err))
	}
	if c, ok := p.errorReport(); ok {
		return x.newError(c, text)
	}
	switch {
	case len(p.choices) == 0:
		return x.unusableAnswer(errors.New(x.describeAnswer("there is no choice in the answer", text)))
	case !hasMessage(p.choices[0]):
		return x.unusableAnswer(errors.New(x.describeAnswer("there is no message in the answer", text)))
	}
	x.document = &p
	return nil
}

// unusableAnswer returns the error for an answer that violates the protocol.
func (x *exchange) unusableAnswer(err error) *llm.Error {
	return &llm.Error{Kind: llm.Malformed, Status: x.status, RetryAfter: x.retryAfter, Err: err}
}

// describeAnswer returns the message for an unusable answer: what is wrong, followed by the
// beginning of the answer.
func (x *exchange) describeAnswer(what string, answer []byte) string {
	if len(bytes.TrimSpace(answer)) == 0 {
		return what
	}
	return fmt.Sprintf("%s, it begins with %q", what, words.Cut(excerptText(secret.HideCut(string(answer), x.secrets...)), longestQuote))
}

// startStream makes events and go-openai read the answer from the given reader.
func (x *exchange) startStream(answer *http.Response, from io.Reader) {
	r := bufio.NewReader(from)
	answer.Body, x.events = body{r, answer.Body}, endpoint.NewEvents(r)
}

// nextPiece returns the next piece of a stream, or the error that the endpoint reports
// instead.
func (x *exchange) nextPiece() (piece, error) {
	data, err := x.events.Next()
	if err != nil {
		return piece{}, err
	}
	p, err := parsePiece(data)
	if err != nil {
		return p, err
	}
	if c, ok := p.errorReport(); ok {
		return p, x.newError(c, data)
	}
	return p, nil
}

// newError converts an error report of the endpoint; whole is the complete text of the report.
func (x *exchange) newError(c errorReport, whole []byte) *llm.Error {
	x.complaint = string(whole)
	e := &llm.Error{Kind: c.errorKind(x.status), Status: x.status, RetryAfter: x.retryAfter}
	for _, text := range []*string{&c.message, &c.kind, &c.code} {
		*text = secret.Hide(*text, x.secrets...)
	}
	e.Err = errors.New(c.String())
	return e
}

// explainError converts an error of go-openai or of the HTTP client to an [*llm.Error].
func (x *exchange) explainError(ctx context.Context, err error) *llm.Error {
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
		e.Kind = llm.BadRequest // go-openai did not send the request
	case errors.Is(err, endpoint.ErrTooLong), errors.As(err, &syntax):
		e.Kind = llm.Malformed
	case errors.As(err, &slow) && slow.Timeout():
		e.Kind = llm.Timeout
	default:
		e.Kind = llm.Unreachable
	}
	return e
}
