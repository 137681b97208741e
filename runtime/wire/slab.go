package wire

import "strings"

// Short texts are copied into shared blocks of memory, because a separate allocation for each would take longer. A
// short text keeps its whole block alive, so blocks are small.
const (
	blockSize = 1 << 10       // bytes that are allocated at once
	maxShared = blockSize / 4 // maximum length of a text in a shared block
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
		s.rest.Grow(blockSize)
		start = 0
	}
	s.rest.Write(text)
	return s.rest.String()[start:]
}

// byteSlab copies texts to byte slices. The zero byteSlab is ready to use.
type byteSlab struct {
	block []byte
	used  int // bytes of the block
}

// copyText returns a copy of the text without spare capacity.
func (s *byteSlab) copyText(text []byte) []byte {
	n := len(text)
	if n > maxShared {
		return append(make([]byte, 0, n), text...)
	}
	if len(s.block)-s.used < n {
		s.block, s.used = make([]byte, blockSize), 0
	}
	x := s.block[s.used : s.used+n : s.used+n]
	s.used += copy(x, text)
	return x
}
