package transport

// buffer collects the bytes of a message in pieces of pieceSize bytes. So a long message is copied
// only once, when it is complete, instead of each time that the buffer grows.
type buffer struct {
	pieces [][]byte
	size   int
}

// pieceSize is the size of a full piece, in bytes.
const pieceSize = 64 << 10

func (b *buffer) append(p []byte) {
	b.size += len(p)
	for len(p) > 0 {
		if n := len(b.pieces); n == 0 || len(b.pieces[n-1]) == pieceSize {
			b.pieces = append(b.pieces, nil)
		}
		last := &b.pieces[len(b.pieces)-1]
		n := min(len(p), pieceSize-len(*last))
		*last = append(*last, p[:n]...)
		p = p[n:]
	}
}

// trimEnd removes the last byte if it is c.
func (b *buffer) trimEnd(c byte) {
	if b.size == 0 {
		return
	}
	last := &b.pieces[len(b.pieces)-1]
	if n := len(*last) - 1; (*last)[n] == c {
		*last = (*last)[:n]
		b.size--
		if n == 0 {
			b.pieces = b.pieces[:len(b.pieces)-1]
		}
	}
}

// takeBytes returns the collected bytes, and empties the buffer.
func (b *buffer) takeBytes() []byte {
	pieces, size := b.pieces, b.size
	*b = buffer{}
	if len(pieces) == 1 {
		return pieces[0]
	}
	all := make([]byte, 0, size)
	for _, p := range pieces {
		all = append(all, p...)
	}
	return all
}
