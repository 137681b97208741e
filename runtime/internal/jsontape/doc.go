// Package jsontape scans a JSON text into a tape: a flat list of its values that can be read in any order. It
// reads the text once and does not allocate memory for each value. It records the kind and position of each
// value, not the Go type that the value becomes.
package jsontape
