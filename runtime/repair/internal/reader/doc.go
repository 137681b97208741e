// Package reader reads one value of malformed text into a tree, from left to right, and records each
// deviation from JSON as an edit. The caller must know where the value begins.
package reader
