// Package reader reads one value of malformed text into a tree, from left to right, and records each
// deviation from JSON as an edit. It does not find out where values begin in a text.
package reader
