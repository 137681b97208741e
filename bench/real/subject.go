package main

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed packages.txt
var packages string

// A subject is a package to make tools of.
type subject struct {
	name            string
	module, version string // module is "std" for the standard library
	path            string // import path
	measured        string // type whose output schema is measured: "io/fs.FileMode"; "" for none
}

// choose returns the subjects of the given names, or all.
func choose(names []string) ([]subject, error) {
	var all []subject
	known := map[string]subject{}
	for line := range strings.Lines(packages) {
		f := strings.Fields(line)
		if strings.HasPrefix(line, "#") || len(f) == 0 {
			continue
		}
		if len(f) < 4 || len(f) > 5 {
			return nil, fmt.Errorf("packages.txt: %q is not a name, module, version, package and perhaps a type", line)
		}
		s := subject{name: f[0], module: f[1], version: f[2], path: f[3]}
		if len(f) == 5 {
			s.measured = f[4]
		}
		all, known[s.name] = append(all, s), s
	}
	if len(names) == 0 {
		return all, nil
	}
	var chosen []subject
	for _, name := range names {
		s, ok := known[name]
		if !ok {
			return nil, fmt.Errorf("packages.txt has no %q", name)
		}
		chosen = append(chosen, s)
	}
	return chosen, nil
}
