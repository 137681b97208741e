// Package tools is a help desk whose functions a language model may call. The functions are written in Go; the .aion
// files next to them declare which functions are tools and how they are described to a model.
package tools

//go:generate go tool aiongen -o ../gen
