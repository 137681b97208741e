// Package mistakes has functions that cannot be tools of another package.
package mistakes

import "github.com/aiongen/aiongen/runtime/tool"

type client struct{ note string }

func (c *client) Find(key string) string { return c.note + key }

type token string

var (
	_ = tool.Inject[*client]()
	_ = tool.Inject[token]("Secret")
)

// Take takes what no other package can name.
func Take(c *client, t token, key string) string { return c.Find(key) + string(t) }

// Store has a method.
type Store struct{ note string }

// Find finds.
func (s *Store) Find(key string) string { return s.note + key }

func (s *Store) find(key string) string { return s.Find(key) }

var def = &Store{}

// Shared is a Store that is exported.
var Shared = def

type base struct {
	ID string `json:"id"`
}

// Outer hides a field of what it embeds.
type Outer struct {
	base
	ID string `json:"outer"`
}

// Show shows.
func Show(o Outer) Outer { return o }

func hidden(text string) string { return text }

var _ = (*Store).find
var _ = hidden
