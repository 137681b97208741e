// Package client imitates an older client of Stainless.
package client

import (
	"encoding/json"
	"io"
	"time"

	"github.com/aiongen/aiongen/testdata/golden/presence/client/internal/param"
)

// RecordParams are the parameters of a request.
type RecordParams struct {
	// The zone.
	ZoneID param.Field[string] `path:"zone_id" api:"required"`
	// The direction.
	Direction param.Field[Direction]     `query:"direction"`
	Name      param.Field[string]        `json:"name" api:"required"`
	Kind      param.Field[string]        `json:"kind,required"`
	Comment   param.Field[string]        `json:"comment"`
	TTL       param.Field[float64]       `json:"ttl"`
	Tags      param.Field[[]string]      `json:"tags"`
	Data      param.Field[any]           `json:"data"`
	Until     param.Field[time.Time]     `json:"until"`
	Settings  param.Field[SettingsParam] `json:"settings"`
	Owner     param.Field[*Owner]        `json:"owner"`
	Raw       param.Field[json.RawMessage]
	// The owner's notes.
	Notes param.Bare[string] `json:"notes"`
}

// MarshalJSON writes the values that are present.
func (p RecordParams) MarshalJSON() ([]byte, error) { return param.Encode(p) }

// A Direction sorts records.
type Direction string

// The directions.
const (
	Ascending  Direction = "asc"
	Descending Direction = "desc"
)

// SettingsParam are settings of a record.
type SettingsParam struct {
	OnlyIPv4 param.Field[bool]           `json:"only_ipv4"`
	Depth    param.Field[int64]          `json:"depth" api:"required"`
	Inner    param.Field[*SettingsParam] `json:"inner"`
}

// MarshalJSON writes the values that are present.
func (p SettingsParam) MarshalJSON() ([]byte, error) { return param.Encode(p) }

// Owner is an owner of records, and has no parameters.
type Owner struct {
	Name string `json:"name"`
}

// BatchParams are the parameters of a request for several records.
type BatchParams struct {
	Deletes param.Field[[]DeleteParams]           `json:"deletes"`
	ByName  param.Field[map[string]SettingsParam] `json:"by_name"`
	Posts   param.Field[[]PostUnion]              `json:"posts"`
	Plain   []DeleteParams                        `json:"plain,omitempty"`
	Body    PostUnion                             `json:"body,omitempty"`
}

// MarshalJSON writes the values that are present.
func (p BatchParams) MarshalJSON() ([]byte, error) { return param.Encode(p) }

// DeleteParams name a record.
type DeleteParams struct {
	ID param.Field[string] `json:"id" api:"required"`
}

// PostUnion is a record to create.
type PostUnion interface{ isPost() }

// APost is a record with an address.
type APost struct {
	Address param.Field[string] `json:"address" api:"required"`
}

func (APost) isPost() {}

// TPost is a record with a text.
type TPost struct {
	Text param.Field[string] `json:"text" api:"required"`
	DeleteParams
}

func (TPost) isPost() {}

// UploadParams have a file, which JSON cannot carry.
type UploadParams struct {
	Name param.Field[string]    `json:"name" api:"required"`
	File param.Field[io.Reader] `json:"file" api:"required"`
}

// MarshalJSON writes the name and the content.
func (p UploadParams) MarshalJSON() ([]byte, error) {
	if !p.File.Present {
		return json.Marshal(p.Name.Value)
	}
	content, err := io.ReadAll(p.File.Value)
	if err != nil {
		return nil, err
	}
	return json.Marshal(p.Name.Value + ": " + string(content))
}

// FileParams have nothing but a file.
type FileParams struct {
	File param.Field[io.Reader] `json:"file" api:"required"`
}

// EmbeddingParams embed other parameters.
type EmbeddingParams struct {
	*DeleteParams
	Zone param.Parsed[string] `json:"zone"`
	// Extra has a count in addition to its value.
	Extra param.Counted[string] `json:"extra,omitempty"`
}

// MarshalJSON writes the values that are present.
func (p EmbeddingParams) MarshalJSON() ([]byte, error) { return param.Encode(p) }
