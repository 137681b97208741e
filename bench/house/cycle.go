package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// crowded is from how many files on a package is asked for cycles.
const crowded = 6

// largestCycle looks for the package whose files call each other in circles the
// most: how much of a hundred of its files is in one cycle.
func largestCycle(h *house) (int, string) {
	var m most
	for _, p := range h.rooms {
		calls := calls(p)
		if len(calls) < crowded {
			continue
		}
		if n := len(cycle(calls)); n > 1 {
			m.take(100*n/len(calls), fmt.Sprintf("%s, %d of %d", name(p), n, len(calls)))
		}
	}
	return m.value, m.where
}

// printRooms lists the packages of a house: their size, and which of their files
// call each other in circles.
func printRooms(w io.Writer, h *house) {
	sizes := map[string]int{}
	h.files(func(p *packages.Package, f *ast.File) { sizes[name(p)] += p.Fset.File(f.FileStart).LineCount() })
	for _, p := range h.rooms {
		calls := calls(p)
		fmt.Fprintf(w, "%s\t%d lines\t%d files", name(p), sizes[name(p)], len(calls))
		if files := cycle(calls); len(files) > 1 {
			slices.Sort(files)
			fmt.Fprintf(w, "\t%d in a cycle\t%s", len(files), strings.Join(files, " "))
		}
		fmt.Fprintln(w)
	}
}

// calls returns for each file of a package in which files the functions stand
// that it uses.
func calls(p *packages.Package) map[string]map[string]bool {
	graph := map[string]map[string]bool{}
	of := func(n interface{ Pos() token.Pos }) string { return filepath.Base(p.Fset.Position(n.Pos()).Filename) }
	for _, f := range p.Syntax {
		if ast.IsGenerated(f) {
			continue
		}
		from := of(f)
		graph[from] = map[string]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			called, ok := p.TypesInfo.Uses[id].(*types.Func)
			if ok && called.Pkg() == p.Types {
				if to := of(called.Origin()); to != from {
					graph[from][to] = true
				}
			}
			return true
		})
	}
	return graph
}

// cycle returns the nodes of the largest strongly connected component of a graph,
// by Tarjan's algorithm.
func cycle(graph map[string]map[string]bool) (largest []string) {
	index, low, onStack := map[string]int{}, map[string]int{}, map[string]bool{}
	var stack []string
	var visit func(string)
	visit = func(v string) {
		index[v] = len(index) + 1
		low[v] = index[v]
		stack, onStack[v] = append(stack, v), true
		for w := range graph[v] {
			switch {
			case index[w] == 0:
				visit(w)
				low[v] = min(low[v], low[w])
			case onStack[w]:
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] < index[v] {
			return
		}
		first := slices.Index(stack, v)
		for _, w := range stack[first:] {
			onStack[w] = false
		}
		if component := stack[first:]; len(component) > len(largest) {
			largest = slices.Clone(component)
		}
		stack = stack[:first]
	}
	for v := range graph {
		if index[v] == 0 {
			visit(v)
		}
	}
	return largest
}
