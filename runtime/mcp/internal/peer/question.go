package peer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/rpc"
	"github.com/aiongen/aiongen/runtime/tool"
)

// questionName returns the name of a question in a result. The client sends its answer under the same
// name.
func questionName(q tool.Question) string { return cmp.Or(q.Name, questionDigest(q)) }

// questionDigest returns a short hash of the key of a question.
func questionDigest(q tool.Question) string {
	sum := sha256.Sum256([]byte(q.Key()))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

// encodeQuestion converts a question to the protocol's form.
func encodeQuestion(q tool.Question) sdk.InputRequest {
	switch q.Kind {
	case tool.QuestionVisit:
		return &sdk.ElicitParams{Mode: "url", Message: q.Message(), URL: q.URL, ElicitationID: questionDigest(q)}
	case tool.QuestionModel:
		return &sdk.CreateMessageParams{
			Messages:  []*sdk.SamplingMessage{{Role: "user", Content: &sdk.TextContent{Text: q.Text}}},
			MaxTokens: int64(q.MaxTokens),
		}
	case tool.QuestionRoots:
		return new(sdk.ListRootsParams)
	}
	schema := q.Schema
	if len(schema) == 0 {
		schema = json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return &sdk.ElicitParams{Mode: "form", Message: q.Message(), RequestedSchema: schema}
}

// checkCapability returns a [missingCapability] if the client does not declare support for
// this kind of question.
func (r *Request) checkCapability(q tool.Question) error {
	c := r.Capabilities
	if c == nil {
		c = new(sdk.ClientCapabilities)
	}
	switch elicitation := c.Elicitation; q.Kind {
	case tool.QuestionModel:
		if c.Sampling == nil {
			return &missingCapability{"model to ask (sampling)", &sdk.ClientCapabilities{Sampling: new(sdk.SamplingCapabilities)}}
		}
	case tool.QuestionRoots:
		if c.RootsV2 == nil {
			return &missingCapability{"roots to list", &sdk.ClientCapabilities{RootsV2: new(sdk.RootCapabilities)}}
		}
	case tool.QuestionVisit:
		if elicitation == nil || elicitation.URL == nil {
			return &missingCapability{"person to send to a URL (elicitation.url)", &sdk.ClientCapabilities{Elicitation: &sdk.ElicitationCapabilities{URL: new(sdk.URLElicitationCapabilities)}}}
		}
	default:
		if elicitation == nil || elicitation.Form == nil && elicitation.URL != nil { // a client that declares neither supports forms
			return &missingCapability{"person to ask (elicitation)", &sdk.ClientCapabilities{Elicitation: new(sdk.ElicitationCapabilities)}}
		}
	}
	return nil
}

// askInSession asks the client of a session a question and returns the checked answer.
func askInSession(ctx context.Context, session *sdk.ServerSession, q tool.Question) (tool.Answer, error) {
	var response sdk.InputResponse
	var err error
	switch params := encodeQuestion(q).(type) {
	case *sdk.ElicitParams:
		response, err = session.Elicit(ctx, params)
	case *sdk.CreateMessageParams:
		response, err = session.CreateMessage(ctx, params)
	case *sdk.ListRootsParams:
		response, err = session.ListRoots(ctx, params)
	}
	if typeErr := new(json.UnmarshalTypeError); errors.As(err, &typeErr) { // its text names Go types
		err = rpc.DescribeJSONError("the answer", typeErr)
	}
	if err != nil {
		return tool.Answer{}, err
	}
	return decodeAnswer(q, response)
}

// decodeAnswer converts a response of the client to the answer to a question, and checks it.
func decodeAnswer(q tool.Question, response sdk.InputResponse) (tool.Answer, error) {
	_, fromPerson := response.(*sdk.ElicitResult)
	if fromPerson != (q.Kind == tool.QuestionPerson || q.Kind == tool.QuestionVisit) {
		return tool.Answer{}, errors.New("the question is of another kind")
	}
	a := q.Accept(nil)
	var err error
	switch r := response.(type) {
	case *sdk.ElicitResult:
		a.Action = tool.AnswerAction(r.Action)
		if a.Accepted() && len(q.Schema) > 0 {
			a.Value, err = json.Marshal(fillDefaults(q, r.Content))
		}
	case *sdk.CreateMessageResult:
		a.Value, err = joinTexts([]sdk.Content{r.Content})
	case *sdk.CreateMessageWithToolsResult:
		a.Value, err = joinTexts(r.Content)
	case *sdk.ListRootsResult:
		roots := []tool.Root{}
		for _, root := range r.Roots {
			roots = append(roots, tool.Root{URI: root.URI, Name: root.Name})
		}
		a.Value, err = json.Marshal(roots)
	}
	if err != nil {
		return tool.Answer{}, err
	}
	return a, q.Check(a)
}

// fillDefaults returns the content of a form with the default values of missing fields, because not
// all clients fill them in.
func fillDefaults(q tool.Question, content map[string]any) map[string]any {
	all := map[string]any{}
	fields, _ := q.Fields() // a question with an invalid schema is never asked
	for _, f := range fields {
		if f.Default != nil {
			all[f.Name] = f.Default
		}
	}
	maps.Copy(all, content)
	return all
}

// joinTexts joins the texts that a model returned, and encodes them as a JSON string.
func joinTexts(content []sdk.Content) (json.RawMessage, error) {
	var all []string
	for _, c := range content {
		t, ok := c.(*sdk.TextContent)
		if !ok {
			return nil, errors.New("expected only text content from the model")
		}
		all = append(all, t.Text)
	}
	return json.Marshal(strings.Join(all, "\n"))
}
