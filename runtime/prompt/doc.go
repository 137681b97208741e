// Package prompt says in words what tools there are, for models that have no tool
// calls of their own. It reads definitions as they are, of
// generated tools and of those made by hand.
//
// Its layers, from top to bottom:
//
//	describe  tools as text
//	sample    an example call
//	schema    what both read of a JSON Schema
package prompt
