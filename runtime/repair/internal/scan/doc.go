// Package scan looks ahead in text that may be JSON or resemble it. It determines from the bytes at
// and near a position what begins there, and reads scalars that are written as in other languages,
// such as None, .5, 0x1F, 1_000 and \x41. It does not track brackets. It caches results, so that the
// total cost of all lookaheads is linear in the length of the text.
package scan
