package llmtest

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
)

// Protocol is the wire format of a provider. Its methods must be safe for concurrent use.
type Protocol interface {
	// Decode decodes a request. It returns an error if the vendor would refuse the request. The double
	// sets Request.Body.
	Decode(r *http.Request, body []byte) (Request, error)

	// Document returns the body of an answer that is not streamed. The answer has no Err.
	Document(a Answer) []byte

	// Events returns the encoded events of a streamed answer, such as "data: {…}\n\n". If the answer
	// has an Err, the last event reports that error.
	Events(a Answer) []string

	// Failure returns the status, the headers and the body for an error. If the status of the error is
	// 0, Failure chooses a status for its kind.
	Failure(e *llm.Error) (status int, header http.Header, body []byte)
}

// Serve starts a server for a protocol on the loopback interface, and returns its URL, which has no
// path. Later calls return the same URL. The server stops when the test ends.
func (d *Double) Serve(t testing.TB, p Protocol) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.url == "" {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { d.serve(w, r, p) }))
		t.Cleanup(server.Close)
		d.url = server.URL
	}
	return d.url
}

func (d *Double) serve(w http.ResponseWriter, r *http.Request, p Protocol) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	request, err := p.Decode(r, body)
	if err != nil {
		d.refuse(err)
		sendFailure(w, p, &llm.Error{Kind: llm.BadRequest, Status: http.StatusBadRequest, Err: err})
		return
	}
	request.Body = body
	a := d.nextAnswer(request)
	switch {
	case a.Fault == Hang:
		d.hangs <- struct{}{}
		<-r.Context().Done()
	case a.Fault == HangUp:
		panic(http.ErrAbortHandler)
	case a.Fault == Empty:
	case a.Fault == Redirect:
		http.Redirect(w, r, d.redirectURL+r.URL.Path, []int{http.StatusFound, http.StatusTemporaryRedirect}[len(d.Requests())%2])
	case a.Fault == Endless:
		sendEndlessly(w, request.Streamed)
	case a.Fault == HTML:
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<html><body>Bad gateway</body></html>") // the client may have disconnected
	case a.Err != nil && (!request.Streamed || a.Response.Text == ""):
		for name, values := range a.header {
			w.Header()[name] = values
		}
		sendFailure(w, p, a.Err)
	case request.Streamed:
		w.Header().Set("Content-Type", "text/event-stream")
		d.sendParts(w, r, a.Fault, d.splitEvents(answerParts(p, a, true)))
	default:
		w.Header().Set("Content-Type", "application/json")
		d.sendParts(w, r, a.Fault, splitInHalf(strings.Join(answerParts(p, a, false), "")))
	}
}

// answerParts returns the events of an answer, or a single element with the document. It applies the fault
// NoMembers and a.change.
func answerParts(p Protocol, a Answer, streamed bool) (parts []string) {
	switch {
	case a.Fault == NoMembers && streamed:
		return []string{"data: {}\n\n"}
	case a.Fault == NoMembers:
		return []string{"{}"}
	case streamed:
		parts = p.Events(a)
	default:
		parts = []string{string(p.Document(a))}
	}
	if a.change != nil {
		return a.change(parts)
	}
	return parts
}

// sendEndlessly sends spaces, or a stream of comments, until the client disconnects.
func sendEndlessly(w http.ResponseWriter, streamed bool) {
	media, text := "application/json", strings.Repeat(" ", 1<<20)
	if streamed {
		media, text = "text/event-stream", strings.Repeat(": "+strings.Repeat("x", 1021)+"\n", 1<<10)
	}
	w.Header().Set("Content-Type", media)
	for {
		if _, err := io.WriteString(w, text); err != nil {
			return
		}
	}
}

func splitInHalf(text string) []string { return []string{text[:len(text)/2], text[len(text)/2:]} }

func sendFailure(w http.ResponseWriter, p Protocol, e *llm.Error) {
	status, header, body := p.Failure(e)
	for name, values := range header {
		w.Header()[name] = values
	}
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may have disconnected
}

// splitEvents splits the text of events into pieces of d.pieceSize bytes. If that is 0, it returns the events.
func (d *Double) splitEvents(events []string) (parts []string) {
	if d.pieceSize == 0 {
		return events
	}
	text := strings.Join(events, "")
	for len(text) > d.pieceSize {
		parts, text = append(parts, text[:d.pieceSize]), text[d.pieceSize:]
	}
	return append(parts, text)
}

// sendParts sends the parts of an answer, only the first half if the fault requires that.
func (d *Double) sendParts(w http.ResponseWriter, r *http.Request, fault Fault, parts []string) {
	end := len(parts)
	if fault == Cut || fault == EndEarly || fault == HangLater {
		end = (len(parts) + 1) / 2
	}
	flusher := http.NewResponseController(w)
	for _, part := range parts[:end] {
		if _, err := io.WriteString(w, part); err != nil {
			return // the client has disconnected
		}
		if err := flusher.Flush(); err != nil {
			return
		}
	}
	switch fault {
	case Cut:
		panic(http.ErrAbortHandler)
	case HangLater:
		d.hangs <- struct{}{}
		<-r.Context().Done()
	}
}

// FailureHead returns the status of an error, or the given status if the error has none, and the headers of
// the response. It is for implementations of [Protocol].
func FailureHead(e *llm.Error, status int) (int, http.Header) {
	header := http.Header{}
	if e.RetryAfter > 0 {
		header.Set("Retry-After", strconv.Itoa(int(e.RetryAfter.Seconds())))
	}
	return cmp.Or(e.Status, status), header
}

// Pieces splits a text into pieces of at most size characters.
func Pieces(text string, size int) (all []string) {
	for part := range slices.Chunk([]rune(text), size) {
		all = append(all, string(part))
	}
	return all
}

// OpenAIError is an error of OpenAI's protocols.
type OpenAIError struct {
	Status     int
	Type, Code string
}

// OpenAIErrors contains the errors of OpenAI's protocols, by the kinds of [llm.Error].
var OpenAIErrors = map[string]OpenAIError{
	llm.RateLimited:   {429, "tokens", "rate_limit_exceeded"},
	llm.QuotaExceeded: {429, "insufficient_quota", "insufficient_quota"},
	llm.Unauthorized:  {401, "invalid_request_error", "invalid_api_key"},
	llm.BadRequest:    {400, "invalid_request_error", ""},
	llm.ContextFull:   {400, "invalid_request_error", "context_length_exceeded"},
	llm.ServerError:   {500, "server_error", "server_error"},
	llm.Timeout:       {408, "timeout", ""},
}

// OpenAIFailure implements the method Failure of [Protocol] for OpenAI's protocols.
func OpenAIFailure(e *llm.Error) (status int, header http.Header, body []byte) {
	wire := OpenAIErrors[e.Kind]
	status, header = FailureHead(e, wire.Status)
	report := map[string]any{"message": e.Err.Error(), "type": wire.Type, "param": nil, "code": nil}
	if wire.Code != "" {
		report["code"] = wire.Code
	}
	return status, header, []byte(encodeText(map[string]any{"error": report}))
}

// DecodeDataURL decodes a data URL to a part.
func DecodeDataURL(url string) (content.Part, error) {
	media, text, ok := strings.Cut(strings.TrimPrefix(url, "data:"), ";base64,")
	data, err := base64.StdEncoding.DecodeString(text)
	if !ok || err != nil || len(data) == 0 {
		return content.Part{}, fmt.Errorf("invalid data URL %q", url)
	}
	return content.Part{Media: media, Data: data}, nil
}
