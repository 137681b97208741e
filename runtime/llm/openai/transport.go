package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

const (
	longestQuote = 120 // maximum length of the quotation from an unusable answer in an error, in bytes

	byteOrderMark = "\uFEFF"
)

// exchange is one request and its response. It serves as the HTTP client of go-openai. It decodes the answer itself,
// because go-openai rejects a whole answer if one unimportant member has an unexpected type.
type exchange struct {
	model     *model
	body      []byte
	stream    bool // whether a stream is requested
	answer    endpoint.Answer
	complaint string           // the complete error report of the endpoint
	document  *piece           // the answer, if it is one JSON document
	events    *endpoint.Events // the events of the answer, if it is a stream
	beginning []byte           // the first bytes of the stream, for errors
}

// sendRequest sends the request with go-openai, which calls Do.
func (x *exchange) sendRequest(ctx context.Context) error {
	base := *x.model.base.Reveal()
	base.RawQuery, base.ForceQuery, base.Fragment = "", false, ""
	config := openai.DefaultConfig(x.model.key.Reveal())
	config.BaseURL, config.HTTPClient = base.String(), x
	client := openai.NewClientWithConfig(config)
	request := openai.ChatCompletionRequest{Model: x.model.name} // x.body contains the rest
	if !x.stream {
		_, err := client.CreateChatCompletion(ctx, request)
		return err
	}
	stream, err := client.CreateChatCompletionStream(ctx, request)
	if err == nil {
		_ = stream.Close() // it is empty
	}
	return err
}

// Do sends the request as http.Client does, with the body of the exchange. It reads the answer or, if it is a stream,
// its beginning, and returns an empty answer for go-openai.
func (x *exchange) Do(r *http.Request) (*http.Response, error) {
	for name, values := range x.model.header.Reveal() {
		r.Header[name] = values
		for _, value := range values {
			x.answer.Secrets = append(append(x.answer.Secrets, value), strings.Fields(value)...)
		}
	}
	r.URL.RawQuery = x.model.base.Reveal().RawQuery
	r.ContentLength = int64(len(x.body))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(x.body)), nil }
	r.Body, _ = r.GetBody() // cannot fail
	if _, err := x.answer.Send(r, x.model.client.Do); err != nil {
		return nil, err
	}
	if err := x.readAnswer(); err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("{}"))}, nil
}

// readAnswer reads an error or a JSON document completely, and prepares reading a stream. Some
// endpoints report an error with the status 200, and some send a document although a stream was
// requested.
func (x *exchange) readAnswer() error {
	r := bufio.NewReader(x.answer.Response.Body)
	if status := x.answer.Status(); isFailure(status) {
		text, err := io.ReadAll(r)
		if err != nil {
			e := x.answer.NewError(llm.StatusKind(status), "")
			e.Err = err
			return e
		}
		c, ok := parseErrorReport(text)
		if !ok {
			c.message = string(text)
		}
		return x.newError(c, text)
	}
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
		x.events = endpoint.NewEvents(r)
		return nil
	}
	text, err := io.ReadAll(r)
	switch {
	case x.stream && (err != nil || !json.Valid(text)): // the stream broke, or its events have no "data:" prefix
		x.events = endpoint.NewEvents(io.MultiReader(bytes.NewReader(text), r)) // r fails again
		return nil
	case err != nil:
		return err
	}
	return x.readDocument(text)
}

// readDocument reads an answer that is one JSON document.
func (x *exchange) readDocument(text []byte) error {
	p, err := parsePiece(text)
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return x.answer.Malformed("the answer is empty")
	case err != nil:
		return x.answer.Malformed("%s: %w", x.describeAnswer("the answer is not JSON", text), err)
	}
	if c, ok := p.errorReport(); ok {
		return x.newError(c, text)
	}
	switch {
	case len(p.choices) == 0:
		return x.answer.Malformed("%s", x.describeAnswer(errNoChoice.Error(), text))
	case !hasMessage(p.choices[0]):
		return x.answer.Malformed("%s", x.describeAnswer(errNoMessage.Error(), text))
	}
	x.document = &p
	return nil
}

// describeAnswer returns the message for an unusable answer: what is wrong, followed by the
// beginning of the answer.
func (x *exchange) describeAnswer(what string, answer []byte) string {
	if len(bytes.TrimSpace(answer)) == 0 {
		return what
	}
	return what + ", it begins with " + strconv.Quote(words.Cut(x.answer.Excerpt(string(answer)), longestQuote))
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
	return x.answer.NewError(c.errorKind(x.answer.Status()), c.String())
}

// explainError converts the error of a request to an [*llm.Error].
func (x *exchange) explainError(ctx context.Context, err error) *llm.Error {
	e := x.answer.Explain(ctx, err)
	if e.Kind == llm.CutOff && !x.stream {
		e.Kind = llm.Unreachable
	}
	return e
}

// explainEnd returns the error for a stream that ended with err before the answer was complete.
func (x *exchange) explainEnd(ctx context.Context, err error) *llm.Error {
	switch {
	case errors.Is(err, io.EOF) && x.events.Count == 0:
		return x.answer.Malformed("%s", x.describeAnswer("there is no event in the stream", x.beginning))
	case errors.Is(err, io.EOF) && x.events.Done:
		return malformedError(errNoChoice)
	case errors.Is(err, io.EOF):
		return x.answer.CutOff()
	}
	return x.explainError(ctx, err)
}
