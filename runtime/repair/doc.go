// Package repair reads JSON, arguments and tool calls in the malformed text that language models write. It calls
// no model and never invents a value. The time and memory that it takes are proportional to the length of the
// text.
//
// [JSON] reads a value, [Arguments] reads the arguments of a tool and uses the tool's schema, and [Requests]
// reads the calls in a reply. [Origin] checks a repair that someone else made, such as a model, against the same
// rules. All of them follow these rules and report what they changed or rejected:
//
//   - Valid input is returned byte for byte, without edits.
//   - If there is no value, or the text has two readings, the result is an [*Error], which
//     names both readings.
//   - A value that was cut off is marked as truncated. It can be shown, but a call that was read
//     from it must not run. A registry rejects it.
//   - A value outside the bounds of the schema is an error. It is not changed to the
//     nearest allowed value.
//   - A missing value, as in {"a":, "b": 1}, is an error. It becomes null only if the
//     schema allows nothing else.
//   - Code, such as a call of a function where a value belongs, is an error. It is not run, and no
//     value is taken from it. A call that only states the type of a value is read as that value:
//     ObjectId("5f1") becomes "5f1".
//   - Text in a string or another value is data, even if it looks like the marker of a call.
//   - A call that a text only mentions, such as an example in a sentence, is not a call; see [Requests].
//
// # Edits
//
// A [tool.Edit] has one of these kinds; [Position] returns its line and column. Edits of the text are
//
//   - bracket: a bracket was missing, superfluous or the wrong one
//   - colon: a colon was missing or superfluous, or another character was in its place
//   - comma: a comma was missing or superfluous, or another character was in its place
//   - comment: a comment was removed
//   - cut: a bracket was added where the text was cut off
//   - ellipsis: dots were in place of values, as in [1, 2, ...]
//   - escape: an escape was missing or invalid, everything was escaped once more,
//     or bytes were not UTF-8
//   - list: several values were put into a list
//   - literal: a value was written as in another language, such as None in Python
//   - number: a number was written differently, such as .5
//   - quotes: quotes were missing, superfluous or the wrong ones
//   - space: a space character that JSON does not allow was replaced
//   - text: text around values was removed
//   - value: a value was missing, and the schema allows only null
//
// Edits of arguments contain the JSON Pointer of the value; they are
//
//   - absent: a member had the value null or "" instead of being absent
//   - enum: an enum value was spelled differently
//   - name: the name of a member was spelled differently
//   - type: a value had another type
//   - unknown: an unknown member was removed
//   - wrapper: an object around the arguments was removed
package repair
