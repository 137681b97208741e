package code

import (
	"strings"
	"sync"
)

// Lines are what stands in braces: the statements of a function, the fields of a struct or
// the elements of a composite literal. They are text, as expressions are: trees of tokens
// for all of them would outweigh what they say.
type Lines struct{ text []byte }

// Add adds a line, or several, of parts that follow one another.
func (l *Lines) Add(parts ...string) {
	if len(l.text) > 0 {
		l.text = append(l.text, '\n')
	}
	for _, part := range parts {
		l.text = append(l.text, part...)
	}
}

// Return adds a statement that returns values.
func (l *Lines) Return(values ...string) { l.Add("return ", strings.Join(values, ", ")) }

// If adds statements under a condition.
func (l *Lines) If(condition string, then ...string) {
	l.IfFunc(condition, func() {
		for _, statement := range then {
			l.Add(statement)
		}
	})
}

// IfFunc adds under a condition what a function adds.
func (l *Lines) IfFunc(condition string, then func()) {
	l.Add("if ", condition, " {")
	then()
	l.Add("}")
}

// Func is a function by its head.
func Func(head string, body func(*Lines)) string { return braced(body, "func ", head, " ") }

// Struct is a struct type with fields.
func Struct(fields func(*Lines)) string { return braced(fields, "struct") }

// Values is a composite literal of a type. Behind each of its elements is a comma.
func Values(of string, elements func(*Lines)) string { return braced(elements, of) }

// used are Lines whose text was taken, and whose room others take.
var used = sync.Pool{New: func() any { return new(Lines) }}

func braced(lines func(*Lines), before ...string) string {
	l := used.Get().(*Lines)
	defer used.Put(l)
	l.text = l.text[:0]
	l.Add(before...)
	l.text = append(l.text, '{')
	empty := len(l.text)
	if lines(l); len(l.text) > empty {
		l.Add()
	}
	return string(append(l.text, '}'))
}
