package bind

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
)

// A foreignFunction is how another language writes a function: its parameters, and the
// expression that it returns, if it has no more than that.
type foreignFunction struct {
	name    string
	pattern *regexp.Regexp
}

var foreignFunctions = []foreignFunction{
	{"a function of JavaScript", regexp.MustCompile(`(?s)^(?:async\s+)?function\b[^(]*\(([^)]*)\)\s*\{(?:\s*return\s+([^;{}]+);?\s*\}$)?`)},
	{"a function of JavaScript", regexp.MustCompile(`(?s)^(?:async\s*)?\(?([\w\s,]*)\)?\s*=>\s*([^;{}]+)?`)},
	{"a statement of Python", regexp.MustCompile(`(?s)^def\b[^(]*\(([^)]*)\)[^:]*:(?:\s*return\s+([^\n;]+)$)?`)},
}

// elsewhere says what a text is that is a function in another language, and what to
// write; it is empty if it is none.
func elsewhere(source string) string {
	for _, f := range foreignFunctions {
		if m := f.pattern.FindStringSubmatch(source); m != nil {
			oneLine := func(text string) string { return strings.Join(strings.Fields(text), " ") }
			lambda := strings.TrimSpace("lambda "+oneLine(m[1])) + ": " + cmp.Or(oneLine(m[2]), "…")
			return fmt.Sprintf("this is %s: write the name of a Go function, or a lambda, as in %q", f.name, lambda)
		}
	}
	return ""
}
