// Package reader reads one value of malformed text into a tree, from left to right,
// and records what it read otherwise than it is written. It does not know where in a
// text there are values. Its layers, from top to bottom:
//
//	whole                            texts that are one value
//	values                           values, members and elements; they hold each other
//	bare, extent, punctuation        text without quotes; where strings end; brackets, commas and colons
//	ends                             what ends a string, by what follows
//	reader, quotation                what is open, and the places of strings
package reader
