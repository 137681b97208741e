// Package tools is a help desk whose functions a language model may call. What
// they do is written here in Go; which of them are tools, and what the model
// reads about them, is written in the .aion files beside.
package tools

//go:generate go tool aiongen -o ../gen
