// Package blank has functions whose results say nothing, and functions whose results are errors.
package blank

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

// Metadata has methods, but no fields for JSON.
type Metadata struct{ values map[any]any }

// Get returns a value.
func (m Metadata) Get(key any) any { return m.values[key] }

type noSerde struct{}

func (noSerde) noSerde() {}

var _ = DeleteOutput{}.noSerde.noSerde

// DeleteOutput is the output of Delete, as some SDKs have it.
type DeleteOutput struct {
	Meta     Metadata
	Response *http.Response

	noSerde
}

// A Serializer writes fields.
type Serializer interface{ WriteString(name, value string) }

// Serialize writes the fields, as code generators let all structs do.
func (*DeleteOutput) Serialize(s Serializer) {}

// SerializeMembers writes the fields.
func (*DeleteOutput) SerializeMembers(s Serializer) {}

// Deserialize reads the fields.
func (*DeleteOutput) Deserialize(r io.Reader) error { return nil }

// Delete deletes a message.
func Delete(id string) (*DeleteOutput, error) {
	if id == "" {
		return nil, errors.New("there is no such message")
	}
	return &DeleteOutput{}, nil
}

// Empty has no fields.
type Empty struct{}

// Purge deletes all messages.
func Purge() (Empty, error) { return Empty{}, nil }

// Message is a protobuf message without fields.
type Message struct {
	state   int
	unknown []byte
}

// ProtoMessage marks it as a message.
func (*Message) ProtoMessage() {}

// Reset empties it.
func (m *Message) Reset() { *m = Message{} }

// String returns nothing.
func (m *Message) String() string { return string(m.unknown[:m.state]) }

// Ping does nothing. Functions that take a Message need no value of another function.
func Ping() (*Message, error) { return &Message{}, nil }

// Accept takes a Message.
func Accept(*Message) {}

// TagOutput has only what its author hides from JSON.
type TagOutput struct {
	_       struct{}
	Request string `json:"-"`
	mu      sync.Mutex
}

// String returns nothing, as the outputs of some SDKs do.
func (*noOutput) String() string { return "{\n\n}" }

type noOutput struct{ _ struct{} }

// Tag tags a message.
func Tag(name string) (*TagOutput, error) {
	out := &TagOutput{Request: name}
	out.mu.Lock()
	defer out.mu.Unlock()
	return out, nil
}

// Count counts messages.
func Count() (n int, done *Empty, err error) { return 3, nil, nil }

// Close closes the queue.
func Close() (*noOutput, error) { return nil, nil }

// Tx is a token for later calls.
type Tx struct{ id int }

// Begin begins a transaction.
func Begin() (*Tx, error) { return &Tx{1}, nil }

// Commit ends a transaction.
func Commit(tx *Tx) error {
	if tx.id != 1 {
		return errors.New("another transaction")
	}
	return nil
}

// Opened holds a reader for other calls.
type Opened struct{ Body io.Reader }

// Open opens a message.
func Open() (*Opened, error) { return &Opened{strings.NewReader("a")}, nil }

// Lock returns a value that a note passes by reference.
func Lock() (*DeleteOutput, error) { return &DeleteOutput{}, nil }

// Status returns nothing, not even an error.
func Status() *DeleteOutput { return nil }

// Signature can only be read as a text.
type Signature struct{ text string }

// String returns the text.
func (s Signature) String() string { return s.text }

// Sign returns a value with behavior.
func Sign() (Signature, error) { return Signature{"a"}, nil }

// Deleted is what became of one message.
type Deleted struct {
	Topic string
	Err   error
}

// A CodeError is an error with fields.
type CodeError struct{ Code int }

func (e *CodeError) Error() string { return "code " + string(rune('0'+e.Code)) }

// MarshalJSON is not used: the field has the type error.
func (e *CodeError) MarshalJSON() ([]byte, error) { return []byte("{}"), nil }

// Check checks topics.
func Check() (map[string]Deleted, error) {
	var none *CodeError
	return map[string]Deleted{"a": {Topic: "a"}, "b": {"b", errors.New("no <b>")}, "c": {"c", &CodeError{7}}, "d": {"d", none}}, nil
}

// CheckAll checks all topics.
func CheckAll() (failed int, all []error) { return 1, []error{nil, errors.New("no b")} }

// hiddenError has no fields for JSON.
type hiddenError struct{ text string }

func (e *hiddenError) Error() string { return e.text }

// HiddenError is a name for hiddenError.
type HiddenError = hiddenError

// Dial returns errors of other types than error.
func Dial() (timeout net.Error, hidden *HiddenError) {
	return &net.DNSError{Err: "no such host", Name: "x"}, &hiddenError{"hidden"}
}

// A Reached is a server, and why it was not reached.
type Reached struct {
	Name string `json:"name"`
	Why  error  `json:"why,omitempty"`
}

// Reach reaches servers.
func Reach() []*Reached {
	return []*Reached{nil, {Name: "a"}, {Name: "b", Why: errors.Join(errors.New("x"), errors.New("y"))}}
}

// A loudError panics.
type loudError struct{}

func (loudError) Error() string { panic("loud") }

// Crash returns an error that cannot be written.
func Crash() Reached { return Reached{"a", loudError{}} }

// Rule is only used in lists.
type Rule struct{ text string }

// Compile returns a rule.
func Compile(text string) (Rule, error) { return Rule{text}, nil }

// Match checks a text with rules.
func Match(text string, rules []Rule) bool {
	for _, r := range rules {
		if r.text == text {
			return true
		}
	}
	return false
}

// Key is only used in maps of lists.
type Key struct{ text string }

// MakeKey returns a key.
func MakeKey() (*Key, error) { return &Key{"a"}, nil }

// UseKeys uses keys.
func UseKeys(keys map[string][]*Key) {}

// Guard is only used by a callback.
type Guard struct{ text string }

// MakeGuard returns a guard.
func MakeGuard() (Guard, error) { return Guard{"a"}, nil }

// Visit visits guards.
func Visit(visit func(*Guard) error) {}

// Mark is only used in a field of a list of generic structs.
type Mark struct{ text string }

// MakeMark returns a mark.
func MakeMark() (Mark, error) { return Mark{"a"}, nil }

// Marks has marks.
type Marks[T any] struct {
	All  []*T
	Next *Marks[T]
}

// Remember remembers marks.
func Remember(marks ...struct{ Marks Marks[Mark] }) {}

// Hook is only used by a callback in a field.
type Hook struct{ text string }

// MakeHook returns what no tool takes.
func MakeHook() (Hook, error) { return Hook{"a"}, nil }

// Options has a callback.
type Options struct{ On func(Hook) }

// Run calls nothing.
func Run(o Options) {}

// Failure embeds the error, which JSON loses.
type Failure struct {
	error
	Code int `json:"code"`
}

// Batch returns failures, one of them embedded.
func Batch() []struct {
	Failure
	Name string
} {
	return nil
}

// Try returns a failure whose error the note leaves out.
func Try() Failure { return Failure{} }
