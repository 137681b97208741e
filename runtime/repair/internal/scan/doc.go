// Package scan looks at a text that may be JSON, or what a model takes for it: what is
// at a place, told by the bytes there and by what is near. It reads nothing and keeps
// no brackets; all that it looks at costs no more, however often it is asked, than
// the text is long. Its layers, from top to bottom:
//
//	lookahead, tag  names, strings and words that may come, and tags
//	quote, space    quotes; blanks and comments
//	source          the text
//	bytes           what a byte may be
package scan
