package tool

import (
	"bytes"
	"encoding/json"
	"sync"
	"time"

	"github.com/aiongen/aiongen/runtime/tool/internal/kept"
)

// MarshalJSON writes the request as its tags say, which are stable. Arguments that are no
// JSON, or too deep, go under "arguments_text", or in base64 under "arguments_bytes".
func (r Request) MarshalJSON() ([]byte, error) {
	x := requestRecord{plainRequest: plainRequest(r)}
	x.Arguments, x.Odd = kept.Arguments(r.Arguments)
	return json.Marshal(x)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (r *Request) UnmarshalJSON(b []byte) error {
	var x requestRecord
	if err := json.Unmarshal(b, &x); err != nil {
		return err
	}
	*r = Request(x.plainRequest)
	r.Arguments = x.Or(r.Arguments)
	return nil
}

// plainRequest is a request without methods.
type plainRequest Request

type requestRecord struct {
	plainRequest
	kept.Odd
}

// MarshalJSON writes the record of the call, its error in all its parts, texts up to 64 KiB.
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
