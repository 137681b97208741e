// Package repair reads JSON, arguments and tool calls in the malformed text that language models
// write. It calls no model, takes time and memory in proportion to the text, and never invents a
// value.
//
// [JSON] reads a value, [Arguments] the arguments of a tool by its schema, and [Requests] the calls in a
// reply. [Origin] checks repairs by others against the same rules. All report what they changed or rejected:
//
//   - Valid input is returned byte for byte, without edits.
//   - If there is no value, or there are two readings, the result is an [*Error]; it
//     names both readings.
//   - A value that was cut off is marked as truncated. It can be shown, but a call that was read
//     from it must not run. A registry rejects it.
//   - A value that breaks a bound of the schema is an error. It is not moved to
//     the bound.
//   - A value that is missing, as in {"a":, "b": 1}, is missing: it is an error, and
//     null only if the schema allows nothing else.
//   - Code, such as a call of a function where a value belongs, is an error. It is not run, and no
//     value is taken from it. A call that only states the type of a value, such as ObjectId("5f1"),
//     stands for that value.
//   - Text in a string or another value is data, even if it looks like the marker of a call.
//   - A call that a text only mentions is not a call; see [Requests].
//
// # Edits
//
// A [tool.Edit] has one of these kinds; [Position] returns its line and column. Edits of the text are
//
//   - bracket: a bracket was missing, one too many, or another one
//   - colon: a colon was missing, one too many, or another character
//   - comma: a comma was missing, one too many, or another character
//   - comment: a comment was left out
//   - cut: a bracket is missing where the text was cut off
//   - ellipsis: dots stood for values
//   - escape: an escape was missing or invalid, everything was escaped once more,
//     or bytes were not UTF-8
//   - list: a list was made of several values
//   - literal: a value was written as in another language, such as None
//   - number: a number was written differently, such as .5
//   - quotes: quotes were missing, too many, or others
//   - space: a space character that JSON does not allow
//   - text: text around values was left out
//   - value: null was missing, where the schema allows nothing else
//
// and edits of arguments, which have the pointer of the value, are
//
//   - absent: null or "" stood for an absent member
//   - enum: an enum value was spelled differently
//   - name: the name of a member was spelled differently
//   - type: a value had another type
//   - unknown: a member was unknown
//   - wrapper: an object was around the arguments
package repair
