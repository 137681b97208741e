package desk

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/tool"
)

// describeField describes a field of a question to a person.
func describeField(f tool.QuestionField) string {
	text := cmp.Or(f.Title, f.Name)
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
	return safeLine(text)
}

// parseValue converts the text that a person has typed to a value of a field. If the text does not fit the type of the
// field, parseValue returns a string.
func parseValue(f tool.QuestionField, text string) json.RawMessage {
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
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err) // cannot fail for strings
	}
	return encoded
}

var (
	yesses = []string{"y", "yes", "true"}
	noes   = []string{"n", "no", "false"}
)

// parseAnswer parses the answer to a question: yes or no, an object, or the value of the only field.
func parseAnswer(q tool.Question, text string) (tool.Answer, error) {
	fields, err := q.Fields()
	if err != nil {
		return tool.Answer{}, err
	}
	a := q.Cancel()
	switch word := strings.ToLower(text); {
	case word == "":
	case slices.Contains(noes, word) && !isValue(fields, text):
		a = q.Decline()
	case len(fields) == 0 && slices.Contains(yesses, word):
		a = q.Accept(nil)
	case len(fields) == 0:
		return a, fmt.Errorf("answer yes or no, not %q", text)
	case strings.HasPrefix(text, "{") || len(fields) > 1:
		a = q.Accept(json.RawMessage(text))
	default:
		value, err := json.Marshal(map[string]json.RawMessage{fields[0].Name: parseValue(fields[0], text)})
		if err != nil {
			return a, err
		}
		a = q.Accept(value)
	}
	return a, q.Check(a)
}

// isValue reports whether a text such as "no" is a value of the only field. Then it does not decline the question; a
// person can deny the call instead.
func isValue(fields []tool.QuestionField, text string) bool {
	return len(fields) == 1 && (fields[0].Type == "boolean" ||
		slices.ContainsFunc(fields[0].Choices, func(c tool.QuestionChoice) bool { return c.Value == text }))
}

// formatQuestions returns all questions of a call as text.
func formatQuestions(questions []tool.Question) string {
	var texts []string
	for _, q := range questions {
		texts = append(texts, safeWhole(q.String()))
	}
	return strings.Join(texts, "; ")
}

// parseAnswers parses the answers to all questions of a call: for several questions a JSON list with a string, an
// object, true or false for each.
func parseAnswers(questions []tool.Question, text string) (all []tool.Answer, err error) {
	texts := []string{text}
	if len(questions) != 1 {
		var values []json.RawMessage
		if err := json.Unmarshal([]byte(text), &values); err != nil || len(values) != len(questions) {
			return nil, fmt.Errorf("there are %d questions: answer with a JSON list, such as [true, {…}]", len(questions))
		}
		texts = nil
		for _, v := range values {
			var answer string
			if json.Unmarshal(v, &answer) != nil {
				answer = string(v)
			}
			texts = append(texts, answer)
		}
	}
	for i, q := range questions {
		a, err := parseAnswer(q, texts[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q, err)
		}
		all = append(all, a)
	}
	return all, nil
}
