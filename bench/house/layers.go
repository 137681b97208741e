package main

import (
	"fmt"
	"go/ast"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// layered is from how many files on a package says in its doc comment which
// layers they form.
const layered = 4

// layerLine is a line of a doc comment that names the files of one layer, and says
// behind two spaces what they are.
var layerLine = regexp.MustCompile(`(?m)^[\t ]+(\w+(?:\.go)?(?:, \w+(?:\.go)?)*)  +\S`)

// layers returns the number of the layer in which each file of a package is said
// to stand, from top to bottom.
func layers(p *packages.Package) map[string]int {
	at := map[string]int{}
	for _, f := range p.Syntax {
		for i, line := range layerLine.FindAllStringSubmatch(f.Doc.Text(), -1) {
			for file := range strings.SplitSeq(line[1], ", ") {
				at[strings.TrimSuffix(file, ".go")+".go"] = i
			}
		}
	}
	return at
}

// unplaced counts the files that no layer of their package names, and the names of
// layers that no file has. The doc comment of a program is its manual.
func unplaced(h *house) (value int, where string) {
	var which []string
	for _, p := range h.rooms {
		files, at := authored(p), layers(p)
		if len(files) < layered || p.Name == "main" || strings.HasPrefix(name(p), "example") {
			continue
		}
		for _, file := range files {
			if _, ok := at[file]; !ok && file != "doc.go" {
				which = append(which, name(p)+"/"+file)
			}
		}
		for _, file := range slices.Sorted(maps.Keys(at)) {
			if !slices.Contains(files, file) {
				which = append(which, name(p)+"/"+file)
			}
		}
	}
	return len(which), strings.Join(which, ", ")
}

// upward counts the pairs of files of which one calls the other although it stands
// in a lower layer.
func upward(h *house) (value int, where string) {
	var pairs []string
	for _, p := range h.rooms {
		at, calls := layers(p), calls(p)
		for _, from := range slices.Sorted(maps.Keys(calls)) {
			for _, to := range slices.Sorted(maps.Keys(calls[from])) {
				lower, a := at[from]
				upper, b := at[to]
				if a && b && upper < lower {
					pairs = append(pairs, fmt.Sprintf("%s/%s → %s", name(p), from, to))
				}
			}
		}
	}
	return len(pairs), strings.Join(pairs, ", ")
}

// authored returns the files of a package that somebody wrote.
func authored(p *packages.Package) (files []string) {
	for _, f := range p.Syntax {
		if !ast.IsGenerated(f) {
			files = append(files, filepath.Base(p.Fset.File(f.FileStart).Name()))
		}
	}
	slices.Sort(files)
	return files
}
