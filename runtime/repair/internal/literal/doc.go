// Package literal knows how scalars are written by models and in other languages than
// JSON: None, .5, 0x1F, 1_000, $1,000, \x41, and names in all spellings. Its files do
// not call each other:
//
//	literal, escape, fold  words and numbers; strings; names
package literal
