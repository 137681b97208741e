package wire

import "testing"

// TestBoundedText checks that a text that exceeds its limit is replaced by an error with the length of the
// whole text.
func TestBoundedText(t *testing.T) {
	for _, tt := range []struct {
		limit         int
		output, fault string
	}{
		{100, "[true,true,true]", ""},
		{5, "", "it is 16 bytes long, the limit is 5"},
	} {
		var b boundedText
		b.start(tt.limit)
		if b.open("", '[') {
			for range 3 {
				if b.begin(",") {
					b.b = append(b.b, "true"...)
				}
			}
			b.close("]")
		}
		output, _, err := b.done()
		if string(output) != tt.output || (err != nil) != (tt.fault != "") || err != nil && err.Error() != tt.fault {
			t.Errorf("limit %d: got %s, %v; want %s, %s", tt.limit, output, err, tt.output, tt.fault)
		}
	}
}
