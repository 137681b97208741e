// Package prompt describes tools in words, for models that have no tool calls of their
// own and for plans. It reads definitions as they are, of generated tools and of those
// made by hand.
package prompt
