// Package ask has what a tool may ask while it runs, a [Question], and what comes back,
// an [Answer]. A question is one to a person, to the model of who called, or for the
// folders that are open there. What asks is Exchange of package tool.
//
// A program that asks a person shows [Question.String], or [Question.Message] next to a URL.
// Both begin with From: a question of a remote server must not look like one of the program.
package ask

import (
	"encoding/json"
	"fmt"
)

// Kind is who is asked for what.
type Kind string

// The kinds of questions.
const (
	KindPerson Kind = "person" // a person, for yes or no or for an object of some fields
	KindVisit  Kind = "visit"  // a person, to do something at a URL: to log in, to pay
	KindModel  Kind = "model"  // the model of who called, for a text
	KindRoots  Kind = "roots"  // who called, for the folders that are open there
)

// Question is what is asked. It survives JSON. A question must be the same when its call
// is made again, so what it says must not change from one moment to the next.
type Question struct {
	Kind      Kind            `json:"kind"`
	From      string          `json:"from,omitempty"`       // who asks, if that is not the program itself: tool and server, for people
	Name      string          `json:"name,omitempty"`       // see [Question.As]
	Text      string          `json:"text,omitempty"`       // what a person or a model reads
	Schema    json.RawMessage `json:"schema,omitempty"`     // of the object that a person answers; none is yes or no
	URL       string          `json:"url,omitempty"`        // to visit
	MaxTokens int             `json:"max_tokens,omitempty"` // of the answer of a model, at least 1
}

// Person asks a person. The schema is one of a flat object: its properties are strings,
// numbers, booleans, or one or several of a list of choices; see [Question.Fields].
// Without one, the answer is yes or no: it is accepted or not.
func Person(text string, schema json.RawMessage) Question {
	return Question{Kind: KindPerson, Text: text, Schema: schema}
}

// Visit asks a person to go to a URL and do there what the text says. That the answer
// is accepted means that the person agreed to go, not what came of it.
func Visit(text, url string) Question { return Question{Kind: KindVisit, Text: text, URL: url} }

// Model asks the model of who called; its answer is a text of at most so many tokens.
func Model(prompt string, maxTokens int) Question {
	return Question{Kind: KindModel, Text: prompt, MaxTokens: maxTokens}
}

// Roots asks for the folders that are open where the call came from: the answer is a
// list of [Root].
func Roots() Question { return Question{Kind: KindRoots} }

// As returns the question with a name, by which programs know it that answer without
// reading it, as the key of an MCP input request. It is of letters, digits, - and _.
func (q Question) As(name string) Question {
	q.Name = name
	return q
}

// Root is a folder or file that is open where a call came from.
type Root struct {
	URI  string `json:"uri"`
	Name string `json:"name,omitempty"`
}

// Key returns the question as compact JSON, by which answers know it. It is no digest, so
// that no question can be made that has the answer of another; who needs a short one
// makes that of it.
func (q Question) Key() string {
	text, err := json.Marshal(q)
	if err != nil { // a schema that is no JSON, which nobody is asked
		return fmt.Sprint(q.Kind, q.From, q.Text, string(q.Schema), q.URL, q.MaxTokens)
	}
	return string(text)
}

// String returns the question as people read it: who asks, the text, and the URL to visit. It is
// never cut, because people should not answer what they do not see.
func (q Question) String() string {
	text := q.Text
	switch q.Kind {
	case KindVisit:
		text += " (" + q.URL
		if host := asciiHost(q.URL); host != "" {
			text += ", host " + host
		}
		text += ")"
	case KindRoots:
		text = "Which folders are open?"
	}
	return q.prefix() + text
}

// Message returns what people read of a question next to its URL, which is shown separately:
// who asks, and the text. If the host of the URL is not ASCII, and may look like another one,
// the message names it in ASCII.
func (q Question) Message() string {
	text := q.prefix() + q.Text
	if host := asciiHost(q.URL); q.Kind == KindVisit && host != "" {
		text += " (the host of the URL is " + host + ")"
	}
	return text
}

// prefix says who asks.
func (q Question) prefix() string {
	if q.From == "" {
		return ""
	}
	return q.From + " asks: "
}

// Bounds of what is asked and answered, in bytes, and of fields.
const (
	longest     = 1000 // of a text that is told again
	longestName = 64
	longestText = 64 << 10
	mostFields  = 100
	largest     = 1 << 20 // of an answer
	deepest     = 64
)

func notInName(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
}
