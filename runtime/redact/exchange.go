package redact

import (
	"encoding/json"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/tool"
)

// redactQuestions redacts the questions that a tool's function asks.
func (x *pass) redactQuestions(toolName string, all []tool.Question) (redacted []tool.Question) {
	for i, q := range all {
		pointer := jsontext.Join("/questions", strconv.Itoa(i))
		redacted = append(redacted, tool.Question{
			Kind: q.Kind, From: x.redactToolText(toolName, pointer+"/from", q.From), Text: x.redactToolText(toolName, pointer+"/text", q.Text), Schema: x.redactValue(toolName, pointer+"/schema", q.Schema),
			URL: x.redactToolText(toolName, pointer+"/url", q.URL), MaxTokens: q.MaxTokens,
		})
	}
	return redacted
}

// redactAnswers redacts answers. It omits the IDs of their questions, because the IDs are derived
// from the texts of the questions.
func (x *pass) redactAnswers(toolName string, all []tool.Answer) (redacted []tool.Answer) {
	for i, a := range all {
		value := x.redactValue(toolName, jsontext.Join("/answers", strconv.Itoa(i)), a.Value)
		redacted = append(redacted, tool.Answer{Action: a.Action, Value: value})
	}
	return redacted
}

// redactParts redacts the attachments of a result. It omits the data of media, which cannot be checked.
func (x *pass) redactParts(toolName string, all []content.Part) (redacted []content.Part) {
	for i, p := range all {
		pointer := jsontext.Join("/content", strconv.Itoa(i))
		redacted = append(redacted, content.Part{
			Text: x.redactToolText(toolName, pointer+"/text", p.Text), Media: x.redactLabel(p.Media), URL: x.redactToolText(toolName, pointer+"/url", p.URL),
			Name: x.redactToolText(toolName, pointer+"/name", p.Name), Description: x.redactToolText(toolName, pointer+"/description", p.Description),
		})
	}
	return redacted
}

// redactReplies redacts the metadata that a function returns to its caller.
func (x *pass) redactReplies(toolName string, all map[string]json.RawMessage) map[string]json.RawMessage {
	if all == nil {
		return nil
	}
	redacted := make(map[string]json.RawMessage, len(all))
	for key, value := range all {
		redacted[x.redactLabel(key)] = x.redactValue(toolName, jsontext.Join("/reply", key), value)
	}
	return redacted
}
