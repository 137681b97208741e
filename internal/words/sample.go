package words

import "slices"

// Sample lists words in order, each once, and at most eight.
func Sample(words []string) string {
	return Join(slices.Compact(slices.Sorted(slices.Values(words))), ", ", 8)
}
