// Package jsonschema knows JSON Schemas of draft 2020-12: it reads one, with what it
// refers to within its document, and holds values against it. Nothing is ever
// loaded, formats are checked, and hostile schemas end with an error.
//
// Its layers, from top to bottom:
//
//	check.go, steps.go        a value held against a schema, in a bounded number of steps
//	object.go, scalar.go      what the keywords say of each kind of value
//	words.go                  what is wrong, in words: the one table of them
//	parse.go, keyword.go      a text as a schema
//	reference.go              what $id, $anchor and $ref mean
//	schema.go                 the schema
//	text                      a package of its own: what strings may be
package jsonschema
