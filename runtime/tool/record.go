package tool

import (
	"bytes"
	"cmp"
	"encoding/json"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/aiongen/aiongen/runtime/internal/result"
	"github.com/aiongen/aiongen/runtime/tool/internal/kept"
)

// MarshalJSON writes the request as its tags say, which are stable; arguments that are no
// JSON, or deeper than a record of them may be, go as text under "arguments_text", and
// what is no text in base64 under "arguments_bytes".
func (r Request) MarshalJSON() ([]byte, error) {
	x := requestRecord{plainRequest: plainRequest(r)}
	if !utf8.Valid(r.Arguments) {
		x.Arguments, x.Bytes = nil, r.Arguments
	} else if _, err := result.Check(r.Arguments, len(r.Arguments)); err != nil {
		x.Arguments, x.Text = nil, string(r.Arguments)
	}
	return json.Marshal(x)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (r *Request) UnmarshalJSON(b []byte) error {
	var x requestRecord
	if err := json.Unmarshal(b, &x); err != nil {
		return err
	}
	*r = Request(x.plainRequest)
	if other := cmp.Or(x.Text, string(x.Bytes)); other != "" {
		r.Arguments = json.RawMessage(other)
	}
	return nil
}

// plainRequest is a request without methods.
type plainRequest Request

type requestRecord struct {
	plainRequest
	Text  string `json:"arguments_text,omitempty"`
	Bytes []byte `json:"arguments_bytes,omitempty"`
}

// MarshalJSON writes the record of the call, its error in all its parts.
func (c *Call) MarshalJSON() ([]byte, error) {
	x := kept.Call[Request, Edit]{
		ID: c.ID, Request: c.Request, Status: string(c.Status), Started: c.Started, Duration: kept.Duration(c.Duration),
		Output: c.Output, Note: c.Note, Content: c.Content, Meta: c.Meta, Repairs: c.Repairs, Error: failures.Record(c.Err),
	}
	if !bytes.Equal(c.Arguments, asRead(c.Request.Arguments)) {
		x.Arguments = c.Arguments
	}
	return kept.Write(&x)
}

// UnmarshalJSON reads what MarshalJSON wrote. The errors of this package and
// those of package context come back as what they were, others as one with the
// same text, [Code] and [Retryable]; what those wrapped is only text.
func (c *Call) UnmarshalJSON(b []byte) error {
	x, err := kept.Read[Request, Edit](b)
	if err != nil {
		return err
	}
	if x.Arguments == nil {
		x.Arguments = asRead(x.Request.Arguments)
	}
	*c = Call{
		ID: x.ID, Request: x.Request, Arguments: x.Arguments, Status: Status(x.Status), Started: x.Started, Duration: time.Duration(x.Duration),
		Output: x.Output, Err: failures.Error(x.Error), Repairs: x.Repairs, Note: x.Note, Content: x.Content, Meta: x.Meta, turn: new(sync.Mutex),
	}
	return nil
}
