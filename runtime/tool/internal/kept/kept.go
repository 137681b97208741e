// Package kept is what calls look like in JSON, where they are kept and sent. The names
// are stable.
package kept

import (
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/internal/result"
	"github.com/aiongen/aiongen/runtime/tool/internal/failure"
)

// format is the version of the form in which calls are kept. It is raised when what was
// written before would no longer be understood.
const format = 1

// Call is a call with a request and with edits of these types.
type Call[Request, Edit any] struct {
	ID        string          `json:"id,omitempty"`
	Request   Request         `json:"request"`
	Arguments json.RawMessage `json:"arguments,omitempty"` // where they are not those of the request
	Status    string          `json:"status"`
	Started   time.Time       `json:"started,omitzero"`
	Duration  Duration        `json:"duration,omitempty"`
	Output    json.RawMessage `json:"output,omitempty"`
	Note      string          `json:"note,omitempty"`
	Content   []content.Part  `json:"content,omitempty"`
	Meta      members         `json:"meta,omitempty"`
	Repairs   []Edit          `json:"repairs,omitempty"`
	Error     *failure.Record `json:"error,omitempty"`
}

// members are values by name.
type members = map[string]json.RawMessage

// versioned is a call with the version of its form.
type versioned[Request, Edit any] struct {
	Format int `json:"format"`
	*Call[Request, Edit]
}

// Write returns a call as JSON.
func Write[Request, Edit any](c *Call[Request, Edit]) ([]byte, error) {
	return json.Marshal(versioned[Request, Edit]{format, c})
}

// Read reads a call as Write writes it.
func Read[Request, Edit any](b []byte) (*Call[Request, Edit], error) {
	x := versioned[Request, Edit]{Call: new(Call[Request, Edit])}
	if err := json.Unmarshal(b, &x); err != nil {
		return nil, err
	}
	if x.Format > format {
		return nil, fmt.Errorf("the record of a call has format %d, of which only %d is known", x.Format, format)
	}
	return x.Call, nil
}

// Odd are arguments of a request that do not go as JSON.
type Odd struct {
	Text  string `json:"arguments_text,omitempty"`
	Bytes []byte `json:"arguments_bytes,omitempty"`
}

// Arguments returns arguments as they go: as JSON, or what they are instead.
func Arguments(arguments json.RawMessage) (json.RawMessage, Odd) {
	if !utf8.Valid(arguments) {
		return nil, Odd{Bytes: arguments}
	}
	if _, err := result.Check(arguments, len(arguments)); err != nil {
		return nil, Odd{Text: string(arguments)}
	}
	return arguments, Odd{}
}

// Or returns the odd arguments, or if there are none, those that went as JSON.
func (o Odd) Or(arguments json.RawMessage) json.RawMessage {
	switch {
	case o.Text != "":
		return json.RawMessage(o.Text)
	case len(o.Bytes) > 0:
		return o.Bytes
	}
	return arguments
}

// Duration is a duration that is written as Go writes it.
type Duration time.Duration

// MarshalText returns the text of the duration.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads it again.
func (d *Duration) UnmarshalText(text []byte) error {
	x, err := time.ParseDuration(string(text))
	*d = Duration(x)
	return err
}
