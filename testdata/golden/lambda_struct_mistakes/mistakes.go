// Package mistakes has lambdas and paths that do not fit structs and methods.
package mistakes

import "github.com/aiongen/aiongen/runtime/tool"

// Client is the client of a cluster.
type Client interface{ Core() Core }

// Other is another client.
type Other struct{}

// Core returns the core.
func (*Other) Core() Core { return shared }

var shared Core

// Core gives access to pods.
type Core struct{ Node Node }

// Node is a machine.
type Node struct{}

// Pods returns the pods of a namespace.
func (Core) Pods(namespace string, limit int) *Pods { return nil }

// Start starts a node.
func (Node) Start(name string) error { return nil }

// Pods are the pods of a namespace.
type Pods struct{}

// List lists pods.
func (*Pods) List(opts Options) []string { return nil }

// Options are options.
type Options struct {
	Limit int `json:"limit"`
}

// Size is a number.
type Size int

// Box holds a value.
type Box[T any] struct{ Value T }

var _ = tool.Inject[Client]()

// Take takes options.
func Take(o Options, s Size) int { return int(s) }

// Save saves settings.
func Save(settings []byte, since Since) {}

// Since is a time.
type Since struct{ n int }

// UnmarshalText reads a time.
func (s *Since) UnmarshalText(text []byte) error { s.n = len(text); return nil }
