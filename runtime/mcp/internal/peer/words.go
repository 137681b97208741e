package peer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/ask"
)

// nameOf returns the name by which a client answers a question that comes with a result.
func nameOf(q ask.Question) string { return cmp.Or(q.Name, digest(q)) }

// digest is a short form of the key of a question.
func digest(q ask.Question) string {
	sum := sha256.Sum256([]byte(q.Key()))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

// inWords returns a question as the protocol has it.
func inWords(q ask.Question) sdk.InputRequest {
	switch q.Kind {
	case ask.KindVisit:
		return visit(q)
	case ask.KindModel:
		return message(q)
	case ask.KindRoots:
		return new(sdk.ListRootsParams)
	}
	return form(q)
}

func form(q ask.Question) *sdk.ElicitParams {
	schema := q.Schema
	if len(schema) == 0 {
		schema = json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return &sdk.ElicitParams{Mode: "form", Message: q.Message(), RequestedSchema: schema}
}

func visit(q ask.Question) *sdk.ElicitParams {
	return &sdk.ElicitParams{Mode: "url", Message: q.Message(), URL: q.URL, ElicitationID: digest(q)}
}

func message(q ask.Question) *sdk.CreateMessageParams {
	return &sdk.CreateMessageParams{
		Messages:  []*sdk.SamplingMessage{{Role: "user", Content: &sdk.TextContent{Text: q.Text}}},
		MaxTokens: int64(q.MaxTokens),
	}
}

// can returns a [lacking] if a client does not say that it can be asked such a question.
func (r *Request) can(q ask.Question) error {
	c := r.Can
	if c == nil {
		c = new(sdk.ClientCapabilities)
	}
	switch person := c.Elicitation; q.Kind {
	case ask.KindModel:
		if c.Sampling == nil {
			return &lacking{"model to ask (sampling)", &sdk.ClientCapabilities{Sampling: new(sdk.SamplingCapabilities)}}
		}
	case ask.KindRoots:
		if c.RootsV2 == nil {
			return &lacking{"roots to list", &sdk.ClientCapabilities{RootsV2: new(sdk.RootCapabilities)}}
		}
	case ask.KindVisit:
		if person == nil || person.URL == nil {
			return &lacking{"person to send to a URL (elicitation.url)", &sdk.ClientCapabilities{Elicitation: &sdk.ElicitationCapabilities{URL: new(sdk.URLElicitationCapabilities)}}}
		}
	default:
		if person == nil || person.Form == nil && person.URL != nil { // without either, it is a form
			return &lacking{"person to ask (elicitation)", &sdk.ClientCapabilities{Elicitation: new(sdk.ElicitationCapabilities)}}
		}
	}
	return nil
}

// ask asks a client in a session.
func (r *Request) ask(ctx context.Context, q ask.Question) (ask.Answer, error) {
	var response sdk.InputResponse
	var err error
	switch asked := inWords(q).(type) {
	case *sdk.ElicitParams:
		response, err = r.Session.Elicit(ctx, asked)
	case *sdk.CreateMessageParams:
		response, err = r.Session.CreateMessage(ctx, asked)
	case *sdk.ListRootsParams:
		response, err = r.Session.ListRoots(ctx, asked)
	}
	if err != nil {
		return ask.Answer{}, err
	}
	return answer(q, response)
}

// answer returns the answer to a question that a response is; an error, if it is none.
func answer(q ask.Question, response sdk.InputResponse) (ask.Answer, error) {
	_, ofPerson := response.(*sdk.ElicitResult)
	if ofPerson != (q.Kind == ask.KindPerson || q.Kind == ask.KindVisit) {
		return ask.Answer{}, errors.New("it is one to another kind of question")
	}
	a := q.Accept(nil)
	var err error
	switch r := response.(type) {
	case *sdk.ElicitResult:
		a.Action = ask.Action(r.Action)
		if a.Accepted() && len(q.Schema) > 0 {
			a.Value, err = json.Marshal(filled(q, r.Content))
		}
	case *sdk.CreateMessageResult:
		a.Value, err = textOf([]sdk.Content{r.Content})
	case *sdk.CreateMessageWithToolsResult:
		a.Value, err = textOf(r.Content)
	case *sdk.ListRootsResult:
		roots := []ask.Root{}
		for _, root := range r.Roots {
			roots = append(roots, ask.Root{URI: root.URI, Name: root.Name})
		}
		a.Value, err = json.Marshal(roots)
	}
	if err != nil {
		return ask.Answer{}, err
	}
	return a, q.Check(a)
}

// filled returns what a person filled in, with the defaults of what was left out: not all
// clients fill these in themselves.
func filled(q ask.Question, content map[string]any) map[string]any {
	all := map[string]any{}
	fields, _ := q.Fields() // what has none is not asked
	for _, f := range fields {
		if f.Default != nil {
			all[f.Name] = f.Default
		}
	}
	maps.Copy(all, content)
	return all
}

// textOf returns the text that a model wrote, as JSON.
func textOf(content []sdk.Content) (json.RawMessage, error) {
	var all []string
	for _, c := range content {
		t, ok := c.(*sdk.TextContent)
		if !ok {
			return nil, fmt.Errorf("expected texts, found %T", c)
		}
		all = append(all, t.Text)
	}
	return json.Marshal(strings.Join(all, "\n"))
}
