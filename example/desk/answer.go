package desk

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/ask"
)

// describe says what a person is asked for.
func describe(f ask.Field) string {
	text := f.Name
	if f.Title != "" {
		text = f.Title
	}
	if f.Description != "" {
		text += ", " + f.Description
	}
	var hints []string
	for _, c := range f.Choices {
		hints = append(hints, c.Value)
	}
	if f.Type == "boolean" {
		hints = []string{"y", "n"}
	}
	if f.Default != nil {
		hints = append(hints, "else "+string(f.Default))
	}
	if len(hints) > 0 {
		text += " [" + strings.Join(hints, ", ") + "]"
	}
	return line(text)
}

// valueOf returns what somebody typed as a value of a field; what is none of its type as a
// text.
func valueOf(f ask.Field, text string) json.RawMessage {
	var value any = text
	switch f.Type {
	case "number", "integer":
		if json.Valid([]byte(text)) {
			return json.RawMessage(text)
		}
	case "boolean":
		if yes, no := slices.Contains(yesses, strings.ToLower(text)), slices.Contains(noes, strings.ToLower(text)); yes || no {
			value = yes
		}
	case "array":
		all := []string{}
		for part := range strings.SplitSeq(text, ",") {
			all = append(all, strings.TrimSpace(part))
		}
		value = all
	}
	written, err := json.Marshal(value)
	if err != nil {
		panic(err) // it is of texts
	}
	return written
}

var (
	yesses = []string{"y", "yes", "true"}
	noes   = []string{"n", "no", "false"}
)

// answerOf returns what somebody wrote as the answer to a question: yes or no, an object,
// or the value of the only field.
func answerOf(q ask.Question, text string) (ask.Answer, error) {
	fields, err := q.Fields()
	if err != nil {
		return ask.Answer{}, err
	}
	a := q.Cancel()
	switch word := strings.ToLower(text); {
	case word == "":
	case slices.Contains(noes, word) && !isValue(fields, text):
		a = q.Decline()
	case len(fields) == 0 && slices.Contains(yesses, word):
		a = q.Accept(nil)
	case len(fields) == 0:
		return a, fmt.Errorf("%q is neither yes nor no", text)
	case strings.HasPrefix(text, "{") || len(fields) > 1:
		a = q.Accept(json.RawMessage(text))
	default:
		value, err := json.Marshal(map[string]json.RawMessage{fields[0].Name: valueOf(fields[0], text)})
		if err != nil {
			return a, err
		}
		a = q.Accept(value)
	}
	return a, q.Check(a)
}

// isValue reports whether a text that may mean no is a value of the only field: a question
// for that is declined by denying the call.
func isValue(fields []ask.Field, text string) bool {
	return len(fields) == 1 && (fields[0].Type == "boolean" ||
		slices.ContainsFunc(fields[0].Choices, func(c ask.Choice) bool { return c.Value == text }))
}

// asksOf says all that a call asks.
func asksOf(questions []ask.Question) string {
	var texts []string
	for _, q := range questions {
		texts = append(texts, whole(q.String()))
	}
	return strings.Join(texts, "; ")
}

// answersOf returns what somebody wrote as the answers to all that a call asks: to several
// questions, a list of JSON, a text or an object or true or false for each.
func answersOf(questions []ask.Question, text string) (all []ask.Answer, err error) {
	texts := []string{text}
	if len(questions) != 1 {
		var values []json.RawMessage
		if err := json.Unmarshal([]byte(text), &values); err != nil || len(values) != len(questions) {
			return nil, fmt.Errorf("there are %d questions: answer with a list of JSON, such as [true, {…}]", len(questions))
		}
		texts = nil
		for _, v := range values {
			var said string
			if json.Unmarshal(v, &said) != nil {
				said = string(v)
			}
			texts = append(texts, said)
		}
	}
	for i, q := range questions {
		a, err := answerOf(q, texts[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q, err)
		}
		all = append(all, a)
	}
	return all, nil
}
