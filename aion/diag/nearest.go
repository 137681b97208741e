package diag

import "strings"

// Nearest returns the candidate that was most likely meant by a misspelt name:
// one that differs in case only, else the first of those at the least
// Damerau–Levenshtein distance of at most a third of the name's length (or one),
// else the first that the name abbreviates ("desc" for "description").
// It is empty if no candidate is near.
func Nearest(name string, candidates []string) string {
	best, distance := nearest(name, candidates)
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
	if best := Nearest(name, candidates); best != "" {
		return best
	}
	best, _ := nearest(name, candidates)
	return best
}

// nearest returns the first candidate at the least distance. Letters that
// differ in case only are no distance at all.
func nearest(name string, candidates []string) (best string, distance int) {
	for i, c := range candidates {
		if strings.EqualFold(c, name) {
			return c, 0
		}
		if d := Distance(strings.ToLower(name), strings.ToLower(c)); i == 0 || d < distance {
			best, distance = c, d
		}
	}
	return best, distance
}

// longestName bounds the work on names that nobody could have misspelt.
const longestName = 256

// Distance counts the insertions, deletions, replacements and swaps of neighbours
// between two words (optimal string alignment).
func Distance(from, to string) int {
	a, b := []rune(from), []rune(to)
	if len(a) > longestName || len(b) > longestName {
		return max(len(a), len(b))
	}
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, above, row = above, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := above[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(above[j]+1, row[j-1]+1, replace)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
