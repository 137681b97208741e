package load

import "testing"

// TestHelpTags checks that the help names the tags that a file needs, if tags are the reason.
func TestHelpTags(t *testing.T) {
	const some = ", or move what the tool needs to a file without this line"
	const tag, tags = ", or generate with the tag: //go:generate go tool aiongen -tags ", ", or generate with the tags: //go:generate go tool aiongen -tags "
	for _, test := range []struct{ line, want string }{
		{"//go:build extra", tag + "extra"},
		{"//go:build extra && !other", tag + "extra"},
		{"//go:build extra && (one || two)", tags + "extra,one"},
		{"//go:build (plan9 || tool) && !windows", tag + "tool"},
		{"//go:build plan9", some},
		{"//go:build extra && plan9", some},
		{"//go:build !gc", some},
		{"//go:build", some},
	} {
		if got := explainConstraint(test.line, "p.go"); got != "remove "+test.line+" from p.go"+test.want {
			t.Errorf("%s: %s", test.line, got)
		}
	}
}
