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
	maxAnswer     = 64 << 20 // bytes
	maxKeepAlives = 1 << 20  // lines without data between two pieces of a stream
	longestText   = 500      // bytes of what an endpoint says is wrong
)

var errTooLong = fmt.Errorf("the answer has more than %d bytes", maxAnswer)

// exchange is one request and what comes back. It is the HTTP client of its
// client, for that does not tell of headers where there is an error.
type exchange struct {
	client *openai.Client
	http   *http.Client
	header http.Header
	query  string

	status     int // 0 before there is an answer
	retryAfter time.Duration
}

// Do sends the request, as an http.Client does.
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	for name, values := range x.header {
		req.Header[name] = values
	}
	req.URL.RawQuery = x.query
	answer, err := x.http.Do(req)
	if err != nil {
		return nil, hideSecrets(err)
	}
	x.status = answer.StatusCode
	x.retryAfter = retryAfter(answer.Header.Get("Retry-After"))
	answer.Body = &limited{answer.Body, maxAnswer}
	if answer.StatusCode == http.StatusOK {
		x.read(answer)
	}
	return answer, nil
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

// read reads an answer that is one JSON document, and no stream. Some endpoints say
// so that all is well when there is an error, which the client takes for one then.
func (x *exchange) read(answer *http.Response) {
	r := bufio.NewReader(answer.Body)
	answer.Body = body{r, answer.Body}
	first, err := r.Peek(1)
	for err == nil && strings.Contains(" \t\r\n", string(first)) { // some wait so
		_, _ = r.Discard(1) // it is there
		first, err = r.Peek(1)
	}
	if string(first) != "{" {
		return
	}
	text, err := io.ReadAll(r)
	if err != nil {
		answer.Body = body{io.MultiReader(bytes.NewReader(text), r), answer.Body} // r fails again
		return
	}
	var said struct{ Error, Choices json.RawMessage }
	if json.Unmarshal(text, &said) == nil && isThere(said.Error) && !isThere(said.Choices) {
		answer.StatusCode = http.StatusInternalServerError
	}
	answer.Body = body{bytes.NewReader(quoteArguments(text)), answer.Body}
}

func isThere(member json.RawMessage) bool { return len(member) > 0 && string(member) != "null" }

// next returns the next piece of a stream, or the error that came in its place.
func next(stream *openai.ChatCompletionStream) (piece openai.ChatCompletionStreamResponse, err error) {
	raw, err := stream.RecvRaw()
	if err != nil {
		return piece, err
	}
	if raw == nil {
		return piece, &openai.APIError{} // one that the client cannot read
	}
	var said struct{ Error json.RawMessage }
	if json.Unmarshal(raw, &said) == nil && isThere(said.Error) {
		failed := &openai.APIError{}
		if json.Unmarshal(said.Error, failed) != nil {
			failed = &openai.APIError{Message: string(said.Error)}
		}
		return piece, failed
	}
	return piece, json.Unmarshal(quoteArguments(raw), &piece)
}

// objectArguments finds what may be arguments that are no string.
var objectArguments = regexp.MustCompile(`"arguments"\s*:\s*\{`)

// quoteArguments returns an answer, or a piece of one, in which the arguments of
// calls are in strings, as the protocol says.
func quoteArguments(answer []byte) []byte {
	if objectArguments.Match(answer) {
		for _, path := range []string{"choices * message tool_calls * function", "choices * message function_call", "choices * delta tool_calls * function", "choices * delta function_call"} {
			answer = quoteAt(answer, append(strings.Fields(path), "arguments"))
		}
	}
	return answer
}

// quoteAt returns a value in which an object at a path is a string. In the path, *
// is each item of a list.
func quoteAt(value json.RawMessage, path []string) json.RawMessage {
	var changed any
	var items []json.RawMessage
	var members map[string]json.RawMessage
	switch {
	case len(path) == 0 && value[0] == '{':
		changed = string(value)
	case len(path) == 0:
		return value
	case path[0] == "*" && json.Unmarshal(value, &items) == nil:
		for i := range items {
			items[i] = quoteAt(items[i], path[1:])
		}
		changed = items
	case json.Unmarshal(value, &members) == nil && members[path[0]] != nil:
		members[path[0]] = quoteAt(members[path[0]], path[1:])
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

// retryAfter reads the header of that name: seconds, or a date.
func retryAfter(text string) time.Duration {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		if seconds > 0 && seconds < math.MaxInt64/float64(time.Second) {
			return time.Duration(seconds * float64(time.Second))
		}
		return 0
	}
	if date, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(date))
	}
	return 0
}

// explain returns an error of the client as one of package llm.
func (x *exchange) explain(ctx context.Context, err error) *llm.Error {
	var e *llm.Error
	if errors.As(llm.ContextError(ctx, err), &e) {
		return e
	}
	var (
		said    *openai.APIError
		refused *openai.RequestError
		failed  *url.Error
		slow    interface{ Timeout() bool }
		syntax  *json.SyntaxError
		typed   *json.UnmarshalTypeError
	)
	e = &llm.Error{Status: x.status, RetryAfter: x.retryAfter, Err: err}
	switch {
	case x.status == 0 && !errors.As(err, &failed):
		e.Kind, e.Err = llm.BadRequest, unsent(err)
	case errors.As(err, &refused): // first, for it may wrap what is only a part of it
		e.Kind, e.Err = kindOfStatus(x.status), errors.New(excerpt(string(refused.Body)))
	case errors.As(err, &said):
		e.Kind, e.Err = kindOf(said, x.status), errors.New(excerpt(said.Message))
	case errors.Is(err, errTooLong), errors.As(err, &syntax), errors.As(err, &typed), err == io.EOF:
		e.Kind = llm.Malformed
	case errors.As(err, &slow) && slow.Timeout():
		e.Kind = llm.Timeout
	case x.status >= http.StatusBadRequest:
		e.Kind = kindOfStatus(x.status)
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

// kindOf returns the kind of an error that the endpoint described, maybe in the
// middle of a stream.
func kindOf(said *openai.APIError, status int) string {
	code := fmt.Sprint(said.Code)
	if n, ok := said.Code.(int); ok && status < http.StatusBadRequest {
		status = n
	}
	switch {
	case code == "insufficient_quota" || said.Type == "insufficient_quota":
		return llm.QuotaExceeded
	case status >= http.StatusBadRequest:
		return kindOfStatus(status)
	case code == "rate_limit_exceeded" || strings.HasPrefix(said.Type, "rate_limit"):
		return llm.RateLimited
	case said.Type == "invalid_request_error":
		return llm.BadRequest
	}
	return llm.ServerError
}

func kindOfStatus(status int) string {
	switch {
	case status == http.StatusTooManyRequests:
		return llm.RateLimited
	case status == http.StatusRequestTimeout:
		return llm.Timeout
	case status == http.StatusConflict || status >= 500 || status < 400:
		return llm.ServerError
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return llm.Unauthorized
	}
	return llm.BadRequest
}

// excerpt returns the beginning of a text, in one line.
func excerpt(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text[:min(len(text), longestText)], "")), " ")
	if text == "" {
		return "the endpoint does not say why"
	}
	return text
}
