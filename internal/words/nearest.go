package words

import (
	"cmp"
	"slices"
	"strings"
)

const (
	// longestName is the length, in bytes, above which a name is near none.
	longestName = 64

	// mostNear bounds how many names are suggested.
	mostNear = 3
)

// Near returns the candidates that were most likely meant by a misspelt name,
// at most
// three, the nearest first: those that at most a third of its letters, or one, tell
// from it. Letters that differ in case only count as the same.
func Near(name string, candidates []string) []string {
	type near struct {
		name     string
		distance int
	}
	var found []near
	for _, c := range candidates {
		if max(len(name), len(c)) > longestName {
			continue
		}
		if d := distance(strings.ToLower(name), strings.ToLower(c)); d <= max(1, len(name)/3) {
			found = append(found, near{c, d})
		}
	}
	slices.SortFunc(found, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, f := range found[:min(len(found), mostNear)] {
		names = append(names, f.name)
	}
	return names
}

// distance counts the letters to insert, delete, replace, or swap with their
// neighbour, to make b of a (Damerau and Levenshtein, no letter edited twice).
func distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	var before, above, row [longestName + 1]int // the rows of the table that are looked at
	for j := range len(to) + 1 {
		row[j] = j
	}
	for i, f := range from {
		before, above, row = above, row, before
		row[0] = i + 1
		for j, t := range to {
			if f == t {
				row[j+1] = above[j]
				continue
			}
			row[j+1] = 1 + min(above[j], above[j+1], row[j])
			if i > 0 && j > 0 && f == to[j-1] && from[i-1] == t {
				row[j+1] = min(row[j+1], 1+before[j-1])
			}
		}
	}
	return row[len(to)]
}
