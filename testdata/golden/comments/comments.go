// Package comments has functions whose comments say what their parameters are, in
// the forms that people write.
package comments

import "net/mail"

// List lists.
//
// Arguments:
//   - s: the text
//   - limit (int): how many,
//     over two lines
//
// It ends here.
func List(s string, limit int) (string, error) { return s, nil }

// Stray has a line on what it no longer takes.
//   - userId: who, in another spelling
//   - limt: how many
//   - nope: nothing at all
//   - err: what went wrong
func Stray(userID string, limit int) error { return nil }

// Google has Google's form.
//
// Args:
//
//	s: the text
//	n (int, optional): how many,
//	    over two lines
//
// Returns:
//
//	the text,
//	and more
func Google(s string, n int) (string, error) { return s, nil }

// Tight has it without blank lines.
// Args:
//
//	s: the text
//	gone: the past
//
// Returns: the text
func Tight(s string) string { return s }

// Named names its results.
//
// Returns:
//
//	text: what came
//	known: whether it did
func Named() (text string, known bool) { return "", false }

/*
Block is one comment.

# Parameters

  - s: the text
  - other: nothing

# See

More.
*/
func Block(s string) (result string) { return s }

// Prose keeps its lists:
//   - fast: at once
//   - slow: later
//
// See below:
//
//	Args: no heading
func Prose(mode string) string { return mode }

// Mixed takes what it can.
//   - s: the text
//   - a line without a name
//   - https://example.com/s
//   - returns: the same
func Mixed(s string) string { return s }

// TODO: say what Undone does.
//
//   - s: TODO: say what
//   - n: a number
//   - returns: TODO: say what
func Undone(s string, n int) string { return s }

// TODO: not told where the .aion file has one.
func Done(s string) {}

// A Store has methods.
type Store struct{}

// Find finds.
//   - key: the key
//   - kye: the key again
func (*Store) Find(key string) {}

// Open takes fields.
func Open(o Options) {}

// Options has fields.
type Options struct {
	Name string // TODO: say what
	Size int    // how large
}

// Wait finds in time. Errors:
//   - timeout: after 3 s
//   - query: when wrong
func Wait(query string) error { return nil }

// Seek seeks. Parameters:
//   - query: what to look for
//
// It may be slow.
//
// # Errors
//
// There are two.
//
//   - timeout: after 3 s
//   - query: when wrong
func Seek(query string) error { return nil }

// Look looks for what is given here:
//   - query: what to look for
//
// Error codes:
//   - query: when wrong
func Look(query string) error { return nil }

// Address returns what it is given.
func Address(address mail.Address) mail.Address { return address }
