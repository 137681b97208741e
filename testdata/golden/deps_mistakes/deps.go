// Package mistakes has what lambdas take from the application in wrong ways.
package mistakes

import "github.com/aiongen/aiongen/runtime/tool"

// Client talks to a service.
type Client struct {
	Name  string
	Users *Users
}

// Users is a part of the service.
type Users struct{ Names []string }

// Find finds the name of a user.
func (u *Users) Find(number int) string { return u.Names[number] }

// A Clock tells the time.
type Clock func() int

// Token is a secret.
type Token string

// First and Second are told apart by their names in Go alone.
type (
	First  string
	Second string
)

var (
	_ = tool.Inject[*Client]()
	_ = tool.Inject[Clock]("Now")
	_ = tool.Inject[Token]("Secret")
	_ = tool.Inject[First]("UserURL")
	_ = tool.Inject[Second]("UserUrl")
)

// Find finds a user with a client.
func Find(c *Client, number int) string { return c.Name }
