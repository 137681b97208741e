package openai_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/openai"
)

const hunter = "sk-hunter2-0123456789"

// TestSecretsNeverPrinted prints models in all ways, alone and inside other values.
func TestSecretsNeverPrinted(t *testing.T) {
	options := []openai.Option{
		openai.Key(hunter), openai.Header("Api-Key", hunter), openai.Header("X-Auth", "Bearer "+hunter),
		openai.BaseURL("https://ada:" + hunter + "@127.0.0.1:1/v1?api-key=" + hunter),
	}
	once := openai.New("m", append(options, openai.NoRetry())...)
	retry := openai.New("m", options...)
	for _, m := range []any{
		once, retry, &retry, []llm.Model{once}, map[string]llm.Model{"m": retry}, struct{ Model llm.Model }{once}, struct{ m llm.Model }{once}, llm.WithTextCalls(once),
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			checkNoSecret(t, verb, fmt.Sprintf(verb, m))
		}
		text, _ := json.Marshal(m) // models have functions, which are not JSON
		checkNoSecret(t, "json", string(text))
		var b bytes.Buffer
		slog.New(slog.NewTextHandler(&b, nil)).Info("x", "model", m)
		slog.New(slog.NewJSONHandler(&b, nil)).Info("x", "model", m)
		checkNoSecret(t, "slog", b.String())
	}
	if got := fmt.Sprint(once); got != `model "m" at 127.0.0.1:1` {
		t.Error(got)
	}
}

func checkNoSecret(t *testing.T, how, text string) {
	t.Helper()
	if strings.Contains(text, "hunter2") || strings.Contains(text, fmt.Sprintf("%x", "hunter2")) || strings.Contains(text, "104 117 110 116") {
		t.Errorf("%s shows %s", how, text)
	}
}

// oddKey has characters that other formats escape, and longToken is longer than the excerpts in
// errors.
const oddKey = `sk/a+b<c>&"d=0123`

var longToken = "eyJ" + strings.Repeat("AbC9/dEf+x", 60)

// sizedReader returns a few bytes at a time.
type sizedReader struct {
	r    io.Reader
	size int
}

func (s *sizedReader) Read(b []byte) (int, error) { return s.r.Read(b[:min(len(b), s.size)]) }

// secretForms are answers that repeat secrets in other forms, or in part.
func secretForms() map[string]string {
	inJSON, _ := json.Marshal(oddKey)
	return map[string]string{
		"JSON":             `{"said":` + string(inJSON) + `}`,
		"JSON, slashes":    `{"said":` + strings.ReplaceAll(string(inJSON), "/", `\/`) + `}`,
		"HTML":             "<p>" + html.EscapeString(oddKey),
		"URL":              "<p>" + url.QueryEscape(oddKey),
		"path":             "<p>" + url.PathEscape(oddKey),
		"Basic":            "<p>AUTHORIZATION",
		"long":             "<p>" + longToken,
		"long after space": "<p>" + strings.Repeat(" ", 150) + longToken,
	}
}

// TestSecretsInErrors checks endpoints and transports that repeat the secrets.
func TestSecretsInErrors(t *testing.T) {
	options := func(server string, client *http.Client) []openai.Option {
		return []openai.Option{
			openai.NoRetry(), openai.HTTPClient(client), openai.Key(hunter), openai.Header("X-Auth", "Token "+hunter+"-header"),
			openai.BaseURL("http://ada:" + hunter + "-password@" + server + "/v1?key=" + hunter + "-query"),
		}
	}
	said := "no: Bearer " + hunter + ", Token " + hunter + "-header, " + hunter + "-password, " + hunter + "-query"
	long := strings.Repeat("x", 490) + hunter
	for name, answer := range map[string]struct {
		status int
		body   string
	}{
		"error":          {401, `{"error":{"message":"` + said + `","type":"` + hunter + `","code":"` + hunter + `"}}`},
		"type alone":     {500, `{"error":{"message":"","type":"` + hunter + `"}}`},
		"text":           {500, said},
		"long text":      {500, long},
		"HTML":           {200, "<html>" + said},
		"no choices":     {200, `{"said":"` + said + `"}`},
		"error of a 200": {200, `{"error":"` + said + `"}`},
		"in a stream":    {200, "data: {\"error\":\"" + said + "\"}\n\n"},
		"of a 400":       {400, `{"error":"temperature ` + said + `"}`},
	} {
		transport := roundTrip(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: answer.status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(answer.body))}, nil
		})
		m := openai.New("m", options("127.0.0.1:1", &http.Client{Transport: transport})...)
		_, err := m.Generate(t.Context(), llm.Request{})
		_, _, streamErr := stream(t.Context(), m, llm.Request{})
		if err == nil || streamErr == nil {
			t.Errorf("%s: %v, %v", name, err, streamErr)
		}
		checkNoSecret(t, name, fmt.Sprintf("%v %+v %#v %v %+v", err, err, err, streamErr, streamErr))
		text, _ := json.Marshal([]error{err, streamErr})
		checkNoSecret(t, name, string(text))
	}
	failed := errors.New("broken")
	for name, text := range secretForms() {
		for _, size := range []int{60, 1 << 20} { // number of bytes per read
			status := 200
			if size > 60 {
				status = 400
			}
			transport := roundTrip(func(r *http.Request) (*http.Response, error) {
				body := strings.ReplaceAll(text, "AUTHORIZATION", r.Header.Get("Authorization"))
				return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(&sizedReader{strings.NewReader(body), size})}, nil
			})
			m := openai.New("m", openai.NoRetry(), openai.HTTPClient(&http.Client{Transport: transport}), openai.Header("X-Auth", oddKey), openai.Header("X-Token", longToken),
				openai.BaseURL("http://ada:"+hunter+"@127.0.0.1:1/v1"))
			_, err := m.Generate(t.Context(), llm.Request{})
			_, _, streamErr := stream(t.Context(), m, llm.Request{})
			if err == nil || streamErr == nil || !strings.Contains(err.Error()+streamErr.Error(), "[hidden]") {
				t.Errorf("%s: %v, %v", name, err, streamErr)
			}
			shown := fmt.Sprintf("%v %v", err, streamErr)
			if checkNoSecret(t, name, shown); strings.Contains(shown, "0123") || strings.Contains(shown, "AbC") || strings.Contains(shown, base64.StdEncoding.EncodeToString([]byte("ada:" + hunter))[:12]) {
				t.Errorf("%s shows %s", name, shown)
			}
		}
	}
	transport := roundTrip(func(r *http.Request) (*http.Response, error) {
		return nil, fmt.Errorf("%v %v: %w", r.Header, r.URL, failed)
	})
	_, err := openai.New("m", options("127.0.0.1:1", &http.Client{Transport: transport})...).Generate(t.Context(), llm.Request{})
	if checkNoSecret(t, "transport", fmt.Sprintf("%v %+v", err, err)); !errors.Is(err, failed) {
		t.Error(err)
	}
}
