// Package parts names types that other packages cannot name without it.
package parts

import "github.com/aiongen/aiongen/testdata/golden/aliases/parts/internal/deep"

// Options are options.
type Options = deep.Options

// Client is a client.
type Client = service

type service interface {
	// Get gets options.
	Get(name string) (Options, error)
}

// Holder holds options.
type Holder struct {
	First *Options
	More  []Options
}

// Open returns the options of a name.
func Open(o Options, h Holder, byName map[string]Options) *Options { return h.First }
