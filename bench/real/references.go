package main

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed references.txt
var references string

// readReferences returns the functions in references.txt, as the name of a package in packages.txt, a dot and
// the name of the function.
var readReferences = sync.OnceValues(func() (map[string]bool, error) {
	listed := map[string]bool{}
	for line := range strings.Lines(references) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") || line == "" {
			continue
		}
		function, reason, ok := strings.Cut(line, " — ")
		if !ok || reason == "" {
			return nil, fmt.Errorf("references.txt: %q gives no reason", line)
		}
		if listed[function] {
			return nil, fmt.Errorf("references.txt: %s is listed twice", function)
		}
		listed[function] = true
	}
	return listed, nil
})

// needsReference reports whether a tool cannot be offered without a scope. For packages with patterns, this is
// listed in references.txt; for others, it follows from the arguments and the result of the tool.
func (o *outcome) needsReference(function string, t listedTool, listed map[string]bool) bool {
	if len(o.patterns) == 0 {
		return !t.isOfferable()
	}
	return listed[o.name+"."+function]
}
