// Package fit finds the values in a text, chooses those that are meant, and converts them to a
// schema if there is exactly one way to do so. It also checks what a model made of a value
// when asked to repair it: nothing may be invented, and nothing that was right may be lost.
package fit
