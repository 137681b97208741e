// Package fit finds the values in a text, chooses those that the model meant, and converts them to
// match a schema if there is exactly one way to do so. It also checks repairs by models: a repair
// must not invent a value, and must not lose a valid one.
package fit
