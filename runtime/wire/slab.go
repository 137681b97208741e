package wire

import "strings"

// Short texts share pieces of memory, because separate allocations would take longer than the copies. A short
// text keeps its whole piece alive, so pieces are small.
const (
	pieceSize = 1 << 10 // bytes that are allocated at once
	maxShared = pieceSize / 4
)

// stringSlab copies texts to strings. The zero stringSlab is ready to use. A stringSlab must not be copied.
type stringSlab struct{ rest strings.Builder }

// copyText returns a copy of the text.
func (s *stringSlab) copyText(text []byte) string {
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

// byteSlab copies texts to byte slices. The zero byteSlab is ready to use.
type byteSlab struct {
	piece []byte
	used  int
}

// copyText returns a copy of the text without spare capacity.
func (s *byteSlab) copyText(text []byte) []byte {
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
