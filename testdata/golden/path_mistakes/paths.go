// Package paths has services behind a client.
package paths

import _ "net/http"

// Client has services.
type Client struct {
	Users *Users
	inner *Users

	TeamURL, TeamUrl *Users
}

// Hidden is what has no exported path.
func (c *Client) Hidden() *Users { return c.inner }

// Users is a service.
type Users struct{}

// Get gets a user.
func (u *Users) Get(id int) string { return "" }

// GH is a client.
var GH *Client
