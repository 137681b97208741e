package tool

import (
	"encoding/json"
	"fmt"
)

// QuestionKind says who is asked and for what kind of answer.
type QuestionKind string

// The kinds of questions.
const (
	QuestionPerson QuestionKind = "person" // a person: yes or no, or an object with some fields
	QuestionVisit  QuestionKind = "visit"  // a person: go to a URL, for example to log in or to pay
	QuestionModel  QuestionKind = "model"  // the caller's model: a text
	QuestionRoots  QuestionKind = "roots"  // the caller: the folders that are open there
)

// Question is a question to the caller. It can be written to JSON and read back. A question must be identical
// when the call is made again, so it must not contain anything that changes over time.
type Question struct {
	Kind      QuestionKind    `json:"kind"`
	From      string          `json:"from,omitempty"`       // tool and server that ask, for people; empty if the program itself asks
	Name      string          `json:"name,omitempty"`       // see [Question.WithName]
	Text      string          `json:"text,omitempty"`       // for a person or a model
	Schema    json.RawMessage `json:"schema,omitempty"`     // of the object that a person returns; empty for yes or no
	URL       string          `json:"url,omitempty"`        // to visit
	MaxTokens int             `json:"max_tokens,omitempty"` // of the answer of a model, at least 1
}

// AskPerson asks a person. The schema describes a flat object: its properties are strings, numbers, booleans,
// or one or several choices of a list; see [Question.Fields]. Without a schema, the answer is yes or no:
// accepted or declined.
func AskPerson(text string, schema json.RawMessage) Question {
	return Question{Kind: QuestionPerson, Text: text, Schema: schema}
}

// AskVisit asks a person to go to a URL and to do there what the text says. An accepted answer means that the
// person agreed to go, not that the task is done.
func AskVisit(text, url string) Question { return Question{Kind: QuestionVisit, Text: text, URL: url} }

// AskModel asks the caller's model. The answer is a text of at most maxTokens tokens.
func AskModel(prompt string, maxTokens int) Question {
	return Question{Kind: QuestionModel, Text: prompt, MaxTokens: maxTokens}
}

// AskRoots asks for the folders that are open at the caller. The answer is a list of [Root].
func AskRoots() Question { return Question{Kind: QuestionRoots} }

// WithName returns the question with a name, by which programs that answer automatically identify it, for
// example as the key of an MCP input request. The name consists of letters, digits, - and _.
func (q Question) WithName(name string) Question {
	q.Name = name
	return q
}

// Root is a folder or file that is open at the caller.
type Root struct {
	URI  string `json:"uri"`
	Name string `json:"name,omitempty"`
}

// Key returns the question as compact JSON, which identifies it in answers. It is not a digest, so no
// question can be crafted to receive the answer of another one. Callers that need a short key can hash it.
func (q Question) Key() string {
	text, err := json.Marshal(q)
	if err != nil { // the schema is not JSON, so the question is never asked
		return fmt.Sprint(q.Kind, q.From, q.Text, string(q.Schema), q.URL, q.MaxTokens)
	}
	return string(text)
}

// String returns the question as people read it: who asks, the text, and the URL to visit. It is
// never cut, because people should not answer what they do not see.
func (q Question) String() string {
	text := q.Text
	switch q.Kind {
	case QuestionVisit:
		text += " (" + q.URL
		if host := asciiHost(q.URL); host != "" {
			text += ", host " + host
		}
		text += ")"
	case QuestionRoots:
		text = "Which folders are open?"
	}
	return q.askerPrefix() + text
}

// Message returns what people read of a question next to its URL, which is shown separately:
// who asks, and the text. If the host of the URL is not ASCII, and may look like another one,
// the message names it in ASCII.
func (q Question) Message() string {
	text := q.askerPrefix() + q.Text
	if host := asciiHost(q.URL); q.Kind == QuestionVisit && host != "" {
		text += " (the host of the URL is " + host + ")"
	}
	return text
}

// askerPrefix returns who asks, with a colon.
func (q Question) askerPrefix() string {
	if q.From == "" {
		return ""
	}
	return q.From + " asks: "
}

// Limits of questions and answers, in bytes, and of fields.
const (
	longestQuoted       = 1000 // of a text that a message repeats
	longestQuestionName = 64
	longestQuestionText = 64 << 10
	maxQuestionFields   = 100
	maxAnswerSize       = 1 << 20 // of an answer
	maxAnswerDepth      = 64
)

func isInvalidInName(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
}
