// Package jsontext parses and writes JSON as text. Parse returns a tree of Nodes that keeps
// the order of members and how each part was written. Other functions read and write
// numbers, strings and JSON Pointers, and QuoteLine quotes foreign text in prompts. The
// package is strict: it accepts only what RFC 8259 allows, in UTF-8, with surrogates in pairs.
package jsontext
