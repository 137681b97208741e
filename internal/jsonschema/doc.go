// Package jsonschema reads JSON Schemas of draft 2020-12 and checks values against them.
//
// Parse parses a schema and resolves the references within its document. Check returns the
// faults of a value, and NewChecker checks many values within one limit of work. The package
// loads no other documents, checks formats, and rejects hostile schemas with an error.
//
// Programs that use only the functions for the form of a schema (CheckForm,
// SubschemaShapeOf, MapSubschemas, LocalPointer) or for strings (ExpectedFormat,
// ExpectedMatch, DecodeBase64) do not link the checker. Truncate shortens a value so that it
// still fits its schema.
package jsonschema
