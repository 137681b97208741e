package words

import "slices"

// Sample lists words in order without duplicates, at most the first eight.
func Sample(words []string) string {
	return Join(slices.Compact(slices.Sorted(slices.Values(words))), ", ", 8)
}
