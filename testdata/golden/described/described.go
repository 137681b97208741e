// Package described has structs with their own methods for JSON, as generators of API clients write them. The tags
// of their fields describe what the methods read and write.
package described

import (
	"encoding/json"
	"errors"
	"maps"
	"time"
)

// Event is an event as in clients of Google's APIs.
type Event struct {
	Summary   string      `json:"summary,omitempty"`
	Start     *EventTime  `json:"start,omitempty"`
	Attendees []*Attendee `json:"attendees,omitempty"`
	Sequence  int64       `json:"sequence,omitempty"`
	// Previous is the event that it replaces.
	Previous *Event `json:"previous,omitempty"`

	ForceSendFields []string `json:"-"`
	NullFields      []string `json:"-"`
}

// MarshalJSON writes the fields that are not empty, and those in ForceSendFields.
func (e Event) MarshalJSON() ([]byte, error) {
	type NoMethod Event
	text, err := json.Marshal(NoMethod(e))
	if err != nil || len(e.ForceSendFields) == 0 {
		return text, err
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	fields["sequence"] = e.Sequence
	return json.Marshal(fields)
}

// EventTime is a date or a time.
type EventTime struct {
	Date     string `json:"date,omitempty"`
	DateTime string `json:"dateTime,omitempty"`

	ForceSendFields []string `json:"-"`
	NullFields      []string `json:"-"`
}

// MarshalJSON writes the fields that are not empty.
func (t EventTime) MarshalJSON() ([]byte, error) {
	type NoMethod EventTime
	return json.Marshal(NoMethod(t))
}

// Attendee is somebody who comes.
type Attendee struct {
	Email string `json:"email,omitempty"`
	Note  string `json:"note,omitempty"`
}

// GetEvent returns an event.
func GetEvent(id string) (*Event, error) {
	if id == "" {
		return nil, errors.New("there is no event without an ID")
	}
	return &Event{
		Summary: id, Start: &EventTime{Date: "2026-01-31"}, ForceSendFields: []string{"Sequence"},
		Attendees: []*Attendee{{Email: "ada@example.com", Note: "late"}, {Email: "bob@example.com"}},
		Previous:  &Event{Summary: "old", Start: &EventTime{Date: "2025-12-31"}},
	}, nil
}

// Insert returns the event that it takes, which reads itself by its fields.
func Insert(event *Event) (*Event, error) { return event, nil }

// Monitor is a monitor as in clients of OpenAPI Generator.
type Monitor struct {
	// Name is shown in lists.
	Name     string             `json:"name"`
	Priority *int64             `json:"priority,omitempty"`
	Tags     []string           `json:"tags,omitempty"`
	Limits   map[string]float64 `json:"limits,omitempty"`
	Options  *Options           `json:"options,omitempty"`
	// UnparsedObject is what UnmarshalJSON did not understand.
	UnparsedObject       map[string]any `json:"-"`
	AdditionalProperties map[string]any `json:"-"`
}

// Options are options of a monitor.
type Options struct {
	Silent               *bool          `json:"silent,omitempty"`
	Text                 string         `json:"text"`
	UnparsedObject       map[string]any `json:"-"`
	AdditionalProperties map[string]any `json:"-"`
}

// MarshalJSON writes the fields that are set, and additional ones.
func (o Options) MarshalJSON() ([]byte, error) {
	fields := map[string]any{"text": o.Text}
	if o.Silent != nil {
		fields["silent"] = o.Silent
	}
	return json.Marshal(fields)
}

// UnmarshalJSON reads the fields.
func (o *Options) UnmarshalJSON(text []byte) error {
	type plain Options
	return json.Unmarshal(text, (*plain)(o))
}

// MarshalJSON writes the fields that are set, and additional ones.
func (m Monitor) MarshalJSON() ([]byte, error) {
	fields := map[string]any{"name": m.Name}
	if m.Priority != nil {
		fields["priority"] = *m.Priority
	}
	if m.Tags != nil {
		fields["tags"] = m.Tags
	}
	if m.Limits != nil {
		fields["limits"] = m.Limits
	}
	if m.Options != nil {
		fields["options"] = m.Options
	}
	maps.Copy(fields, m.AdditionalProperties)
	return json.Marshal(fields)
}

// UnmarshalJSON reads the fields, and requires a name.
func (m *Monitor) UnmarshalJSON(text []byte) error {
	type plain Monitor
	if err := json.Unmarshal(text, (*plain)(m)); err != nil {
		return err
	}
	if m.Name == "forbidden" {
		return errors.New("the name is reserved")
	}
	m.AdditionalProperties = map[string]any{"read": true}
	return nil
}

// CreateMonitor returns the monitor that it takes.
func CreateMonitor(m Monitor) (Monitor, error) { return m, nil }

// Reply is a reply as in clients of Stainless.
type Reply struct {
	Text string `json:"text"`
	Size int    `json:"size"`
	JSON struct {
		raw string
	} `json:"-"`
}

// UnmarshalJSON keeps the text.
func (r *Reply) UnmarshalJSON(text []byte) error {
	type plain Reply
	r.JSON.raw = string(text)
	return json.Unmarshal(text, (*plain)(r))
}

// RawJSON returns the text.
func (r Reply) RawJSON() string { return r.JSON.raw }

// Quote returns how a reply was written.
func Quote(replies []Reply) string {
	text := ""
	for _, r := range replies {
		text += r.RawJSON()
	}
	return text
}

// Amount reads itself in a way that its fields do not describe.
type Amount struct {
	Units int `json:"units"`
}

// UnmarshalJSON reads a number.
func (a *Amount) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &a.Units) }

// Bill has a part of unknown form.
type Bill struct {
	Amount Amount `json:"amount"`
}

// Pay pays a bill.
func Pay(b Bill) int { return b.Amount.Units }

// Interaction reads itself by its tags, but no generator is known to write such structs.
type Interaction struct {
	ID   string `json:"id"`
	Kind int    `json:"type"`
	// Member is who interacts.
	Member  *Member         `json:"member,omitempty"`
	Replies []*Interaction  `json:"replies,omitempty"`
	Data    InteractionData `json:"-"`
	text    string
}

// InteractionData depends on the type.
type InteractionData interface{ data() }

// UnmarshalJSON keeps the text, and rejects the type 9.
func (i *Interaction) UnmarshalJSON(text []byte) error {
	type plain Interaction
	if err := json.Unmarshal(text, (*plain)(i)); err != nil {
		return err
	}
	if i.Kind == 9 {
		return errors.New("there is no type 9")
	}
	i.text = string(text)
	return nil
}

// Member has its own methods, too.
type Member struct {
	Nick  string `json:"nick"`
	Roles []int  `json:"roles,omitempty"`
}

// MarshalJSON adds a member.
func (m Member) MarshalJSON() ([]byte, error) {
	type plain Member
	text, err := json.Marshal(plain(m))
	if err != nil {
		return nil, err
	}
	return append(text[:len(text)-1], `,"by":"marshal"}`...), nil
}

// UnmarshalJSON reads the fields. The compiler does not follow the call.
func (m *Member) UnmarshalJSON(text []byte) error {
	type plain Member
	return decode(text, (*plain)(m))
}

func decode(text []byte, into any) error { return json.Unmarshal(text, into) }

// Respond returns what the interaction was read from.
func Respond(i *Interaction, note string) string { return note + i.text }

// RespondAll returns what the interactions were read from.
func RespondAll(all map[string][]Interaction) string {
	text := ""
	for _, i := range all["all"] {
		text += i.text
	}
	return text
}

// Guild has members.
type Guild struct {
	Owner   Member    `json:"owner"`
	Members []*Member `json:"members"`
}

// Promote makes a member the owner.
func Promote(m Member) (*Member, error) { return &m, nil }

// ListMembers returns members.
func ListMembers(g Guild) (Guild, []*Member) { return g, g.Members }

// Filter is a filter that may contain itself, which reads and writes itself.
type Filter struct {
	Name string  `json:"name,omitempty"`
	Not  *Filter `json:"not,omitempty"`
	And  *Both   `json:"and,omitempty"`

	ForceSendFields []string `json:"-"`
	NullFields      []string `json:"-"`
}

// Both are two filters.
type Both struct {
	Left  *Filter `json:"left"`
	Right *Filter `json:"right"`
}

// MarshalJSON writes the fields.
func (f Filter) MarshalJSON() ([]byte, error) {
	type plain Filter
	return json.Marshal(plain(f))
}

// UnmarshalJSON reads the fields.
func (f *Filter) UnmarshalJSON(text []byte) error {
	type plain Filter
	return json.Unmarshal(text, (*plain)(f))
}

// Find returns the filter that it takes.
func Find(filter Filter) Filter { return filter }

// Sighting is read into its fields by a handwritten method.
type Sighting struct {
	ID   string            `json:"id"`
	Seen time.Time         `json:"seen"`
	Data []InteractionData `json:"data,omitempty"`
	// Before is an earlier sighting.
	Before *Sighting `json:"before,omitempty"`
	Place  Place     `json:"place,omitzero"`

	zone string
}

// UnmarshalJSON reads the time as seconds or text, and the name of its zone.
func (s *Sighting) UnmarshalJSON(text []byte) error {
	type plain Sighting
	v := struct {
		*plain
		Seen json.RawMessage `json:"seen"`
		Zone string          `json:"zone"`
	}{plain: (*plain)(s)}
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	s.zone = v.Zone
	var seconds int64
	if json.Unmarshal(v.Seen, &seconds) != nil {
		return json.Unmarshal(v.Seen, &s.Seen)
	}
	s.Seen = time.Unix(seconds, 0).UTC()
	return nil
}

// Place is read into a copy of its fields. Its type belongs to the package.
type Place struct {
	Name string `json:"name"`
}

type plainPlace Place

// UnmarshalJSON reads the fields, and rejects an empty name.
func (p *Place) UnmarshalJSON(text []byte) error {
	var plain plainPlace
	if err := json.Unmarshal(text, &plain); err != nil {
		return err
	}
	if *p = Place(plain); p.Name == "" {
		return errors.New("a place has a name")
	}
	return nil
}

// See returns a text for a sighting.
func See(s *Sighting) string {
	text := s.ID + " " + s.Seen.Format(time.DateOnly) + s.zone + s.Place.Name
	if s.Before != nil {
		text += ", " + See(s.Before)
	}
	return text
}

// Visit returns the names of places.
func Visit(places []Place, note string) string {
	for _, p := range places {
		note += " " + p.Name
	}
	return note
}
