package load

import "testing"

// TestHelpTags names the tags that a file wants, where tags are what it wants.
func TestHelpTags(t *testing.T) {
	const some = "name the build tags that its file wants: -tags name"
	for _, test := range []struct{ line, want string }{
		{"//go:build extra", "its file wants build tags: -tags extra"},
		{"//go:build extra && !other", "its file wants build tags: -tags extra"},
		{"//go:build extra && (one || two)", "its file wants build tags: -tags extra,one"},
		{"//go:build (plan9 || tool) && !windows", "its file wants build tags: -tags tool"},
		{"//go:build plan9", some},
		{"//go:build extra && plan9", some},
		{"//go:build !gc", some},
		{"//go:build", some},
	} {
		if got := helpTags(test.line); got != test.want {
			t.Errorf("%s: %s", test.line, got)
		}
	}
}
