// Package populated has structs with the JSON methods that the generator of the Azure SDK writes.
package populated

import "time"

// Group is a group of resources.
type Group struct {
	// REQUIRED; where it is.
	Location   *string
	ManagedBy  *string
	Properties *Properties
	Tags       map[string]*string
	Template   any
	CreatedAt  *time.Time
	Data       []byte

	// READ-ONLY; the number.
	ID *string
}

// State is a state.
type State string

// The states.
const (
	StateReady  State = "Ready"
	StateFailed State = "Failed"
)

// Properties are the properties of a group.
type Properties struct {
	ProvisioningState *State
	Children          []*Group
}

// Open has additional properties.
type Open struct {
	Name                 *string
	AdditionalProperties map[string]any
}

// GetResponse is the response of a request.
type GetResponse struct {
	Group
}

// Create creates a group.
func Create(name string, g Group) (GetResponse, error) {
	g.ID = &name
	g.Data = []byte("x")
	return GetResponse{Group: g}, nil
}

// Get returns a group.
func Get(id string) (GetResponse, error) {
	ready := StateReady
	return GetResponse{Group: Group{ID: &id, Properties: &Properties{ProvisioningState: &ready, Children: []*Group{nil, {Location: &id}}}}}, nil
}

// Show returns a struct with other JSON.
func Show() (Open, error) { return Open{AdditionalProperties: map[string]any{"a": 1}}, nil }
