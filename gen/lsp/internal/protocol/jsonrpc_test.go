package protocol_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
)

// TestLimits checks that a header which is too long, or claims too much, is rejected before its
// message is read.
func TestLimits(t *testing.T) {
	for _, tt := range []struct{ name, input, want string }{
		{"a long line", strings.Repeat("x", 5000), "a header of more than 4096 bytes"},
		{"many lines", strings.Repeat("x\n", 5000), "a header of more than 4096 bytes"},
		{"a large message", "Content-Length: 67108865\r\n\r\n", "at most 67108864 bytes"},
		{"a negative length", "Content-Length: -1\r\n\r\n", "invalid Content-Length"},
		{"no number", "Content-Length: x\r\n\r\n", "invalid Content-Length"},
		{"no length", "Content-Type: x\r\n\r\n{}", "without Content-Length"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := protocol.NewReader(strings.NewReader(tt.input)).Read()
			if _, recoverable := errors.AsType[*protocol.Error](err); err == nil || recoverable || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}

func FuzzReader(f *testing.F) {
	f.Add("Content-Length: 2\r\n\r\n{}Content-Length: 40\n\n" + `{"jsonrpc":"2.0","id":1,"method":"exit"}`)
	f.Add("Content-Length: 9999\r\n\r\n")
	f.Fuzz(func(t *testing.T, input string) {
		r := protocol.NewReader(strings.NewReader(input))
		for range len(input) + 1 {
			_, err := r.Read()
			if _, recoverable := errors.AsType[*protocol.Error](err); err != nil && !recoverable {
				return
			}
		}
		t.Error("the input has no end")
	})
}

func TestEOF(t *testing.T) {
	if _, err := protocol.NewReader(strings.NewReader("")).Read(); err != io.EOF {
		t.Error(err)
	}
}
