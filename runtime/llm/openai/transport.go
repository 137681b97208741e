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

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

const (
	longestQuote = 120 // maximum length of the quotation from an unusable answer in an error, in bytes

	byteOrderMark = "\uFEFF"
)

// exchange is one request and its response.
type exchange struct {
	stream    bool // whether a stream is requested
	answer    endpoint.Answer
	complaint string           // the complete error report of the endpoint
	document  *piece           // the answer, if it is one JSON document
	events    *endpoint.Events // the events of the answer, if it is a stream
	beginning []byte           // the first bytes of the stream, for errors
}

// sendRequest sends a request with this body, and reads the answer or, if it is a stream, its beginning.
func (x *exchange) sendRequest(ctx context.Context, m *model, body []byte) error {
	r, err := m.newHTTPRequest(ctx, body, x.stream)
	if err != nil {
		return err
	}
	for _, values := range m.header.Reveal() {
		for _, value := range values {
			x.answer.Secrets = append(append(x.answer.Secrets, value), strings.Fields(value)...)
		}
	}
	if _, err := x.answer.Send(r, m.client.Do); err != nil {
		return err
	}
	return x.readAnswer()
}

// newHTTPRequest returns a request with this body.
func (m *model) newHTTPRequest(ctx context.Context, body []byte, stream bool) (*http.Request, error) {
	base := *m.base.Reveal()
	query := base.RawQuery
	base.RawQuery, base.ForceQuery, base.Fragment = "", false, ""
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimRight(base.String(), "/")+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.URL.RawQuery = query
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	if stream {
		r.Header.Set("Accept", "text/event-stream")
		r.Header.Set("Cache-Control", "no-cache")
		r.Header.Set("Connection", "keep-alive")
	}
	if key := m.key.Reveal(); key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	for name, values := range m.header.Reveal() {
		r.Header[name] = values
	}
	return r, nil
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
