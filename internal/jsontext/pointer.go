package jsontext

import (
	"iter"
	"strconv"
	"strings"
)

// This file does not use strings.Replacer, so that small programs need not link it.

// Token encodes the name of a member as a token of a JSON Pointer: "a/b" becomes "a~1b".
func Token(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// Name decodes a token of a JSON Pointer: "a~1b" becomes "a/b".
func Name(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}

// Join returns the JSON Pointer of a member of the value at a pointer.
func Join(pointer, name string) string { return pointer + "/" + Token(name) }

// JoinIndex returns the JSON Pointer of an element of the array at a pointer.
func JoinIndex(pointer string, i int) string { return pointer + "/" + strconv.Itoa(i) }

// Names yields the decoded names in a JSON Pointer, beginning at the root.
func Names(pointer string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if pointer == "" {
			return
		}
		for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
			if !yield(Name(token)) {
				return
			}
		}
	}
}

// IsPointer reports whether a text is a JSON Pointer.
func IsPointer(text string) bool {
	if text != "" && text[0] != '/' {
		return false
	}
	for i := range len(text) {
		if text[i] == '~' && (i+1 == len(text) || text[i+1] != '0' && text[i+1] != '1') {
			return false
		}
	}
	return true
}

// Index parses a name in a JSON Pointer as the index of an array element. It returns false if it is not an index.
func Index(name string) (i int, ok bool) {
	n, err := strconv.ParseUint(name, 10, 31)
	return int(n), err == nil && (name == "0" || name[0] != '0')
}

// longestPointer is the length in bytes from which on JoinNames appends no further name.
const longestPointer = 1024

// JoinNames appends names to a JSON Pointer. It stops when the pointer has at least 1024 bytes.
func JoinNames(at string, names ...string) string {
	for _, name := range names {
		if len(at) < longestPointer {
			at = Join(at, name)
		}
	}
	return at
}
