package redact

import (
	"encoding/json"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/tool"
)

// redactQuestions redacts the questions of a tool's function.
func (x *pass) redactQuestions(name string, all []tool.Question) (redacted []tool.Question) {
	for i, q := range all {
		at := jsontext.Join("/questions", strconv.Itoa(i))
		redacted = append(redacted, tool.Question{
			Kind: q.Kind, From: x.redactRemark(name, at+"/from", q.From), Text: x.redactRemark(name, at+"/text", q.Text), Schema: x.redactValue(name, at+"/schema", q.Schema),
			URL: x.redactRemark(name, at+"/url", q.URL), MaxTokens: q.MaxTokens,
		})
	}
	return redacted
}

// redactAnswers redacts answers. The IDs of their questions are omitted, because they are derived
// from the texts of the questions.
func (x *pass) redactAnswers(name string, all []tool.Answer) (redacted []tool.Answer) {
	for i, a := range all {
		value := x.redactValue(name, jsontext.Join("/answers", strconv.Itoa(i)), a.Value)
		redacted = append(redacted, tool.Answer{Action: a.Action, Value: value})
	}
	return redacted
}

// redactParts redacts the attachments of a result. Media are withheld, because their content
// cannot be checked.
func (x *pass) redactParts(name string, all []content.Part) (redacted []content.Part) {
	for i, p := range all {
		at := jsontext.Join("/content", strconv.Itoa(i))
		redacted = append(redacted, content.Part{
			Text: x.redactRemark(name, at+"/text", p.Text), Media: x.redactLabel(p.Media), URL: x.redactRemark(name, at+"/url", p.URL),
			Name: x.redactRemark(name, at+"/name", p.Name), Description: x.redactRemark(name, at+"/description", p.Description),
		})
	}
	return redacted
}

// redactReplies redacts the replies of a function to its caller.
func (x *pass) redactReplies(name string, all map[string]json.RawMessage) map[string]json.RawMessage {
	if all == nil {
		return nil
	}
	redacted := make(map[string]json.RawMessage, len(all))
	for key, value := range all {
		redacted[x.redactLabel(key)] = x.redactValue(name, jsontext.Join("/reply", key), value)
	}
	return redacted
}
