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
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/llm"
)

const (
	maxAnswer   = 64 << 20 // bytes
	longestText = 500      // bytes of what an endpoint says is wrong

	byteOrderMark = "\uFEFF"
)

var errTooLong = fmt.Errorf("the answer has more than %d bytes", maxAnswer)

// exchange is one request and what comes back. It is the HTTP client of its
// client, for that does not tell of headers where there is an error.
type exchange struct {
	client *openai.Client
	http   *http.Client
	header http.Header
	query  string
	body   []byte // in the place of what the client would send

	status     int // 0 before there is an answer
	retryAfter time.Duration
	document   []byte  // the answer, if it is one JSON document
	events     *events // of it, if it is a stream
}

// Do sends the request, as an http.Client does. What the endpoint says is wrong is
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
		return nil, hideSecrets(err)
	}
	x.status, x.retryAfter = answer.StatusCode, retryAfter(answer.Header)
	answer.Body = &limited{answer.Body, maxAnswer}
	if err := x.read(answer); err != nil {
		answer.Body.Close()
		return nil, err
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

// read reads what the endpoint says is wrong, and an answer that is one JSON
// document, and no stream: some endpoints say that all is well when there is an
// error, and some answer so when a stream was asked for.
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
		return x.complain(c)
	}
	r := bufio.NewReader(answer.Body)
	x.resume(answer, r)
	if mark, _ := r.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = r.Discard(len(byteOrderMark)) // it is there
	}
	first, err := r.Peek(1)
	for err == nil && strings.Contains(" \t\r\n", string(first)) { // some wait so
		_, _ = r.Discard(1)
		first, err = r.Peek(1)
	}
	if string(first) != "{" {
		return nil
	}
	text, err := io.ReadAll(r)
	if err != nil {
		x.resume(answer, io.MultiReader(bytes.NewReader(text), r)) // r fails again
		return nil
	}
	if json.Valid(text) { // else it is a stream without marks, or will be refused
		if c, ok := asideOf(text).complaint(); ok {
			return x.complain(c)
		}
		text = quoteArguments(text)
		x.document = text
	}
	x.resume(answer, bytes.NewReader(text))
	return nil
}

// resume has the answer read from the beginning again.
func (x *exchange) resume(answer *http.Response, from io.Reader) {
	r := bufio.NewReader(from)
	answer.Body, x.events = body{r, answer.Body}, &events{lines: r}
}

// next returns the next piece of a stream, or the error that came in its place.
func (x *exchange) next() (piece openai.ChatCompletionStreamResponse, beside aside, err error) {
	data, err := x.events.next()
	if err != nil {
		return piece, beside, err
	}
	beside = asideOf(data)
	if c, ok := beside.complaint(); ok {
		return piece, beside, x.complain(c)
	}
	return piece, beside, json.Unmarshal(joinParts(quoteArguments(data)), &piece)
}

// complain returns what the endpoint says is wrong.
func (x *exchange) complain(c complaint) *llm.Error {
	return &llm.Error{Kind: c.class(x.status), Status: x.status, RetryAfter: x.retryAfter, Err: errors.New(c.String())}
}

// objectArguments finds what may be arguments that are no string.
var objectArguments = regexp.MustCompile(`"arguments"\s*:\s*\{`)

// quoteArguments returns an answer, or a piece of one, in which the arguments of
// calls are in strings, as the protocol says.
func quoteArguments(answer []byte) []byte {
	if objectArguments.Match(answer) {
		for _, path := range []string{"choices * message tool_calls * function", "choices * message function_call", "choices * delta tool_calls * function", "choices * delta function_call"} {
			answer = rewriteAt(answer, append(strings.Fields(path), "arguments"), '{', func(value json.RawMessage) string { return string(value) })
		}
	}
	return answer
}

// partsOfContent finds what may be a content that is no string.
var partsOfContent = regexp.MustCompile(`"content"\s*:\s*\[`)

// joinParts returns a piece of an answer in which the content is a string, as the
// client reads it; Mistral sends parts.
func joinParts(piece []byte) []byte {
	if partsOfContent.Match(piece) {
		return rewriteAt(piece, strings.Fields("choices * delta content"), '[', textOf)
	}
	return piece
}

// rewriteAt returns a value in which one that begins with a bracket, at a path, is the
// text that change makes of it. In the path, * is each item of a list.
func rewriteAt(value json.RawMessage, path []string, bracket byte, change func(json.RawMessage) string) json.RawMessage {
	var changed any
	var items []json.RawMessage
	var members map[string]json.RawMessage
	switch {
	case len(path) == 0 && value[0] == bracket:
		changed = change(value)
	case len(path) == 0:
		return value
	case path[0] == "*" && json.Unmarshal(value, &items) == nil:
		for i := range items {
			items[i] = rewriteAt(items[i], path[1:], bracket, change)
		}
		changed = items
	case json.Unmarshal(value, &members) == nil && members[path[0]] != nil:
		members[path[0]] = rewriteAt(members[path[0]], path[1:], bracket, change)
		changed = members
	default:
		return value
	}
	text, err := json.Marshal(changed)
	if err != nil {
		panic(err) // it was JSON
	}
	return text
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
		typed  *json.UnmarshalTypeError
	)
	e = &llm.Error{Status: x.status, RetryAfter: x.retryAfter, Err: err}
	switch {
	case x.status == 0 && !errors.As(err, &failed):
		e.Kind, e.Err = llm.BadRequest, unsent(err)
	case errors.Is(err, errTooLong), errors.As(err, &syntax), errors.As(err, &typed), err == io.EOF:
		e.Kind = llm.Malformed
	case errors.As(err, &slow) && slow.Timeout():
		e.Kind = llm.Timeout
	default:
		e.Kind = llm.Unreachable
	}
	return e
}

// unsent returns the error of a request that the client did not send, with a way
// out where it knows by the name of a model that it reasons.
func unsent(err error) error {
	for _, target := range []error{
		openai.ErrReasoningModelMaxTokensDeprecated, openai.ErrReasoningModelLimitationsOther, openai.ErrReasoningSamplingUnsupported,
	} {
		if errors.Is(err, target) {
			return fmt.Errorf("make the model with the option Reasoning: %w", err)
		}
	}
	return err
}
