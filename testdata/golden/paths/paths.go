// Package paths has services behind a client, as many an API has.
package paths

import (
	"context"
	"errors"

	_ "net/http"
)

// Client has services.
type Client struct {
	Users  *Users
	Issues Issues
	Search Searcher
	*Common
}

// Common is what all services share.
type Common struct {
	Rates *Users
}

// Users is a service.
type Users struct {
	Name  string
	Inner *Client
}

// Get gets a user.
func (u *Users) Get(ctx context.Context, id int) (string, error) {
	if id == 0 {
		return "", errors.New("there is no user 0")
	}
	return u.Name, nil
}

// Issues is a service that is no pointer.
type Issues struct{ count int }

// Count counts issues.
func (i *Issues) Count() int { return i.count }

// Close closes all issues.
func (i Issues) Close() error { return nil }

// A Searcher searches.
type Searcher interface {
	// Find finds words.
	Find(words string) []string
}

// hidden is a service whose type has no name for others.
type hidden struct{ name string }

// Show shows what is hidden.
func (h *hidden) Show() string { return h.name }

// Shop has a service of an unexported type.
type Shop struct{ V1 *hidden }

// NewShop opens a shop.
func NewShop(name string) *Shop { return &Shop{&hidden{name}} }

// GH is a client for all.
var GH = &Client{Users: &Users{Name: "all"}}
