// Package presence takes parameters whose values are in structs of a package that it cannot import.
package presence

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/aiongen/aiongen/testdata/golden/presence/client"
)

// Edit changes a record.
func Edit(id string, params client.RecordParams) (json.RawMessage, error) {
	return json.Marshal(params)
}

// Create creates a record.
func Create(params *client.RecordParams) (json.RawMessage, error) { return json.Marshal(params) }

// Batch changes records.
func Batch(params client.BatchParams) (json.RawMessage, error) { return json.Marshal(params) }

// Upload stores a file.
func Upload(params client.UploadParams) (json.RawMessage, error) { return json.Marshal(params) }

// Remove removes records.
func Remove(params client.EmbeddingParams) (json.RawMessage, error) { return json.Marshal(params) }

// Open opens a file.
func Open(text string) io.Reader { return strings.NewReader(text) }

// Read reads a file.
func Read(params client.FileParams) error { return nil }

// Echo returns its argument.
func Echo(params client.DeleteParams) (client.RecordParams, error) {
	return client.RecordParams{ZoneID: params.ID}, nil
}
