// Package output has tools that are generated into a package of their own.
package output

import (
	f "fmt"
	"net/url"
	"strings"
)

// Status is what became of it.
type Status struct {
	OK   bool   `json:"ok"`
	Note string `json:"note"`

	seen int
}

// Seen counts how often it was asked.
func (s *Status) Seen() int {
	s.seen++
	return s.seen
}

// Shout shouts.
func Shout(text string) string { return strings.ToUpper(text) }

// Marks are what a shout ends with.
var Marks = Suffix{"!"}

// Suffix is something to append.
type Suffix struct{ text string }

// Append appends the suffix.
func (s Suffix) Append(text string) string { return text + s.text }

// Most is the number of Marks that a shout has at most.
const Most = 3

var _ = f.Sprint
var _ url.URL
