package words

import (
	"cmp"
	"slices"
	"strings"
)

// maxNear is the maximum number of names that [Near] returns.
const maxNear = 3

// Near returns the candidates that a misspelled name most likely means, at most three, the nearest first. A
// candidate is near if one letter differs, or at most a third of the name's letters; case does not matter. Near
// returns nil for names of more than 64 bytes.
func Near(name string, candidates []string) []string {
	type near struct {
		name     string
		distance int
	}
	var found []*near // pointers, so that the instances of generic sort functions share their code
	for _, c := range candidates {
		if max(len(name), len(c)) > longestWord {
			continue
		}
		if d := foldedDistance(name, c); d <= max(1, len(name)/3) {
			found = append(found, &near{c, d})
		}
	}
	slices.SortStableFunc(found, func(a, b *near) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, f := range found[:min(len(found), maxNear)] {
		names = append(names, f.name)
	}
	return names
}

// Nearest returns the candidate that a misspelled name most likely means. It tries these in order:
//
//   - a candidate that differs only in case
//   - the candidate that differs in the fewest letters: in one, or in at most a third of the name's letters
//   - the first candidate that the name abbreviates, such as "description" for the name "desc"
//   - the longest candidate that the name begins with, such as "Lend" for the name "LendBook"
//
// It returns "" if there is none.
func Nearest(name string, candidates []string) string {
	best, distance := findClosest(name, candidates)
	if distance <= max(1, len([]rune(name))/3) {
		return best
	}
	if len(name) < minWord {
		return ""
	}
	for _, c := range candidates {
		if len(c) > len(name) && strings.EqualFold(c[:len(name)], name) {
			return c
		}
	}
	best = ""
	for _, c := range candidates {
		if len(c) >= minWord && len(c) > len(best) && beginsWithWords(name, c) {
			best = c
		}
	}
	return best
}

// NearestFitting returns the nearest candidate for which fits returns true. If none of the ten nearest fits, it returns
// the nearest of all.
func NearestFitting(name string, candidates []string, fits func(candidate string) bool) string {
	nearest := Nearest(name, candidates)
	rest := candidates
	for near := nearest; near != "" && len(candidates)-len(rest) < maxMisfits; near = Nearest(name, rest) {
		if fits(near) {
			return near
		}
		rest = slices.DeleteFunc(slices.Clone(rest), func(c string) bool { return c == near })
	}
	return nearest
}

// maxMisfits is the maximum number of candidates that NearestFitting rejects.
const maxMisfits = 10

// minWord is the minimum length of a name or candidate that Nearest recognizes at the beginning of the other one.
const minWord = 3

// beginsWithWords reports whether a name begins with other words and continues with another
// word, as LendBook and lend_book begin with Lend.
func beginsWithWords(name, words string) bool {
	if len(name) <= len(words) || !strings.EqualFold(name[:len(words)], words) {
		return false
	}
	next := name[len(words)]
	return next == '_' || next == '-' || 'A' <= next && next <= 'Z'
}

// findClosest returns the first candidate with the least distance, and the distance.
func findClosest(name string, candidates []string) (best string, distance int) {
	for i, c := range candidates {
		if d := foldedDistance(name, c); i == 0 || d < distance {
			best, distance = c, d
		}
	}
	return best, distance
}

// foldedDistance returns the distance of two words, ignoring case.
func foldedDistance(a, b string) int {
	if strings.EqualFold(a, b) {
		return 0
	}
	return Distance(strings.ToLower(a), strings.ToLower(b))
}

// longestCompared is the maximum length of words that Distance compares, in characters.
const longestCompared = 256

// Distance returns the number of edits that turn a into b: a letter is inserted, deleted, replaced or swapped with its
// neighbor, and no letter is edited twice (the restricted Damerau–Levenshtein distance). If a word has more than 256
// letters, Distance returns the length of the longer one.
func Distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	if max(len(from), len(to)) > longestCompared {
		return max(len(from), len(to))
	}
	var table [3][longestCompared + 1]int // the last three rows
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
