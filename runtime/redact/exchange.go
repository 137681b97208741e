package redact

import (
	"encoding/json"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/content"
)

// questions redacts what the function of a tool asks.
func (x *pass) questions(name string, all []ask.Question) (told []ask.Question) {
	for i, q := range all {
		at := jsontext.Join("/questions", strconv.Itoa(i))
		told = append(told, ask.Question{
			Kind: q.Kind, From: x.remark(name, at+"/from", q.From), Text: x.remark(name, at+"/text", q.Text), Schema: x.value(name, at+"/schema", q.Schema),
			URL: x.remark(name, at+"/url", q.URL), MaxTokens: q.MaxTokens,
		})
	}
	return told
}

// answers redacts what was answered. Which question each is of is not told: that is made
// of its words.
func (x *pass) answers(name string, all []ask.Answer) (told []ask.Answer) {
	for i, a := range all {
		value := x.value(name, jsontext.Join("/answers", strconv.Itoa(i)), a.Value)
		told = append(told, ask.Answer{Action: a.Action, Value: value})
	}
	return told
}

// attached redacts what is attached to a result. Media are withheld, for nobody reads
// them here.
func (x *pass) attached(name string, all []content.Part) (told []content.Part) {
	for i, p := range all {
		at := jsontext.Join("/content", strconv.Itoa(i))
		told = append(told, content.Part{
			Text: x.remark(name, at+"/text", p.Text), Media: x.label(p.Media), URL: x.remark(name, at+"/url", p.URL),
			Name: x.remark(name, at+"/name", p.Name), Description: x.remark(name, at+"/description", p.Description),
		})
	}
	return told
}

// replied redacts what a function replied to who called.
func (x *pass) replied(name string, all map[string]json.RawMessage) map[string]json.RawMessage {
	if all == nil {
		return nil
	}
	told := make(map[string]json.RawMessage, len(all))
	for key, value := range all {
		told[x.label(key)] = x.value(name, jsontext.Join("/reply", key), value)
	}
	return told
}
