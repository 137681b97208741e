//go:build !race

package corpus_test

// usualDocuments are enough to find every known difference. defaultDocuments is the number for a test
// run.
const usualDocuments, defaultDocuments = 200_000, 200_000
