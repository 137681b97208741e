package gemini_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/genai"

	"github.com/aiongen/aiongen/adapters/gemini"
	"github.com/aiongen/aiongen/runtime/llm"
)

const (
	testKey     = "test-key-0123456789"
	placeholder = "skip_thought_signature_validator"
)

// double is an endpoint that speaks the protocol of Gemini and refuses what Gemini refuses.
type double struct {
	*httptest.Server
	lock    sync.Mutex
	answers []answer
	paths   []string
	bodies  [][]byte
	headers []http.Header
	issued  map[string]bool // signatures in answers
	reply   func(wireRequest) answer
}

// answer is an answer of a double: parts of a candidate, or a whole body.
type answer struct {
	parts  []string // JSON
	finish string   // STOP if it is empty
	usage  string   // JSON
	status int
	header map[string]string
	body   string        // replaces the parts
	hang   chan struct{} // closed when the request has arrived; the answer never ends
}

// startDouble starts a double with these answers; the last one is repeated.
func startDouble(t *testing.T, answers ...answer) *double {
	d := &double{answers: answers, issued: map[string]bool{placeholder: true}}
	d.Server = httptest.NewServer(d)
	t.Cleanup(func() {
		d.CloseClientConnections()
		d.Close()
	})
	return d
}

// client returns a client for the double.
func (d *double) client(t *testing.T) *genai.Client {
	t.Helper()
	client, err := genai.NewClient(t.Context(), &genai.ClientConfig{
		APIKey: testKey, Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: d.URL},
	})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// model returns a model at the double, without retries.
func (d *double) model(t *testing.T, name string, options ...gemini.Option) llm.Model {
	t.Helper()
	return gemini.New(d.client(t), name, append(options, gemini.NoRetry())...)
}

var pathPattern = regexp.MustCompile(`^/v1beta/models/([^:/]+):(generateContent|streamGenerateContent)$`)

func (d *double) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	path := pathPattern.FindStringSubmatch(r.URL.Path)
	d.lock.Lock()
	d.paths, d.bodies, d.headers = append(d.paths, r.URL.String()), append(d.bodies, body), append(d.headers, r.Header)
	a := d.nextAnswer(body)
	refusal := "unknown path"
	if path != nil {
		refusal = refuse(path[1], body, d.issued)
	}
	for _, p := range a.parts {
		d.issued[signatureOf(p)] = true
	}
	d.lock.Unlock()
	switch {
	case r.Header.Get("X-Goog-Api-Key") != testKey:
		writeError(w, 401, "UNAUTHENTICATED", "no key")
	case refusal != "":
		writeError(w, 400, "INVALID_ARGUMENT", refusal)
	case a.hang != nil:
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		_, _ = io.WriteString(w, "data: "+document([]string{`{"text":"Hel"}`}, "", "")+"\n\n")
		w.(http.Flusher).Flush()
		close(a.hang)
		<-r.Context().Done()
	default:
		a.write(w, path[2] != "generateContent")
	}
}

// nextAnswer returns the answer to a request.
func (d *double) nextAnswer(body []byte) answer {
	if d.reply != nil {
		r, _ := parseRequest(body) // ServeHTTP refuses invalid ones
		return d.reply(r)
	}
	a := d.answers[0]
	if len(d.answers) > 1 {
		d.answers = d.answers[1:]
	}
	return a
}

func writeError(w http.ResponseWriter, status int, name, message string) {
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"code": status, "status": name, "message": message}})
}

// document returns a response with a candidate.
func document(parts []string, finish, usage string) string {
	if finish != "" {
		finish = `,"finishReason":"` + finish + `"`
	}
	if usage != "" {
		usage = `,"usageMetadata":` + usage
	}
	return `{"candidates":[{"content":{"role":"model","parts":[` + strings.Join(parts, ",") + `]}` + finish + `,"index":0}]` + usage + `,"modelVersion":"gemini-test-001","responseId":"r"}`
}

// write writes the answer, at once or as a stream whose packets end anywhere.
func (a answer) write(w http.ResponseWriter, stream bool) {
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	if a.finish == "" {
		a.finish = "STOP"
	}
	text := a.body
	switch {
	case text != "":
	case !stream:
		text = document(a.parts, a.finish, a.usage)
	default:
		w.Header().Set("Content-Type", "text/event-stream")
		for _, p := range splitParts(a.parts) {
			text += "data: " + document([]string{p}, "", "") + "\r\n\r\n"
		}
		text += "data: " + document(nil, a.finish, a.usage) + "\r\n\r\n"
	}
	if a.status != 0 {
		w.WriteHeader(a.status)
	}
	for piece := range slices.Chunk([]byte(text), 97) {
		_, _ = w.Write(piece)
		w.(http.Flusher).Flush()
	}
}

// splitParts splits plain texts after every third rune.
func splitParts(parts []string) (pieces []string) {
	for _, p := range parts {
		var m map[string]any
		if json.Unmarshal([]byte(p), &m) != nil || m["text"] == nil || m["thoughtSignature"] != nil {
			pieces = append(pieces, p)
			continue
		}
		for piece := range slices.Chunk([]rune(m["text"].(string)), 3) {
			copied := maps.Clone(m)
			copied["text"] = string(piece)
			text, _ := json.Marshal(copied) // it came from JSON
			pieces = append(pieces, string(text))
		}
	}
	return pieces
}

func signatureOf(part string) string {
	var m struct{ ThoughtSignature string }
	_ = json.Unmarshal([]byte(part), &m) // other parts have none
	return m.ThoughtSignature
}

// wireRequest is a request in the types of the official client, which know all members.
type wireRequest struct {
	Contents          []*genai.Content
	SystemInstruction *genai.Content
	Tools             []*genai.Tool
	ToolConfig        *genai.ToolConfig
	GenerationConfig  *genai.GenerationConfig
	SafetySettings    []*genai.SafetySetting
	CachedContent     string
}

// parseRequest decodes a request strictly. The placeholder has the alphabet of base64 for URLs,
// which protocol buffers accept and package json does not.
func parseRequest(body []byte) (r wireRequest, err error) {
	body = bytes.ReplaceAll(body, []byte(`"`+placeholder+`"`), []byte(`"`+base64.StdEncoding.EncodeToString([]byte(placeholder))+`"`))
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(&r)
	return r, err
}

// refuse returns why Gemini would refuse a request, or "".
func refuse(model string, body []byte, issued map[string]bool) string {
	r, err := parseRequest(body)
	if err != nil {
		return "Invalid JSON payload received. " + err.Error()
	}
	generation3 := !strings.Contains(model, "gemini-2")
	for _, check := range []func() string{
		func() string { return refuseContents(r.Contents) },
		func() string { return refuseCalls(r.Contents) },
		func() string { return refuseSignatures(body, generation3, issued) },
		func() string { return refuseTools(r) },
		func() string { return refuseGeneration(r, generation3) },
	} {
		if refusal := check(); refusal != "" {
			return refusal
		}
	}
	return ""
}

func refuseContents(contents []*genai.Content) string {
	if len(contents) == 0 {
		return "contents are required"
	}
	for i, c := range contents {
		if want := []string{"user", "model"}[i%2]; c.Role != want {
			return fmt.Sprintf("contents[%d] has the role %q: roles must alternate between user and model", i, c.Role)
		}
		if len(c.Parts) == 0 {
			return fmt.Sprintf("contents[%d].parts must not be empty", i)
		}
		for _, p := range c.Parts {
			if reflect.DeepEqual(*p, genai.Part{}) {
				return "Unable to submit request because it has an empty text parameter"
			}
			if p.FunctionCall != nil && c.Role != "model" || p.FunctionResponse != nil && c.Role != "user" {
				return "a function call or response has the wrong role"
			}
		}
	}
	return ""
}

// refuseCalls checks that a content with calls is followed by one with as many responses.
func refuseCalls(contents []*genai.Content) string {
	var calls []*genai.FunctionCall
	for _, c := range contents {
		var responses []*genai.FunctionResponse
		for _, p := range c.Parts {
			if p.FunctionResponse != nil {
				responses = append(responses, p.FunctionResponse)
			}
		}
		if len(responses) != len(calls) {
			return "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
		}
		for i, response := range responses {
			if response.Name != calls[i].Name || response.ID != calls[i].ID || response.Response == nil {
				return fmt.Sprintf("the function response %q does not match the call %q", response.Name, calls[i].Name)
			}
		}
		calls = nil
		for _, p := range c.Parts {
			if p.FunctionCall != nil {
				if !functionName.MatchString(p.FunctionCall.Name) {
					return "invalid function name " + p.FunctionCall.Name
				}
				calls = append(calls, p.FunctionCall)
			}
		}
	}
	if calls != nil {
		return "Please ensure that function response turn comes immediately after a function call turn."
	}
	return ""
}

// refuseSignatures checks that all signatures were issued by the double, and that the first call of
// each content of the current turn has one.
func refuseSignatures(body []byte, required bool, issued map[string]bool) string {
	var r struct {
		Contents []struct {
			Role  string
			Parts []map[string]json.RawMessage
		}
	}
	_ = json.Unmarshal(body, &r) // it was decoded before
	turn := 0
	for i, c := range r.Contents {
		for _, p := range c.Parts {
			if c.Role == "user" && p["functionResponse"] == nil {
				turn = i
			}
		}
	}
	for i, c := range r.Contents {
		first := true
		for _, p := range c.Parts {
			signature := string(p["thoughtSignature"])
			if p["thoughtSignature"] != nil && !issued[strings.Trim(signature, `"`)] {
				return "Thought signature is not valid."
			}
			if p["functionCall"] != nil && first {
				if first = false; required && i > turn && signature == "" {
					return "Function call is missing a thought_signature in functionCall parts."
				}
			}
		}
	}
	return ""
}

var functionName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$`)

func refuseTools(r wireRequest) string {
	declared := map[string]bool{}
	for _, t := range r.Tools {
		for _, f := range t.FunctionDeclarations {
			if !functionName.MatchString(f.Name) || declared[f.Name] {
				return "Invalid or duplicate function name " + f.Name
			}
			declared[f.Name] = true
			if f.Parameters != nil {
				if refusal := refuseSchema(f.Parameters); refusal != "" {
					return refusal
				}
			}
		}
	}
	if r.ToolConfig == nil || r.ToolConfig.FunctionCallingConfig == nil {
		return ""
	}
	calling := r.ToolConfig.FunctionCallingConfig
	if len(declared) == 0 {
		return "Function calling config is set without function_declarations."
	}
	for _, name := range calling.AllowedFunctionNames {
		if !declared[name] || calling.Mode != genai.FunctionCallingConfigModeAny {
			return "allowed_function_names should be set only for the mode ANY, and to declared names"
		}
	}
	return ""
}

func refuseSchema(s *genai.Schema) string {
	kind := strings.ToUpper(string(s.Type))
	switch {
	case kind == "" && len(s.AnyOf) == 0:
		return "schema without a type"
	case kind == "OBJECT" && len(s.Properties) == 0:
		return "properties: should be non-empty for OBJECT type"
	case kind == "ARRAY" && s.Items == nil:
		return "items: missing field."
	case len(s.Enum) > 0 && kind != "STRING":
		return "only allowed for STRING type"
	}
	inner := slices.Concat(slices.Collect(maps.Values(s.Properties)), s.AnyOf)
	if s.Items != nil {
		inner = append(inner, s.Items)
	}
	for _, s := range inner {
		if refusal := refuseSchema(s); refusal != "" {
			return refusal
		}
	}
	return ""
}

func refuseGeneration(r wireRequest, generation3 bool) string {
	config := r.GenerationConfig
	if config == nil {
		return ""
	}
	if t := config.ThinkingConfig; t != nil {
		switch {
		case t.ThinkingBudget != nil && t.ThinkingLevel != "":
			return "You can only set only one of thinking budget and thinking level."
		case t.ThinkingLevel != "" && !generation3:
			return "Thinking level is not supported for this model."
		case t.IncludeThoughts && t.ThinkingBudget != nil && *t.ThinkingBudget == 0:
			return "Thinking_config.include_thoughts is only enabled when thinking is enabled."
		}
	}
	switch {
	case len(config.StopSequences) > 5:
		return "stop_sequences: at most 5"
	case config.ResponseSchema != nil && config.ResponseMIMEType != "application/json":
		return "Response schema requires the mime type application/json"
	case config.ResponseMIMEType == "application/json" && len(r.Tools) > 0 && !generation3:
		return "Function calling with a response mime type: 'application/json' is unsupported"
	case config.ResponseSchema != nil:
		return refuseSchema(config.ResponseSchema)
	}
	return ""
}

// TestDoubleRefuses checks that the double refuses what Gemini refuses.
func TestDoubleRefuses(t *testing.T) {
	call := `{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}%s}]}`
	signed := fmt.Sprintf(call, `,"thoughtSignature":"`+placeholder+`"`)
	response := `,{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":1}}}]}`
	for body, want := range map[string]string{
		`{"contents":[` + signed + response + `]}`:                                                     "",
		`{"contents":[` + fmt.Sprintf(call, "") + response + `]}`:                                      "missing a thought_signature",
		`{"contents":[` + fmt.Sprintf(call, `,"thoughtSignature":"AAAA"`) + response + `]}`:            "Thought signature is not valid",
		`{"contents":[` + signed + `]}`:                                                                "function response turn comes",
		`{"contents":[` + signed + strings.Replace(response, `"f"`, `"g"`, 1) + `]}`:                   "does not match",
		`{"contents":[` + signed + `,{"role":"user","parts":[{"text":"b"}]}]}`:                         "number of function response parts",
		`{"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"user","parts":[{"text":"a"}]}]}`: "alternate",
		`{"contents":[{"role":"user","parts":[{"text":""}]}]}`:                                         "empty text",
		`{"contents":[{"role":"user","parts":[]}]}`:                                                    "must not be empty",
		`{"contents":[]}`: "required",
		`{"contents":[{"role":"user","parts":[{"text":"a"}]}],"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"object","properties":{"a":{"const":1}}}}]}]}`: "const",
		`{"contents":[{"role":"user","parts":[{"text":"a"}]}],"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"object"}}]}]}`:                                "non-empty",
		`{"contents":[{"role":"user","parts":[{"text":"a"}]}],"tools":[{"functionDeclarations":[{"name":"f:g"}]}]}`:                                                             "Invalid or duplicate",
		`{"contents":[{"role":"user","parts":[{"text":"a"}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}}`:                                                           "without function_declarations",
		`{"contents":[{"role":"user","parts":[{"text":"a"}]}],"messages":[]}`:                                                                                                   "unknown field",
	} {
		got := refuse("gemini-3-pro", []byte(body), map[string]bool{placeholder: true})
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", body, got, want)
		}
	}
}
