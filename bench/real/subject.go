package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed packages.txt
var packages string

// A subject is a package from which tools are made.
type subject struct {
	name            string
	module, version string   // module is "std" for the standard library
	path            string   // import path
	measured        string   // type whose output schema is measured, such as "io/fs.FileMode"; "" for none
	patterns        []string // functions that a team would choose; without any, they are picked mechanically
}

// requirements returns the modules that the subject needs, with their versions.
func (s subject) requirements() []string {
	if s.module == "std" {
		return nil
	}
	return []string{s.module + " " + s.version}
}

// chooseSubjects returns the subjects with the given names, or all. The name "patterns" stands for all that
// have patterns.
func chooseSubjects(names []string) ([]subject, error) {
	var all []subject
	known := map[string]subject{}
	for line := range strings.Lines(packages) {
		f := strings.Fields(line)
		if strings.HasPrefix(line, "#") || len(f) == 0 {
			continue
		}
		if len(f) < 4 {
			return nil, fmt.Errorf("packages.txt: %q is not a name, module, version and package", line)
		}
		s := subject{name: f[0], module: f[1], version: f[2], path: f[3]}
		for _, option := range f[4:] {
			if t, ok := strings.CutPrefix(option, "measure="); ok {
				s.measured = t
			} else {
				s.patterns = append(s.patterns, option)
			}
		}
		all, known[s.name] = append(all, s), s
	}
	if len(names) == 0 {
		return all, nil
	}
	var chosen []subject
	for _, name := range names {
		s, ok := known[name]
		if name == "patterns" {
			chosen = append(chosen, slices.DeleteFunc(slices.Clone(all), func(s subject) bool { return len(s.patterns) == 0 })...)
			continue
		}
		if !ok {
			return nil, fmt.Errorf("packages.txt has no %q", name)
		}
		chosen = append(chosen, s)
	}
	return chosen, nil
}
