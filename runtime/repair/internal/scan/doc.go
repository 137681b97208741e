// Package scan looks ahead in text that may be JSON, or something that a model takes for it: it
// classifies what is at a position from the bytes there and nearby, and reads scalars that are
// written as in other languages, such as None, .5, 0x1F, 1_000 and \x41. It does not track
// brackets. However often it is asked, its total cost is linear in the length of the text.
package scan
