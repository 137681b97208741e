package buffer

import "strings"

const (
	pieceSize = 1 << 10 // bytes that are allocated at once
	maxShared = pieceSize / 4
)

// Strings copies texts to strings. The zero Strings is ready to use. A Strings must not be copied.
type Strings struct{ rest strings.Builder }

// Copy returns a copy of the text.
func (s *Strings) Copy(text []byte) string {
	if len(text) > maxShared {
		return string(text)
	}
	start := s.rest.Len()
	if s.rest.Cap()-start < len(text) {
		s.rest.Reset()
		s.rest.Grow(pieceSize)
		start = 0
	}
	s.rest.Write(text)
	return s.rest.String()[start:]
}

// Bytes copies texts to byte slices. The zero Bytes is ready to use.
type Bytes struct {
	piece []byte
	used  int
}

// Copy returns a copy of the text without spare capacity.
func (s *Bytes) Copy(text []byte) []byte {
	n := len(text)
	if n > maxShared {
		return append(make([]byte, 0, n), text...)
	}
	if len(s.piece)-s.used < n {
		s.piece, s.used = make([]byte, pieceSize), 0
	}
	x := s.piece[s.used : s.used+n : s.used+n]
	s.used += copy(x, text)
	return x
}
