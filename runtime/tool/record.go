package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/internal/result"
)

// MarshalJSON writes the request with the names in its tags, which are stable. Arguments that
// are not JSON or are nested too deeply become the member "arguments_text". If they are not
// UTF-8, they become "arguments_bytes", in base64.
func (r Request) MarshalJSON() ([]byte, error) {
	x := requestRecord{plainRequest: plainRequest(r)}
	switch _, err := result.Check(r.Arguments, len(r.Arguments)); {
	case !utf8.Valid(r.Arguments):
		x.Arguments, x.Bytes = nil, r.Arguments
	case err != nil:
		x.Arguments, x.Text = nil, string(r.Arguments)
	}
	return json.Marshal(x)
}

// UnmarshalJSON reads the output of MarshalJSON.
func (r *Request) UnmarshalJSON(b []byte) error {
	var x requestRecord
	if err := json.Unmarshal(b, &x); err != nil {
		return err
	}
	*r = Request(x.plainRequest)
	switch {
	case x.Text != "":
		r.Arguments = json.RawMessage(x.Text)
	case len(x.Bytes) > 0:
		r.Arguments = x.Bytes
	}
	return nil
}

// plainRequest is a request without methods.
type plainRequest Request

// requestRecord is the JSON form of a request. Text or Bytes contains arguments that are not JSON.
type requestRecord struct {
	plainRequest
	Text  string `json:"arguments_text,omitempty"`
	Bytes []byte `json:"arguments_bytes,omitempty"`
}

// callFormat is the version of callRecord. Increase it when readers of the old format would
// misunderstand the new one.
const callFormat = 1

// callRecord is the JSON form of a call. The names are stable.
type callRecord struct {
	Format    int                        `json:"format"`
	ID        string                     `json:"id,omitempty"`
	Request   Request                    `json:"request"`
	Arguments json.RawMessage            `json:"arguments,omitempty"` // if they differ from those of the request
	Status    Status                     `json:"status"`
	Started   time.Time                  `json:"started,omitzero"`
	Duration  durationText               `json:"duration,omitempty"`
	Output    json.RawMessage            `json:"output,omitempty"`
	Note      string                     `json:"note,omitempty"`
	Content   []content.Part             `json:"content,omitempty"`
	Meta      map[string]json.RawMessage `json:"meta,omitempty"`
	Repairs   []Edit                     `json:"repairs,omitempty"`
	Error     *errorRecord               `json:"error,omitempty"`
}

// durationText is a duration that is written as text, such as "1.5s".
type durationText time.Duration

// MarshalText returns the text of the duration.
func (d durationText) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads the output of MarshalText.
func (d *durationText) UnmarshalText(text []byte) error {
	x, err := time.ParseDuration(string(text))
	*d = durationText(x)
	return err
}

// MarshalJSON writes the record of the call, including all fields of its error. Texts of the error
// are cut to 64 KiB.
func (c *Call) MarshalJSON() ([]byte, error) {
	x := callRecord{
		Format: callFormat, ID: c.ID, Request: c.Request, Status: c.Status, Started: c.Started, Duration: durationText(c.Duration),
		Output: c.Output, Note: c.Note, Content: c.Content, Meta: c.Meta, Repairs: c.Repairs, Error: recordError(c.Err),
	}
	if !bytes.Equal(c.Arguments, normalizeArguments(c.Request.Arguments)) {
		x.Arguments = c.Arguments
	}
	return json.Marshal(&x)
}

// UnmarshalJSON reads the output of MarshalJSON. Errors of this package and of package context have their original
// types. An error of another package has the same text, [Code] and [Retryable], but not the errors that it wrapped.
func (c *Call) UnmarshalJSON(b []byte) error {
	var x callRecord
	if err := json.Unmarshal(b, &x); err != nil {
		return err
	}
	if x.Format > callFormat {
		return fmt.Errorf("the record of a call has format %d, want at most %d", x.Format, callFormat)
	}
	if x.Arguments == nil {
		x.Arguments = normalizeArguments(x.Request.Arguments)
	}
	*c = Call{
		ID: x.ID, Request: x.Request, Arguments: x.Arguments, Status: x.Status, Started: x.Started, Duration: time.Duration(x.Duration),
		Output: x.Output, Err: x.Error.restoreError(), Repairs: x.Repairs, Note: x.Note, Content: x.Content, Meta: x.Meta, invokeLock: new(sync.Mutex),
	}
	return nil
}
