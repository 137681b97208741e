// Package lazyregexp has regular expressions that are compiled when they are used first.
// Programs that use none neither wait for it nor, where nobody but what uses it refers to
// one, link package regexp.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression in the syntax of package regexp.
type Regexp struct {
	Text     string // must compile
	once     sync.Once
	compiled *regexp.Regexp
}

// Get returns the regular expression. It panics if the text is none.
func (r *Regexp) Get() *regexp.Regexp {
	r.once.Do(func() { r.compiled = regexp.MustCompile(r.Text) })
	return r.compiled
}
