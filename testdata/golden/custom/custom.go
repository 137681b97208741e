// Package custom has types that read themselves from JSON, and methods that say what.
package custom

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Port is a number or a name.
type Port struct{ text string }

// UnmarshalJSON reads either.
func (p *Port) UnmarshalJSON(b []byte) error {
	p.text = string(b)
	return nil
}

// OpenAPISchemaType is for those who know of one type only.
func (Port) OpenAPISchemaType() []string { return []string{"string"} }

// OpenAPISchemaFormat belongs to it.
func (Port) OpenAPISchemaFormat() string { return "int-or-string" }

// OpenAPIV3OneOfTypes says more.
func (Port) OpenAPIV3OneOfTypes() []string { return []string{"integer", "string"} }

// Moment is a time.
type Moment struct{ at time.Time }

// UnmarshalJSON reads a time.
func (m *Moment) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &m.at) }

// MarshalJSON writes something else.
func (m Moment) MarshalJSON() ([]byte, error) { return json.Marshal(m.at.Unix()) }

// OpenAPISchemaType is that of a time.
func (Moment) OpenAPISchemaType() []string { return []string{"string"} }

// OpenAPISchemaFormat is that of a time.
func (Moment) OpenAPISchemaFormat() string { return "date-time" }

// Schema is one that somebody's library has.
type Schema struct {
	Type, Description, Pattern string
	Minimum, Maximum           json.Number
	Enum                       []any
	Items                      *Schema
}

// Percent is a share.
type Percent struct{ n int }

// UnmarshalJSON reads an integer.
func (p *Percent) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &p.n) }

const most = "100"

// JSONSchema says so.
func (Percent) JSONSchema() *Schema {
	return &Schema{Type: "integer", Minimum: "0", Maximum: most, Description: "how much of all, in percent"}
}

// Colour has names.
type Colour struct{ name string }

// UnmarshalJSON reads a string.
func (c *Colour) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &c.name) }

// JSONSchema lists them.
func (*Colour) JSONSchema() Schema { return Schema{Type: "string", Enum: []any{"red", "green"}} }

// Code is a letter and digits.
type Code struct{ text string }

// UnmarshalJSON reads a string.
func (c *Code) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &c.text) }

// JSONSchema is a text.
func (Code) JSONSchema() []byte {
	return []byte(`{"type": "string", "pattern": "^[A-Z][0-9]+$"}`)
}

// Labels are in a map.
type Labels struct{ all map[string]string }

// UnmarshalJSON reads an object.
func (l *Labels) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &l.all) }

// JSONSchema is a map.
func (Labels) JSONSchema() map[string]any {
	return map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "string"}}
}

// Steps are a list.
type Steps struct{ all []int }

// UnmarshalJSON reads a list.
func (s *Steps) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &s.all) }

// JSONSchema has items, of which only encoding/json knows.
func (Steps) JSONSchema() *Schema { return &Schema{Type: "array", Items: &Schema{Type: "integer"}} }

// Computed says what no source can tell.
type Computed struct{ n int }

// UnmarshalJSON reads an even number.
func (c *Computed) UnmarshalJSON(b []byte) error {
	if err := json.Unmarshal(b, &c.n); err != nil || c.n%2 != 0 {
		return errors.New("is odd")
	}
	return nil
}

// JSONSchema is computed.
func (Computed) JSONSchema() *Schema {
	s := &Schema{}
	s.Type = "integer"
	return s
}

// Within embeds a type that says what it is, and is something else.
type Within struct {
	Percent
	raw []byte
}

// UnmarshalJSON takes all.
func (w *Within) UnmarshalJSON(b []byte) error {
	w.raw = bytes.Clone(b)
	return nil
}

// Job is what there is to do.
type Job struct {
	Port   Port              `json:"port"`
	Start  *Moment           `json:"start,omitempty"`
	Done   Percent           `json:"done"`
	Colour Colour            `json:"colour"`
	Code   Code              `json:"code"`
	Labels Labels            `json:"labels"`
	Steps  Steps             `json:"steps"`
	Parts  []Part            `json:"parts,omitempty"`
	Rest   map[string]Within `json:"rest,omitempty"`
	Next   *Job              `json:"next,omitempty"`
}

// Part is one of a job.
type Part struct {
	Computed Computed `json:"computed"`
	Again    Computed `json:"again"`
}

// Tree is made of itself.
type Tree []Tree

// Plan plans a job.
func Plan(job Job, urgent bool) (Moment, error) { return Moment{}, nil }

// Place takes a whole argument that says what it is.
func Place(port Port, trees Tree) {}

// Weigh takes a job in lists.
func Weigh(jobs []*Job) {}

// Paint paints.
func Paint(colour Colour) {}

// Name is a text or null, and knows whether it was set.
type Name struct{ read string }

// UnmarshalJSON reads a text or null.
func (n *Name) UnmarshalJSON(b []byte) error {
	n.read = string(b)
	return nil
}

// JSONSchema is a text or null.
func (Name) JSONSchema() string { return `{"type": ["string", "null"]}` }

// Rest is any value, and knows whether it was set.
type Rest struct{ read string }

// UnmarshalJSON reads any value.
func (r *Rest) UnmarshalJSON(b []byte) error {
	r.read = string(b)
	return nil
}

// Ranged is an integer. Null is not in its schema.
type Ranged struct{ read string }

// UnmarshalJSON reads an integer, or null.
func (r *Ranged) UnmarshalJSON(b []byte) error {
	r.read = string(b)
	return nil
}

// JSONSchema is an integer.
func (Ranged) JSONSchema() string { return `{"type": "integer"}` }

// Strict rejects null.
type Strict struct{ read string }

// UnmarshalJSON reads any value but null.
func (s *Strict) UnmarshalJSON(b []byte) error {
	if s.read = string(b); s.read == "null" {
		return errors.New("null is not allowed")
	}
	return nil
}

// Either is an integer, a text or null.
type Either struct{ read string }

// UnmarshalJSON reads any of them.
func (e *Either) UnmarshalJSON(b []byte) error {
	e.read = string(b)
	return nil
}

// JSONSchema lists them.
func (Either) JSONSchema() string {
	return `{"oneOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]}`
}

// Patch has fields for which null differs from absent.
type Patch struct {
	Name   Name              `json:"name"`
	Any    Rest              `json:"any"`
	Nick   Name              `json:"nick,omitempty"`
	Rest   Rest              `json:"rest,omitempty"`
	Raw    json.RawMessage   `json:"raw,omitempty"`
	Ptr    *Name             `json:"ptr,omitempty"`
	Ranged Ranged            `json:"ranged,omitzero"`
	Strict Strict            `json:"strict,omitzero"`
	Either Either            `json:"either,omitzero"`
	List   []Name            `json:"list,omitempty"`
	ByName map[string]Rest   `json:"by_name,omitempty"`
	Raws   []json.RawMessage `json:"raws,omitempty"`
	Ptrs   []*Rest           `json:"ptrs,omitempty"`
	Pair   *[2]Name          `json:"pair,omitempty"`
	Next   *Patch            `json:"next,omitempty"`
	*Attachment
}

// Attachment is embedded by pointer.
type Attachment struct {
	Inner json.RawMessage `json:"inner,omitempty"`
	Count int             `json:"count,omitempty"`
}

// Apply writes what it got.
func Apply(patch Patch) string {
	text := fmt.Sprintf("%q %q %q %q %q %q %q %q", patch.Name, patch.Any, patch.Nick, patch.Rest, patch.Raw, patch.Ranged, patch.Strict, patch.Either)
	text += fmt.Sprintf(" %q %q %q", patch.List, patch.ByName, patch.Raws)
	if patch.Ptr != nil {
		text += " ptr " + patch.Ptr.read
	}
	for _, p := range patch.Ptrs {
		text += fmt.Sprintf(" %t", p == nil)
	}
	if patch.Pair != nil {
		text += fmt.Sprintf(" %q", *patch.Pair)
	}
	if patch.Attachment != nil {
		text += fmt.Sprintf(" inner %q %d", patch.Inner, patch.Count)
	}
	if patch.Next != nil {
		text += " (" + Apply(*patch.Next) + ")"
	}
	return text
}
