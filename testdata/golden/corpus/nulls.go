package corpus

import (
	"context"
	"database/sql"
	"encoding/json"
)

// Triple is absent, null or a text, and its schema says so.
type Triple struct {
	state string // "", "null" or "text"
	text  string
}

// JSONSchema is a text or null.
func (Triple) JSONSchema() string { return `{"type": ["string", "null"]}` }

// MarshalJSON writes the text, or null.
func (t Triple) MarshalJSON() ([]byte, error) {
	if t.state != "text" {
		return []byte("null"), nil
	}
	return json.Marshal(t.text)
}

// UnmarshalJSON reads a text or null.
func (t *Triple) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*t = Triple{state: "null"}
		return nil
	}
	t.state = "text"
	return json.Unmarshal(b, &t.text)
}

// Change has values for which null differs from absent.
type Change struct {
	Name   Triple           `json:"name"`
	Nick   Triple           `json:"nick,omitempty"`
	Note   Kept             `json:"note"`
	Extra  Kept             `json:"extra,omitempty"`
	Ptr    *Kept            `json:"ptr"`
	Maybe  *Triple          `json:"maybe,omitempty"`
	Raw    json.RawMessage  `json:"raw"`
	Late   json.RawMessage  `json:"late,omitempty"`
	RawPtr *json.RawMessage `json:"raw_ptr,omitempty"`
	List   []Triple         `json:"list"`
	ByName map[string]Kept  `json:"by_name,omitempty"`
	Pair   [2]Triple        `json:"pair"`
	Ptrs   []*Kept          `json:"ptrs"`
	Next   *Change          `json:"next,omitempty"`
	*Attachment
}

// Attachment is embedded by pointer.
type Attachment struct {
	Inner json.RawMessage `json:"inner,omitempty"`
	Count int             `json:"count,omitempty"`
}

// Nulls takes a Change.
func Nulls(ctx context.Context, v Change) Change { return pass(ctx, v) }

// SliceOfTriples takes texts and nulls.
func SliceOfTriples(ctx context.Context, v []Triple) []Triple { return pass(ctx, v) }

// SliceOfRaws takes values as they are written.
func SliceOfRaws(ctx context.Context, v []json.RawMessage) []json.RawMessage { return pass(ctx, v) }

// MapOfKept takes any object.
func MapOfKept(ctx context.Context, v map[string]Kept) map[string]Kept { return pass(ctx, v) }

// SliceOfNulls takes texts that may be missing.
func SliceOfNulls(ctx context.Context, v []sql.NullString) []sql.NullString { return pass(ctx, v) }

// Outcome has errors in all kinds of places.
type Outcome struct {
	Topic  string           `json:"topic"`
	Err    error            `json:"err"`
	Cause  error            `json:"cause,omitempty"`
	All    []error          `json:"all"`
	ByName map[string]error `json:"by_name"`
	Pair   [2]error         `json:"pair"`
	Ptr    *error           `json:"ptr"`
	Parts  []*Outcome       `json:"parts,omitempty"`
}

// OutcomeView is what is seen of an Outcome.
type OutcomeView struct {
	Topic  string             `json:"topic"`
	Err    *string            `json:"err"`
	Cause  *string            `json:"cause,omitempty"`
	All    []*string          `json:"all"`
	ByName map[string]*string `json:"by_name"`
	Pair   [2]*string         `json:"pair"`
	Ptr    **string           `json:"ptr"`
	Parts  []*OutcomeView     `json:"parts,omitempty"`
}

// Errors returns an Outcome.
func Errors(ctx context.Context) Outcome { return pass(ctx, Outcome{}) }

// SliceOfErrors returns errors.
func SliceOfErrors(ctx context.Context) []error { return pass(ctx, []error(nil)) }

// MapOfErrors returns errors by name.
func MapOfErrors(ctx context.Context) map[string]error { return pass(ctx, map[string]error(nil)) }
