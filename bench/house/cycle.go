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

// minCycleFiles is how many files a package must have for cycles to matter.
const minCycleFiles = 6

// largestCycle finds the package with the largest cycle of calls between files, as a percentage of its
// files.
func largestCycle(h *checkout) (int, string) {
	var m maximum
	for _, p := range h.packages {
		calls := callGraph(p)
		if len(calls) < minCycleFiles {
			continue
		}
		if n := len(findCycle(calls)); n > 1 {
			m.update(100*n/len(calls), fmt.Sprintf("%s, %d of %d", packageName(p), n, len(calls)))
		}
	}
	return m.value, m.where
}

// printPackages lists the packages of a checkout with their sizes and the files that form a cycle.
func printPackages(w io.Writer, h *checkout) {
	sizes := map[string]int{}
	h.forEachFile(func(p *packages.Package, f *ast.File) { sizes[packageName(p)] += p.Fset.File(f.FileStart).LineCount() })
	for _, p := range h.packages {
		calls := callGraph(p)
		fmt.Fprintf(w, "%s\t%d lines\t%d files", packageName(p), sizes[packageName(p)], len(calls))
		if files := findCycle(calls); len(files) > 1 {
			slices.Sort(files)
			fmt.Fprintf(w, "\t%d in a cycle\t%s", len(files), strings.Join(files, " "))
		}
		fmt.Fprintln(w)
	}
}

// callGraph returns for each file of a package the other files whose functions it uses.
func callGraph(p *packages.Package) map[string]map[string]bool {
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

// findCycle returns the largest strongly connected component of a graph, by Tarjan's algorithm.
func findCycle(graph map[string]map[string]bool) (largest []string) {
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
