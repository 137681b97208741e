// Package shaping has what notes shape wrongly.
package shaping

import "time"

// Label is a mark.
type Label struct {
	Name  string `json:"name"`
	Color string `json:"color"`
}

// Issue is something to do.
type Issue struct {
	Number    int       `json:"number"`
	CreatedAt time.Time `json:"created_at"`
	Labels    []Label   `json:"labels"`
	Raw       any       `json:"raw"`
	Parent    *Issue    `json:"parent"`
	Blob      []byte    `json:"blob"`
}

// Put takes an issue.
func Put(i Issue, n int, name string) (*Issue, int, error) { return &i, n, nil }

// Take takes an issue alone.
func Take(i *Issue) error { return nil }

// Page and Cursor say where a list begins.
type (
	Page   struct{ Size, PerPage int }
	Cursor struct{ PerPage int }
)

// Options are both.
type Options struct {
	Page
	Cursor
}

// List lists.
func List(o Options) error { return nil }

// Stream has a field that JSON cannot carry.
type Stream struct {
	Name string
	Done chan int
}

// Watch watches.
func Watch() (Stream, error) { return Stream{}, nil }
