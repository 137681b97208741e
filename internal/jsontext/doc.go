// Package jsontext knows JSON as text: how numbers, strings and JSON Pointers are
// written and what they say, and values as ordered trees that keep how each part
// was written. It never makes a number longer than it is in the text, and reads
// what RFC 8259 allows alone: UTF-8, with surrogates in pairs.
//
// Its layers, from top to bottom:
//
//	canonical.go  equal values as equal text
//	parse.go      a text as a tree, or why it is none
//	tree.go       the tree
//	pointer.go    JSON Pointers
//	marshal.go    Go values as encoding/json writes them
//	string.go     strings, as they are written and as what they say
//	integer.go    numbers as the integers of Go
//	number.go     the grammar of numbers, and exact decimals
package jsontext
