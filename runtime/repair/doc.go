// Package repair reads what language models really write: JSON, arguments of
// tools and calls of tools out of malformed text. It asks no model, takes time and
// memory in proportion to the text, and never invents a value.
//
// [JSON] reads a value, [Arguments] the arguments of a tool by its schema, and
// [Requests] the calls in a reply; [Origin] holds what others make of a text to the
// same rules. All say what they changed or refuse:
//
//   - What is right already is returned byte for byte, without edits.
//   - Where there is nothing, or where there are two readings, the answer is an
//     [*Error], which names both.
//   - What was cut off is marked as truncated: it can be shown, but a call that
//     was read from it must not run. A registry refuses it.
//   - A value that breaks a bound of the schema is an error. It is not moved to
//     the bound.
//   - A value that is missing, as in {"a":, "b": 1}, is missing: it is an error, and
//     null only if the schema allows nothing else.
//   - Code, such as a call of a function where a value belongs, is not run, and no
//     value is taken out of it: it is an error. Calls that only say the type of a
//     value, such as ObjectId("5f1"), are that value.
//   - Text in a string or another value is data, even if it looks like the mark of a call.
//   - A call that a text only mentions is not a call; see [Requests].
//
// # Edits
//
// A [tool.Edit] has one of these kinds; [Position] tells its line and column. Those of the text are
//
//   - bracket: a bracket was missing, one too many, or another one
//   - colon: the same of a colon
//   - comma: the same of a comma
//   - comment: a comment was left out
//   - cut: a bracket is missing where the text was cut off
//   - ellipsis: dots stood for values
//   - escape: an escape was missing or none of JSON, or all was escaped once more,
//     or bytes were no UTF-8
//   - list: a list was made of several values
//   - literal: a value was written as in another language, such as None
//   - number: the same of a number, such as .5
//   - quotes: quotes were missing, too many, or others
//   - space: a blank was none of JSON
//   - text: text around values was left out
//   - value: null was missing, where the schema allows nothing else
//
// and those of arguments, which have the pointer of the value, are
//
//   - absent: null or "" stood for nothing, or nothing for null
//   - enum: a value of an enum was spelled differently
//   - name: a name was
//   - type: a value was of another type
//   - unknown: a member was not known
//   - wrapper: an object was around the arguments
package repair
