// Package jsonschema reads JSON Schemas of draft 2020-12 and checks values against them.
//
// Parse parses a schema and resolves the references within its document. Check returns the faults of a value. To
// check many values with one limit on the steps, use NewChecker. Truncate shortens a value so that it still
// matches its schema. The package checks formats, does not load other documents, and rejects hostile schemas with
// an error.
//
// Programs that use only the functions for the form of a schema (CheckForm,
// SubschemaShapeOf, MapSubschemas, LocalPointer) or for strings (ExpectedFormat,
// ExpectedMatch, DecodeBase64) do not link the code of the checker.
package jsonschema
