// Package jsontext parses and writes JSON as text. Parse returns a tree of Nodes that keeps
// the order of members and the text of strings and numbers. Other functions read and write
// numbers, strings and JSON Pointers, and QuoteLine quotes untrusted text in prompts. The
// package accepts only JSON as defined in RFC 8259, in UTF-8, and without unpaired surrogates.
package jsontext
