package corpus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/aiongen/aiongen/testdata/golden/described/packages/param"
)

// Meeting is a struct as in clients of Google's APIs, which only write themselves.
type Meeting struct {
	Summary string       `json:"summary,omitempty"`
	Size    int64        `json:"size,omitempty,string"`
	Start   *MeetingTime `json:"start,omitempty"`
	Guests  []*Guest     `json:"guests,omitempty"`
	Rooms   []string     `json:"rooms,omitempty"`
	Before  *Meeting     `json:"before,omitempty"`

	ForceSendFields []string `json:"-"`
	NullFields      []string `json:"-"`
}

// MarshalJSON writes the fields that are not empty.
func (m Meeting) MarshalJSON() ([]byte, error) {
	type NoMethod Meeting
	return json.Marshal(NoMethod(m))
}

// MeetingTime is a part of a Meeting.
type MeetingTime struct {
	Date  string   `json:"date,omitempty"`
	Hours *float64 `json:"hours,omitempty"`

	ForceSendFields []string `json:"-"`
	NullFields      []string `json:"-"`
}

// MarshalJSON writes the fields that are not empty.
func (m MeetingTime) MarshalJSON() ([]byte, error) {
	type NoMethod MeetingTime
	return json.Marshal(NoMethod(m))
}

// Guest is a part of a Meeting.
type Guest struct {
	Email string `json:"email,omitempty"`
}

// Pet is a struct as in clients of OpenAPI Generator.
type Pet struct {
	Name   string             `json:"name"`
	Status *PetStatus         `json:"status,omitempty"`
	States []PetStatus        `json:"states,omitempty"`
	Tags   map[string]string  `json:"tags,omitempty"`
	Weight *float32           `json:"weight,omitempty"`
	Born   *time.Time         `json:"born,omitempty"`
	Parent *Pet               `json:"parent,omitempty"`
	Scores map[string]float64 `json:"scores,omitempty"`
}

// ToMap returns the fields that are set.
func (p Pet) ToMap() (map[string]any, error) {
	fields := map[string]any{"name": p.Name}
	set := func(name string, value any, isSet bool) {
		if isSet {
			fields[name] = value
		}
	}
	set("status", p.Status, p.Status != nil)
	set("states", p.States, p.States != nil)
	set("tags", p.Tags, p.Tags != nil)
	set("weight", p.Weight, p.Weight != nil)
	set("born", p.Born, p.Born != nil)
	set("parent", p.Parent, p.Parent != nil)
	set("scores", p.Scores, p.Scores != nil)
	return fields, nil
}

// MarshalJSON writes the fields that are set.
func (p Pet) MarshalJSON() ([]byte, error) {
	fields, err := p.ToMap()
	if err != nil {
		return nil, err
	}
	return json.Marshal(fields)
}

// UnmarshalJSON reads the fields, of which it requires the name.
func (p *Pet) UnmarshalJSON(b []byte) error {
	var members map[string]any
	if err := json.Unmarshal(b, &members); err != nil {
		return err
	}
	if _, ok := members["name"]; !ok {
		return errors.New("no value given for required property name")
	}
	type plain Pet
	return json.Unmarshal(b, (*plain)(p))
}

// PetStatus is an enum as in clients of OpenAPI Generator.
type PetStatus string

// The statuses.
const (
	PetAvailable PetStatus = "available"
	PetSold      PetStatus = "sold"
)

// UnmarshalJSON rejects other values.
func (s *PetStatus) UnmarshalJSON(b []byte) error {
	var value string
	if err := json.Unmarshal(b, &value); err != nil {
		return err
	}
	if *s = PetStatus(value); !s.IsValid() {
		return fmt.Errorf("%q is not a valid PetStatus", value)
	}
	return nil
}

// IsValid reports whether the status is known.
func (s PetStatus) IsValid() bool { return s == PetAvailable || s == PetSold }

// Ptr returns a pointer to a copy.
func (s PetStatus) Ptr() *PetStatus { return &s }

type paramObj = param.APIObject

// PromptParams are the parameters of a request as in clients of Stainless.
type PromptParams struct {
	Model  PromptText         `json:"model,omitzero" api:"required"`
	Limit  param.Opt[int64]   `json:"limit,omitzero"`
	User   param.Opt[string]  `json:"user,omitzero"`
	Heat   param.Opt[float64] `json:"heat,omitzero"`
	Stop   []string           `json:"stop,omitzero"`
	Labels map[string]string  `json:"labels,omitzero"`
	Part   PromptPart         `json:"part,omitzero"`
	paramObj
}

// MarshalJSON writes the fields that are set.
func (p PromptParams) MarshalJSON() ([]byte, error) {
	type shadow PromptParams
	return json.Marshal(shadow(p))
}

// UnmarshalJSON reads the fields.
func (p *PromptParams) UnmarshalJSON(b []byte) error {
	type shadow PromptParams
	return json.Unmarshal(b, (*shadow)(p))
}

// PromptPart is a part of PromptParams.
type PromptPart struct {
	Text  PromptText       `json:"text,omitzero" api:"required"`
	Count param.Opt[int64] `json:"count,omitzero"`
	paramObj
}

// MarshalJSON writes the fields that are set.
func (p PromptPart) MarshalJSON() ([]byte, error) {
	type shadow PromptPart
	return json.Marshal(shadow(p))
}

// UnmarshalJSON reads the fields.
func (p *PromptPart) UnmarshalJSON(b []byte) error {
	type shadow PromptPart
	return json.Unmarshal(b, (*shadow)(p))
}

// PromptText is a text that is never empty in tests, so that it is written.
type PromptText string

// GeneratedByGoogle takes a Meeting.
func GeneratedByGoogle(ctx context.Context, v *Meeting) *Meeting { return pass(ctx, v) }

// GeneratedByOpenAPI takes Pets.
func GeneratedByOpenAPI(ctx context.Context, v []Pet) []Pet { return pass(ctx, v) }

// GeneratedEnums takes PetStatuses.
func GeneratedEnums(ctx context.Context, v map[string]PetStatus) map[string]PetStatus {
	return pass(ctx, v)
}

// GeneratedParams takes PromptParams.
func GeneratedParams(ctx context.Context, v PromptParams) PromptParams { return pass(ctx, v) }

// GeneratedOptions takes options.
func GeneratedOptions(ctx context.Context, v []param.Opt[int64]) []param.Opt[int64] {
	return pass(ctx, v)
}

//lint:file-ignore U1000 generated clients have such fields
