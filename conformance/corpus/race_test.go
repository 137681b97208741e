//go:build race

package corpus_test

// The race detector makes the test ten times as slow.
const usualDocuments, defaultDocuments = 200_000, 20_000
