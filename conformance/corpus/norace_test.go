//go:build !race

package corpus_test

// usualDocuments are enough to find every difference there is, and
// defaultDocuments those of a test run.
const usualDocuments, defaultDocuments = 200_000, 200_000
