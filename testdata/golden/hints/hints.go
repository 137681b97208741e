// Package hints has what its .aion file nearly names.
package hints

import "context"

// Find finds.
func Find(name string) []string { return nil }

// Count counts.
func Count(words []string, sizes map[string]int, grid [][]int) int { return 0 }

// Wait waits.
func Wait(ctx context.Context, seconds int) error { return nil }

// Query is what to look for.
type Query struct {
	Text  string `json:"text"`
	Limit int    `json:"limit"`
}

// Search searches.
func Search(q Query) []string { return nil }

// Store stores.
type Store struct{}

// Save saves.
func (s *Store) Save(key string) {}
