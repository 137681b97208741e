// Package jsonschema knows JSON Schemas of draft 2020-12: it reads one, with what it
// refers to within its document, and holds values against it. Nothing is ever
// loaded, formats are checked, and hostile schemas end with an error.
//
// Its layers, from top to bottom:
//
//	check.go, object.go    a value held against a schema, with all that is in it
//	scalar.go              what the keywords say of numbers and strings
//	steps.go               the bound of the work
//	parse.go, keyword.go   a text as a schema
//	reference.go           what $id, $anchor and $ref mean
//	words.go               what is wrong, in words: the one table of them
//	schema.go              the schema
//
// What strings may be is in package text below it, and how two schemas differ in
// package compare above.
package jsonschema
