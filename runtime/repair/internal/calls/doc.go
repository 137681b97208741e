// Package calls reads the calls of tools at the end of a model's reply, in the formats of
// many families of models. Use Read.
//
// Read goes through the text line by line. Where a line begins a call, it reads the whole
// call: strings and other values first, marks afterward. It drops calls that text follows.
package calls
