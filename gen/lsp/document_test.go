package lsp

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
)

// TestPositions converts every offset of texts with long lines and invalid characters, and back.
func TestPositions(t *testing.T) {
	for _, text := range []string{
		"", "a\n\nb", "\uFEFFé\r\n🙂x\r\r\n", "a\xffb\xf0\x9f\x99c\n\x80",
		strings.Repeat("x", 1023) + "🙂\n" + strings.Repeat("é🙂", 1024) + "\n" + strings.Repeat("\xf0\x9f", 1024),
	} {
		d := newFile(protocol.UTF16, "/a.aion", []byte(text))
		start, line := 0, 0
		for offset := range text {
			want := protocol.Position{Line: uint32(line), Character: uint32(len(utf16.Encode([]rune(text[start:offset]))))}
			if got := d.position(offset); got != want {
				t.Fatalf("%.20q: offset %d is %v, want %v", text, offset, got, want)
			}
			isEnd := text[offset] == '\n' || text[offset] == '\r' && !strings.HasPrefix(text[offset:], "\r\n")
			if back := d.offset(want); back != offset && text[offset] != '\n' {
				t.Fatalf("%.20q: %v is offset %d, want %d", text, want, back, offset)
			}
			if isEnd {
				start, line = offset+1, line+1
			}
		}
	}
}
