package code

import (
	"strings"

	"github.com/dave/jennifer/jen"
)

// Lines are what stands in braces: the statements of a function, the fields of a struct or
// the elements of a composite literal. They are text, as expressions are: trees of tokens
// for all of them would outweigh what they say.
type Lines struct{ text strings.Builder }

// Add adds a line, or several, of parts that follow one another.
func (l *Lines) Add(parts ...string) {
	if l.text.Len() > 0 {
		l.text.WriteByte('\n')
	}
	for _, part := range parts {
		l.text.WriteString(part)
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

// usualBody is the room that most bodies need.
const usualBody = 256

// Func is a function by its head.
func Func(head string, body func(*Lines)) *jen.Statement {
	var l Lines
	l.text.Grow(usualBody)
	body(&l)
	return jen.Func().Id(head).Block(jen.Id(l.text.String()))
}

// Struct is a struct type with fields.
func Struct(fields func(*Lines)) string { return braced("struct", fields) }

// Values is a composite literal of a type. Behind each of its elements is a comma.
func Values(of string, elements func(*Lines)) string { return braced(of, elements) }

func braced(what string, lines func(*Lines)) string {
	var l Lines
	l.Add(what, "{")
	empty := l.text.Len()
	if lines(&l); l.text.Len() > empty {
		l.Add()
	}
	l.text.WriteByte('}')
	return l.text.String()
}
