// Package task defines the kinds of runs of package orchestrator, and their input: the task in the journal of
// a plan or a conversation.
package task

import (
	"encoding/json"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/plan"
)

// Kinds of runs.
const (
	Plan         = "plan"
	Conversation = "conversation"
)

// Task is the input of a run.
type Task struct {
	Request  string            `json:"request,omitempty"`
	Messages []llm.Message     `json:"messages,omitempty"` // with which a conversation begins, before the request
	Plan     *plan.Plan        `json:"plan,omitempty"`     // nil lets the model make one
	Answer   json.RawMessage   `json:"answer,omitempty"`   // JSON Schema of the answer; nil is a text
	Meta     map[string]string `json:"meta,omitempty"`     // of every call; never part of a prompt
}
