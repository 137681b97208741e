package agenttest

import (
	"strings"

	"github.com/aiongen/aiongen/internal/words"
)

// maxDiffLines limits the lines of a difference.
const maxDiffLines = 200

// maxDiff limits the work of comparing two lists. If the product of their lengths is higher, diff
// looks for no common lines.
const maxDiff = 1 << 18

// diffLines returns how two lists of lines differ.
func diffLines(want, got []string) string {
	return diff(want, got, func(i, j int) bool { return want[i] == got[j] })
}

// diff returns how two lists differ: their common lines, those of want after "- ", and those of got
// after "+ ". It calls equal to compare two elements.
func diff(want, got []string, equal func(i, j int) bool) string {
	var lines []string
	i, j := 0, 0
	if len(want)*len(got) <= maxDiff {
		common := commonLengths(len(want), len(got), equal)
		for i < len(want) && j < len(got) {
			switch {
			case equal(i, j):
				lines = append(lines, "  "+got[j])
				i, j = i+1, j+1
			case common[i+1][j] >= common[i][j+1]:
				lines = append(lines, "- "+want[i])
				i++
			default:
				lines = append(lines, "+ "+got[j])
				j++
			}
		}
	}
	lines = append(lines, markLines("- ", want[i:])...)
	lines = append(lines, markLines("+ ", got[j:])...)
	return joinLines(lines)
}

// joinLines joins lines, and leaves out the last ones if there are too many.
func joinLines(lines []string) string {
	if n := len(lines); n > maxDiffLines {
		lines = append(lines[:maxDiffLines:maxDiffLines], "… and "+words.Count(n-maxDiffLines, "more line"))
	}
	return strings.Join(lines, "\n")
}

// commonLengths compares two lists with n and m elements. Element [i][j] of the result is the length of
// the longest common subsequence of the first list from i on and the second list from j on.
func commonLengths(n, m int, equal func(i, j int) bool) [][]int {
	common := make([][]int, n+1)
	for i := range common {
		common[i] = make([]int, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if equal(i, j) {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	return common
}

// markLines returns lines after a mark.
func markLines(mark string, lines []string) []string {
	marked := make([]string, len(lines))
	for i, line := range lines {
		marked[i] = mark + line
	}
	return marked
}
