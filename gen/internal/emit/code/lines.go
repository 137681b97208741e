package code

import "strings"

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

// Func is a function by its head.
func Func(head string, body func(*Lines)) string { return braced(body, "func ", head, " ") }

// Struct is a struct type with fields.
func Struct(fields func(*Lines)) string { return braced(fields, "struct") }

// Values is a composite literal of a type. Behind each of its elements is a comma.
func Values(of string, elements func(*Lines)) string { return braced(elements, of) }

// usual is the room that most of what is in braces needs.
const usual = 256

func braced(lines func(*Lines), before ...string) string {
	var l Lines
	l.text.Grow(usual)
	l.Add(before...)
	l.text.WriteByte('{')
	empty := l.text.Len()
	if lines(&l); l.text.Len() > empty {
		l.Add()
	}
	l.text.WriteByte('}')
	return l.text.String()
}
