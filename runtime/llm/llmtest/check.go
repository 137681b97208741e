package llmtest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// mode is a way to request answers.
type mode struct {
	name      string
	streamed  bool
	pieceSize int // see Double.pieceSize
}

var modes = []mode{{"whole", false, 0}, {"streamed", true, 0}, {"split", true, 7}}

// test is one row of the table.
type test struct {
	name       string
	run        func(*check)
	runLacking func(*check) // run instead for a model that lists the test in Lacks; nil if there is nothing to check
	needsWire  bool         // the test applies only to models with a wire format
	untyped    bool         // the requests do not match the vendor's types, so they are not type-checked
}

// check is one run of a test.
type check struct {
	*testing.T
	provider Provider
	mode     mode
	double   *Double
	model    llm.Model
	measured string // the measured value that the table shows instead of "pass"; may be empty
}

func newCheck(t *testing.T, p Provider, m mode) *check {
	d := newDouble(m.pieceSize)
	return &check{T: t, provider: p, mode: m, double: d, model: p.Model(t, d)}
}

// isDirect reports whether the model has no wire format.
func (c *check) isDirect() bool { return len(c.provider.Targets) == 0 }

// extra returns an additional member of requests that the provider supports.
func (c *check) extra() map[string]json.RawMessage {
	if c.provider.Extra != nil {
		return c.provider.Extra
	}
	return map[string]json.RawMessage{"user": json.RawMessage(`"ada"`)}
}

// effort returns a level of reasoning that the provider supports.
func (c *check) effort() string { return cmp.Or(c.provider.Effort, "low") }

// generate sends a request in the mode of the check. It checks that the model does not change the
// request, and that the chunks of a stream together are the response.
func (c *check) generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	c.Helper()
	before := encodeText(req)
	defer func() {
		if after := encodeText(req); after != before {
			c.Errorf("the model has changed the request from\n%s\nto\n%s", before, after)
		}
	}()
	if !c.mode.streamed {
		response, err := c.model.Generate(ctx, req)
		c.checkErrorType(err)
		return response, err
	}
	return c.stream(ctx, req)
}

// stream streams an answer, and returns its response.
func (c *check) stream(ctx context.Context, req llm.Request) (response llm.Response, err error) {
	c.Helper()
	var text, reasoning strings.Builder
	complete := false
	for chunk, err := range llm.Stream(ctx, c.model, req) {
		if complete {
			c.Errorf("after the response, the stream yields %+v, %v", chunk, err)
		}
		if err != nil {
			c.checkErrorType(err)
			if chunk.Text != "" || chunk.Reasoning != "" || chunk.Response != nil {
				c.Errorf("an error comes with the chunk %+v", chunk)
			}
			return llm.Response{}, err
		}
		text.WriteString(chunk.Text)
		reasoning.WriteString(chunk.Reasoning)
		if chunk.Response != nil {
			response, complete = *chunk.Response, true
		}
	}
	if !complete {
		c.Error("the stream ends without a response and without an error")
	}
	if text.String() != response.Text || reasoning.String() != response.Reasoning {
		c.Errorf("the chunks form the text %q with the reasoning %q, the response has %q with %q", text.String(), reasoning.String(), response.Text, response.Reasoning)
	}
	return response, nil
}

// checkErrorType checks that an error is an [*llm.Error].
func (c *check) checkErrorType(err error) {
	c.Helper()
	if _, ok := errors.AsType[*llm.Error](err); err != nil && !ok {
		c.Errorf("the error %v is a %T, want an *llm.Error", err, err)
	}
}

// mustGenerate scripts the answers and sends a request, which must succeed.
func (c *check) mustGenerate(req llm.Request, answers ...Answer) llm.Response {
	c.Helper()
	c.double.script(answers...)
	response, err := c.generate(c.Context(), req)
	if err != nil {
		c.Fatal(err)
	}
	return response
}

// mustFail scripts an answer and sends a request, which must fail with an error of one of the kinds.
func (c *check) mustFail(req llm.Request, a Answer, kinds ...string) *llm.Error {
	c.Helper()
	c.double.script(a)
	response, err := c.generate(c.Context(), req)
	e, ok := errors.AsType[*llm.Error](err)
	if !ok {
		c.Fatalf("the model returns %+v, %v, want an error of the kind %s", response, err, strings.Join(kinds, " or "))
	}
	if !slices.Contains(kinds, e.Kind) {
		c.Errorf("the error is %q, want one of the kind %s", err, strings.Join(kinds, " or "))
	}
	return e
}

// mustRefuse passes a request to the model, which must return an error without sending the request.
func (c *check) mustRefuse(req llm.Request) {
	c.Helper()
	response, err := c.generate(c.Context(), req)
	if e, ok := errors.AsType[*llm.Error](err); !ok || e.Kind != llm.BadRequest || e.Status != 0 {
		c.Errorf("the model returns %+v, %v, want an error of the kind %s", response, err, llm.BadRequest)
	}
	if sent := c.double.Requests(); len(sent) > 0 {
		c.Errorf("the model sent %s", sent[0])
	}
}

// lastRequest returns the last request that the double received.
func (c *check) lastRequest() Request {
	c.Helper()
	all := c.double.Requests()
	if len(all) == 0 {
		c.Fatal("the double received no request")
	}
	last := all[len(all)-1]
	if last.Streamed != c.mode.streamed && !c.isDirect() {
		c.Errorf("the request is streamed: %t, want %t", last.Streamed, c.mode.streamed)
	}
	return last
}

// checkResponse compares two responses. It ignores provider data.
func (c *check) checkResponse(got, want llm.Response) {
	c.Helper()
	got.Provider, want.Provider = nil, nil
	got.Calls, want.Calls = canonicalCalls(got.Calls), canonicalCalls(want.Calls)
	if g, w := encodeText(got), encodeText(want); g != w {
		c.Errorf("the response is\n%s\nwant\n%s", g, w)
	}
}

// canonicalCalls returns calls with canonical arguments.
func canonicalCalls(calls []tool.Request) (all []tool.Request) {
	for _, call := range calls {
		call.Arguments = json.RawMessage(canonicalJSON(string(call.Arguments)))
		all = append(all, call)
	}
	return all
}

// encodeText returns the JSON of a value.
func encodeText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // only values that can be encoded are passed
	}
	return string(text)
}

// canonicalJSON returns JSON without white space and with sorted members. It does not change numbers, or
// a text that is not JSON.
func canonicalJSON(text string) string {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil || decoder.More() {
		return text
	}
	return encodeText(v)
}

// checkDialogue checks that the double has decoded a request to a dialogue with these lines; see
// dialogueLines.
func (c *check) checkDialogue(got Request, want ...string) {
	c.Helper()
	if lines := dialogueLines(got.Request); !slices.Equal(lines, want) {
		c.Errorf("the provider understands\n%s\nwant\n%s\nfrom %s", strings.Join(lines, "\n"), strings.Join(want, "\n"), got)
	}
}

// dialogueLines describes a dialogue, with one line for each text, part, call and result. It numbers
// calls and results, because a model may replace their IDs.
func dialogueLines(req llm.Request) (lines []string) {
	add := func(format string, values ...any) { lines = append(lines, fmt.Sprintf(format, values...)) }
	numbers, count := map[string]int{}, 0
	for _, m := range req.Dialogue() {
		if m.Role == llm.RoleTool {
			add("result %d: %s", numbers[m.Result.ID], canonicalJSON(cmp.Or(m.Text, m.Content())))
			continue
		}
		if m.Text != "" {
			add("%s: %s", m.Role, m.Text)
		}
		for _, p := range m.Parts {
			switch {
			case p.Text != "" || p.Media == "":
				add("%s: %s", m.Role, p.String())
			case len(p.Data) > 0:
				add("%s: %s with %q", m.Role, p.Media, p.Data)
			default:
				add("%s: %s at %s", m.Role, p.Medium(), p.URL)
			}
		}
		for _, call := range m.Calls {
			count++
			numbers[call.ID] = count
			add("call %d: %s(%s)", count, call.Name, canonicalJSON(string(call.Arguments)))
		}
	}
	return lines
}

// wireTool returns the lowered form of the tool want that equals got, the tool that the double received.
// It tries all targets of the provider, and fails the test if no form equals got.
func (c *check) wireTool(got tool.Definition, want tool.Definition) *schema.Lowered {
	c.Helper()
	for _, target := range c.provider.Targets {
		lowered, err := schema.Lower(target, want)
		if err != nil {
			c.Fatal(err)
		}
		if got.Name == lowered.Name && got.Description == lowered.Description && sameSchema(got.Input, lowered.Input) {
			return lowered
		}
	}
	if c.isDirect() && encodeText(got) == encodeText(want) {
		return &schema.Lowered{Definition: want}
	}
	c.Fatalf("the provider knows the tool\n%s\nas\n%s\nwhich is not its form for %v", encodeText(want), encodeText(got), c.provider.Targets)
	return nil
}

// sameSchema reports whether two schemas are equal. The order of members is significant, because
// models write arguments in that order.
func sameSchema(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	if json.Compact(&x, a) != nil || json.Compact(&y, b) != nil {
		return len(a) == 0 && len(b) == 0
	}
	return x.String() == y.String()
}

// encodeArguments converts arguments to the form in which a model writes them for a lowered tool.
func (c *check) encodeArguments(l *schema.Lowered, arguments string) json.RawMessage {
	c.Helper()
	if l.Target == "" {
		return json.RawMessage(arguments)
	}
	encoded, err := l.Encode(json.RawMessage(arguments))
	if err != nil {
		c.Fatal(err)
	}
	return encoded
}
