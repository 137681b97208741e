// Package slab copies short texts, several into one piece of memory: to allocate one
// for each takes longer than to copy it. Who keeps one of them keeps all of the piece,
// which is why it is small.
package slab

import "strings"

const (
	piece   = 1 << 10 // bytes that are allocated at once
	longest = piece / 4
)

// Strings copies texts as strings. The zero Strings is ready to be used, and must not
// be copied.
type Strings struct{ rest strings.Builder }

// Copy returns the text.
func (s *Strings) Copy(text []byte) string {
	if len(text) > longest {
		return string(text)
	}
	start := s.rest.Len()
	if s.rest.Cap()-start < len(text) {
		s.rest.Reset()
		s.rest.Grow(piece)
		start = 0
	}
	s.rest.Write(text)
	return s.rest.String()[start:]
}

// Bytes copies texts as bytes. The zero Bytes is ready to be used.
type Bytes struct {
	piece []byte
	taken int
}

// Copy returns the text, with no room behind it.
func (s *Bytes) Copy(text []byte) []byte {
	n := len(text)
	if n > longest {
		return append(make([]byte, 0, n), text...)
	}
	if len(s.piece)-s.taken < n {
		s.piece, s.taken = make([]byte, piece), 0
	}
	x := s.piece[s.taken : s.taken+n : s.taken+n]
	s.taken += copy(x, text)
	return x
}
