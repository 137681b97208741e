// Package deep is internal to parts.
package deep

// Options are options.
type Options struct {
	Name string
	Size int
}

// Grow makes them larger.
func (o *Options) Grow(by int) { o.Size += by }
