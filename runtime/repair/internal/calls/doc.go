// Package calls reads the tool calls at the end of a model's reply, in the formats of many
// families of models. Use Read.
//
// Read goes through the text line by line. Where a line begins with a call, Read reads the whole call. The mark
// of another call inside a string is part of the string. Read drops calls that are followed by text.
package calls
