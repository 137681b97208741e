// Package scan looks ahead in text that is JSON or resembles it. It determines what begins at a position by
// looking at the bytes there and nearby. It also reads scalars and escapes that are written as in other
// languages, such as None, .5, 0x1F, 1_000 and \x41. It does not track brackets. It caches results, so that the
// total cost of all lookaheads is linear in the length of the text.
package scan
