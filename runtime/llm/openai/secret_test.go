package openai_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/openai"
)

const hunter = "sk-hunter2-0123456789"

// TestSecretsNeverPrinted prints models in all ways, alone and in other values.
func TestSecretsNeverPrinted(t *testing.T) {
	options := []openai.Option{
		openai.Key(hunter), openai.Header("Api-Key", hunter), openai.Header("X-Auth", "Bearer "+hunter),
		openai.BaseURL("https://ada:" + hunter + "@127.0.0.1:1/v1?api-key=" + hunter),
	}
	once := openai.New("m", append(options, openai.NoRetry())...)
	retry := openai.New("m", options...)
	for _, m := range []any{
		once, retry, &retry, []llm.Model{once}, map[string]llm.Model{"m": retry}, struct{ Model llm.Model }{once}, struct{ m llm.Model }{once}, llm.InText(once),
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

// TestSecretsInErrors has endpoints and transports that say the secrets again.
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
	transport := roundTrip(func(r *http.Request) (*http.Response, error) {
		return nil, fmt.Errorf("%v %v: %w", r.Header, r.URL, failed)
	})
	_, err := openai.New("m", options("127.0.0.1:1", &http.Client{Transport: transport})...).Generate(t.Context(), llm.Request{})
	if checkNoSecret(t, "transport", fmt.Sprintf("%v %+v", err, err)); !errors.Is(err, failed) {
		t.Error(err)
	}
}
