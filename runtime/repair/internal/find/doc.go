// Package find finds the values in a text, in fences, in prose or alone, and chooses
// those that are meant: file find reads them, choose decides.
package find
