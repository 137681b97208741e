package tool

import (
	"encoding/json"
	"fmt"
)

// QuestionKind says who answers a question, and with what.
type QuestionKind string

// The kinds of questions.
const (
	QuestionPerson QuestionKind = "person" // a person answers yes or no, or fills in fields
	QuestionVisit  QuestionKind = "visit"  // a person goes to a URL, for example to log in or to pay
	QuestionModel  QuestionKind = "model"  // the caller's model answers with a text
	QuestionRoots  QuestionKind = "roots"  // the caller lists the folders that are open there
)

// Question is a question to the caller. It can be written to JSON and read back. When a call is repeated, it must
// ask identical questions, so a question must not contain anything that changes over time.
type Question struct {
	Kind      QuestionKind    `json:"kind"`
	From      string          `json:"from,omitempty"`       // tool and server that ask, for people; empty if the program itself asks
	Name      string          `json:"name,omitempty"`       // see [Question.WithName]
	Text      string          `json:"text,omitempty"`       // for a person or a model
	Schema    json.RawMessage `json:"schema,omitempty"`     // schema of the object that a person fills in; empty for yes or no
	URL       string          `json:"url,omitempty"`        // to visit
	MaxTokens int             `json:"max_tokens,omitempty"` // limit for the answer of a model, at least 1
}

// AskPerson returns a question to a person. The schema describes a flat object: its properties are strings,
// numbers, booleans, or one or several choices from a list; see [Question.Fields]. Without a schema, the person
// answers yes or no by accepting or declining.
func AskPerson(text string, schema json.RawMessage) Question {
	return Question{Kind: QuestionPerson, Text: text, Schema: schema}
}

// AskVisit returns a question that asks a person to go to a URL and to do there what the text says. An accepted
// answer means that the person agreed to go, not that the task is done.
func AskVisit(text, url string) Question { return Question{Kind: QuestionVisit, Text: text, URL: url} }

// AskModel returns a question to the caller's model. The answer is a text of at most maxTokens tokens.
func AskModel(prompt string, maxTokens int) Question {
	return Question{Kind: QuestionModel, Text: prompt, MaxTokens: maxTokens}
}

// AskRoots returns a question for the folders that are open at the caller. The answer is a list of [Root].
func AskRoots() Question { return Question{Kind: QuestionRoots} }

// WithName returns the question with a name, by which programs recognize it, for example as the key of an MCP input
// request. The name consists of letters, digits, - and _.
func (q Question) WithName(name string) Question {
	q.Name = name
	return q
}

// Root is a folder or file that is open at the caller.
type Root struct {
	URI  string `json:"uri"`
	Name string `json:"name,omitempty"`
}

// Key returns the question as compact JSON. Answers refer to their question by this key. It is not a hash, so that
// nobody can construct a question with the key of another one. Callers that need a short key can hash it.
func (q Question) Key() string {
	text, err := json.Marshal(q)
	if err != nil { // the schema is not JSON, so the question is never asked
		return fmt.Sprint(q.Kind, q.From, q.Text, string(q.Schema), q.URL, q.MaxTokens)
	}
	return string(text)
}

// String returns the question for people: who asks, the text, and the URL to visit. It never cuts
// the question, because people must not answer a question that they cannot see completely.
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

// Message returns the question for people without its URL, for programs that show the URL
// separately. A host with characters outside of ASCII may look like another host, so the message
// then states the host of the URL in ASCII.
func (q Question) Message() string {
	text := q.askerPrefix() + q.Text
	if host := asciiHost(q.URL); q.Kind == QuestionVisit && host != "" {
		text += " (the host of the URL is " + host + ")"
	}
	return text
}

// askerPrefix returns the beginning of a question that names the asker, such as "books asks: ".
func (q Question) askerPrefix() string {
	if q.From == "" {
		return ""
	}
	return q.From + " asks: "
}

// Limits of questions and answers. Lengths and sizes are in bytes.
const (
	longestQuoted       = 1000 // part of an invalid question or answer that an error quotes
	longestQuestionName = 64
	longestQuestionText = 64 << 10 // all texts of a question together
	maxQuestionFields   = 100
	maxAnswerSize       = 1 << 20
	maxAnswerDepth      = 64
)
