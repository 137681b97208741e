// Package parts has types of which other packages cannot name all.
package parts

import "github.com/aiongen/aiongen/testdata/golden/reach_mistakes/parts/internal/deep"

// Entity leads to an internal interface.
type Entity struct{ Signature *Signature }

// Signature holds it.
type Signature struct{ RSA []deep.Field }

// Options have a function of a type that is not exported.
type Options struct {
	Name       string
	Transcoder transcoder
}

type transcoder func(string) string

// Asked has fields that somebody asked for, and that nobody else can reach.
type Asked struct {
	Coder transcoder `json:"coder"`
}

// Service holds one that leads to an internal interface.
type Service struct {
	OAuth *oauthService `json:"oauth"`
}

// Watcher holds what only stands in a type that cannot be named.
type Watcher struct{ Holder deep.Holder }

// Client has a service of a type that is not exported, which holds an interface.
type Client struct {
	Name  string
	OAuth *oauthService
}

type oauthService struct {
	Key     string
	Backend deep.Field
}

// Connect returns a client.
func Connect(o *Client, n int) *Client { return o }

// Open takes them.
func Open(name string, o Options) {}

// Sign takes the first.
func Sign(e *Entity, text string) {}

// Watch takes the last.
func Watch(w Watcher, n int) {}

// Take takes what is not exported itself.
func Take(t transcoder, n int) {}

// Give returns them.
func Give() (e Entity, o Options) { return e, o }
