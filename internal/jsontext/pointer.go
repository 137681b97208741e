package jsontext

import (
	"iter"
	"strconv"
	"strings"
)

// This file does not use strings.Replacer, which small programs would link only for it.

// Token returns the name of a member in the form of a JSON Pointer.
func Token(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// Name returns the name that a token of a JSON Pointer stands for.
func Name(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}

// Join returns the JSON Pointer of a member of the value at a pointer.
func Join(pointer, name string) string { return pointer + "/" + Token(name) }

// JoinIndex returns the JSON Pointer of an element of the array at a pointer.
func JoinIndex(pointer string, i int) string { return pointer + "/" + strconv.Itoa(i) }

// Names returns the names in a JSON Pointer, from the root.
func Names(pointer string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for pointer != "" {
			var token string
			token, pointer = cutToken(pointer)
			if !yield(Name(token)) {
				return
			}
		}
	}
}

// cutToken returns the first token of a pointer and the rest of the pointer.
func cutToken(pointer string) (token, rest string) {
	pointer = strings.TrimPrefix(pointer, "/")
	if i := strings.IndexByte(pointer, '/'); i >= 0 {
		return pointer[:i], pointer[i:]
	}
	return pointer, ""
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

// Index returns the index of an array element that a name in a JSON Pointer stands for.
func Index(name string) (i int, ok bool) {
	n, err := strconv.ParseUint(name, 10, 31)
	return int(n), err == nil && (name == "0" || name[0] != '0')
}

// longestPointer limits the length of pointers in bytes, not counting the last name.
const longestPointer = 1024

// JoinNames appends names to a JSON Pointer, until it is too long.
func JoinNames(at string, names ...string) string {
	for _, name := range names {
		if len(at) < longestPointer {
			at = Join(at, name)
		}
	}
	return at
}
