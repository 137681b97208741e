package words

import (
	"slices"
	"strings"
)

// Sample lists words in order, each once, and at most eight.
func Sample(words []string) string {
	const most = 8
	words = slices.Compact(slices.Sorted(slices.Values(words)))
	if len(words) > most {
		return strings.Join(words[:most], ", ") + " …"
	}
	return strings.Join(words, ", ")
}
