// Package meta has the options of requests.
package meta

// ListOptions selects the objects of a list.
type ListOptions struct {
	// Labels select objects.
	Labels string `json:"labelSelector,omitempty"`
	// Limit is the largest number of objects.
	Limit int `json:"limit,omitempty"`
	// Watch asks for changes.
	Watch bool `json:"watch,omitempty"`
}

// GetOptions are the options of a single object.
type GetOptions struct {
	Version string `json:"version,omitempty"`
}
