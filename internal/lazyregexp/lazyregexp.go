// Package lazyregexp provides regular expressions that are compiled on first use. A program that does not use an
// expression spends no time on compiling it. If a program uses none, the linker can omit package regexp.
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

// Get returns the regular expression. It panics if the text does not compile.
func (r *Regexp) Get() *regexp.Regexp {
	r.once.Do(func() { r.compiled = regexp.MustCompile(r.Text) })
	return r.compiled
}
