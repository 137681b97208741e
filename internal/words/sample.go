package words

import "slices"

// Sample lists words in order, each once. Of many the first eight are told.
func Sample(words []string) string {
	return Join(slices.Compact(slices.Sorted(slices.Values(words))), ", ", 8)
}
