// Package tape reads a JSON text into a list of its values, a tape, from which they
// can be taken in any order: it goes over the text once, and allocates nothing for
// a value. It knows what a value is and where, not which Go type it is read as.
//
// Its layers, from top to bottom; no file calls one above it:
//
//	resolve, canonical    references to variables; equal values as equal text
//	scan                  a text as a tape, or why it is none
//	pointer               where a value is, and what, in words
//	tape                  the list
package tape
