package words

import (
	"cmp"
	"slices"
	"strings"
)

// mostNear bounds how many names [Near] suggests.
const mostNear = 3

// Near returns the candidates that were most likely meant by a misspelt name, at
// most three, the nearest first: those that at most a third of its letters, or one,
// tell from it. Letters that differ in case only count as the same. Of long names,
// which models may send, none is near.
func Near(name string, candidates []string) []string {
	type near struct {
		name     string
		distance int
	}
	var found []*near // of pointers, as all sorting here: programs link it once for each kind of element
	for _, c := range candidates {
		if max(len(name), len(c)) > longestWord {
			continue
		}
		if d := folded(name, c); d <= max(1, len(name)/3) {
			found = append(found, &near{c, d})
		}
	}
	slices.SortStableFunc(found, func(a, b *near) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, f := range found[:min(len(found), mostNear)] {
		names = append(names, f.name)
	}
	return names
}

// Nearest returns the one candidate that was most likely meant by a misspelt name:
// one that differs in case only, else the first of those that the fewest letters tell
// from it, at most a third of its own or one, else the first that the name
// abbreviates ("desc" for "description"). It is empty if no candidate is near.
func Nearest(name string, candidates []string) string {
	best, distance := closest(name, candidates)
	if distance <= max(1, len([]rune(name))/3) {
		return best
	}
	if len(name) < 3 {
		return ""
	}
	for _, c := range candidates {
		if len(c) > len(name) && strings.EqualFold(c[:len(name)], name) {
			return c
		}
	}
	return ""
}

// Closest is Nearest for a closed set: it always returns one of the candidates,
// however far from the name.
func Closest(name string, candidates []string) string {
	if near := Nearest(name, candidates); near != "" {
		return near
	}
	best, _ := closest(name, candidates)
	return best
}

// closest returns the first candidate at the least distance.
func closest(name string, candidates []string) (best string, distance int) {
	for i, c := range candidates {
		if d := folded(name, c); i == 0 || d < distance {
			best, distance = c, d
		}
	}
	return best, distance
}

// folded is the distance of two words in which letters that differ in case only are
// the same.
func folded(a, b string) int {
	if strings.EqualFold(a, b) {
		return 0
	}
	return Distance(strings.ToLower(a), strings.ToLower(b))
}

// longestCompared bounds the work on words that nobody could have misspelt.
const longestCompared = 256

// Distance counts the letters to insert, delete, replace, or swap with their
// neighbour, to make b of a (Damerau and Levenshtein, no letter edited twice).
func Distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	if max(len(from), len(to)) > longestCompared {
		return max(len(from), len(to))
	}
	var table [3][longestCompared + 1]int // the rows that are looked at
	before, above, row := &table[0], &table[1], &table[2]
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
