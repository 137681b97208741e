package endpoint_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

func TestLimited(t *testing.T) {
	for _, test := range []struct {
		text  string
		limit int
		whole bool
	}{
		{"", 0, true}, {"12345", 5, true}, {"12345", 6, true}, {"12345", 4, false}, {"1", 0, false},
	} {
		text, err := io.ReadAll(endpoint.LimitBody(io.NopCloser(strings.NewReader(test.text)), test.limit))
		if (err == nil) != test.whole || err != nil && !errors.Is(err, endpoint.ErrTooLong) || test.whole && string(text) != test.text {
			t.Errorf("%q of at most %d bytes: %q, %v", test.text, test.limit, text, err)
		}
	}
}

// sendTo returns an answer with a body and a media type.
func sendTo(t *testing.T, body, media string) *endpoint.Answer {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "https://ada:hunter22@models.example/v1?key=secret-1", nil)
	r.Header.Set("Authorization", "Bearer secret-2")
	r.Header.Set("X-Api-Key", "secret-3")
	answer := &endpoint.Answer{}
	_, err := answer.Send(r, func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {media}}, Body: io.NopCloser(strings.NewReader(body))}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// TestSecrets checks that no error contains a secret of the request, whole or cut off.
func TestSecrets(t *testing.T) {
	const said = "hunter22 secret-1 secret-2 Bearer secret-2 secret-3"
	answer := sendTo(t, said, "")
	_, err := answer.ReadDocument()
	for _, text := range []string{
		err.Error(), answer.NewError(llm.BadRequest, said).Error(), answer.Malformed("it is %s", said).Error(),
		answer.Explain(t.Context(), &url.Error{Op: "Post", URL: "https://ada:hunter22@models.example/?key=secret-1", Err: errors.New(said)}).Error(),
		answer.Excerpt(strings.Repeat("x", 495) + "secret-2"), answer.Excerpt(strings.Repeat("x", 994) + "secret-2"),
	} {
		if strings.Contains(text, "secret") || strings.Contains(text, "hunter") {
			t.Errorf("a secret is in %q", text)
		}
	}
}

// TestExplain checks the kinds of errors.
func TestExplain(t *testing.T) {
	sent, unsent := sendTo(t, "", ""), &endpoint.Answer{}
	slow := &url.Error{Op: "Post", Err: context.DeadlineExceeded}
	own := &llm.Error{Kind: llm.QuotaExceeded}
	for _, test := range []struct {
		answer *endpoint.Answer
		err    error
		want   string
	}{
		{unsent, errors.New("no URL"), llm.BadRequest},
		{unsent, &url.Error{Op: "Post", Err: errors.New("connection refused")}, llm.Unreachable},
		{unsent, slow, llm.Timeout}, {sent, slow, llm.Timeout},
		{sent, io.ErrUnexpectedEOF, llm.CutOff}, {sent, endpoint.ErrTooLong, llm.Malformed}, {sent, own, llm.QuotaExceeded},
	} {
		if got := test.answer.Explain(t.Context(), test.err); got.Kind != test.want {
			t.Errorf("%v is explained as %v, want %s", test.err, got, test.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := sent.Explain(ctx, io.ErrUnexpectedEOF); got.Kind != llm.Cancelled {
		t.Error(got)
	}
}

// TestAnswerEvents checks forms of streams, and streams that end in an event.
func TestAnswerEvents(t *testing.T) {
	for body, want := range map[string]string{
		"data: {\"n\":1}\n\ndata: {\"n\":2}\n\ndata: [DONE]\n\ndata: {\"n\":3}\n\n": "1 2",
		": hi\r\nevent: x\r\ndata:{\"n\":\r\ndata: 1}\r\n\r\n{\"n\":2}":             "1 2",
		"data: {\"n\":1}\ndata: {\"n\":2}\n":                                        "1 2",
		"data: {\"n\":1}\n\ndata: {\"n\":":                                          "1 cut_off",
		"data: {\"n\":1}\n\ndata: nonsense\n\ndata: {\"n\":2}\n\n":                  "1 malformed_response",
		"data: [1]\n\n": "malformed_response",
		"":              "",
	} {
		var got []string
		for event, err := range sendTo(t, body, "text/event-stream").Events() {
			if e, ok := errors.AsType[*llm.Error](err); ok {
				got = append(got, e.Kind)
			} else {
				got = append(got, strconv.Itoa(event.Count("n")))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %q, want %q", body, got, want)
		}
	}
}

// TestAnswerEventsLinear checks that lines without data are not read again for each line after them,
// which would take minutes.
func TestAnswerEventsLinear(t *testing.T) {
	empty := strings.Repeat("data:\n", 1<<20)
	count := 0
	for event, err := range sendTo(t, empty+"data: {\"n\":\n"+empty+"data: 1}\n", "text/event-stream").Events() {
		if count++; err != nil || event.Count("n") != 1 {
			t.Errorf("got %s, %v", event, err)
		}
	}
	if count != 1 {
		t.Errorf("got %d events, want 1", count)
	}
}

// TestCount checks counts that are not sensible.
func TestCount(t *testing.T) {
	for raw, want := range map[string]int{
		`7`: 7, `"7"`: 7, `7.9`: 7, `-1`: 0, `"x"`: 0, `null`: 0, `{}`: 0, `1e999`: math.MaxInt32, `-1e999`: 0, `9223372036854775808`: math.MaxInt32, `"NaN"`: 0,
	} {
		if got := (endpoint.Members{"n": json.RawMessage(raw)}).Count("n"); got != want {
			t.Errorf("%s is counted as %d, want %d", raw, got, want)
		}
	}
}
