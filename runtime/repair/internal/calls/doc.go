// Package calls reads the calls of tools in the reply of a model. Its layers, from top
// to bottom:
//
//	read                           all calls of a text
//	enveloped, quotation           those between marks, where these are no part of strings
//	payload, lines                 what is between them; lines of Python
//	named                          a name, and then its arguments
//	elements, shapes, python       calls as XML, as JSON and as Python
//	plain, tool_name               text as arguments; names of tools, and what follows them
//	caller                         what was found
//	offers, envelopes              the tools that were offered, and the marks
package calls
