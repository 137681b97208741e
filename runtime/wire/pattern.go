package wire

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression that strings are checked with, in the syntax
// of package regexp. It is compiled when it is used first.
type Pattern struct {
	Text string // must compile

	once     sync.Once
	compiled *regexp.Regexp
}

func (p *Pattern) match(s string) bool {
	p.once.Do(func() { p.compiled = regexp.MustCompile(p.Text) })
	return p.compiled.MatchString(s)
}
