// Package fit finds the values in a text and chooses those that the model meant. If there is exactly one way to
// make them match a schema, it converts them. It also checks repairs by models: a repair must not invent a value,
// and must not lose a valid one.
package fit
