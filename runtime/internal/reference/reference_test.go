package reference_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/internal/reference"
)

func Example() {
	fmt.Println(reference.Format("reader"))
	fmt.Println(reference.ParseName("<<var:reader>>"))
	fmt.Println(reference.Escape("<<var:reader>>"))
	fmt.Println(reference.Unescape("<<<var:reader>>"))
	// Output:
	// <<var:reader>>
	// reader true
	// <<<var:reader>>
	// <<var:reader>> true
}

// FuzzReference checks that every reference matches the pattern, and that every text survives quoting.
func FuzzReference(f *testing.F) {
	for _, seed := range []string{"", "a", "<<var:a>>", "<<<var:a>>", "<<<<var:a.b-c_9>>", "<var:a>>", "<<var:>>", "<<var:é>>", "<<var:a>>\n", "<<var:" + strings.Repeat("a", 65) + ">>"} {
		f.Add(seed)
	}
	pattern := regexp.MustCompile(reference.Pattern)
	f.Fuzz(func(t *testing.T, text string) {
		if name, ok := reference.ParseName(text); ok != pattern.MatchString(text) || ok && reference.Format(name) != text {
			t.Errorf("%q: %q %t", text, name, ok)
		}
		escaped := reference.Escape(text)
		back, changed := reference.Unescape(escaped)
		if _, refers := reference.ParseName(escaped); refers || changed && back != text || !changed && escaped != text {
			t.Errorf("%q is written as %q, and read as %q", text, escaped, back)
		}
	})
}
