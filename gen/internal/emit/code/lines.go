package code

import "strings"

// Lines are declarations, or what stands in their braces: the statements of a function, the
// fields of a struct or the elements of a composite literal. They are text, as expressions
// are: trees of tokens for all of them would outweigh what they say. [Lines.LayOut] lays
// them out.
type Lines struct{ text []byte }

// Add adds a line, or several, of parts that follow one another. Tabs stand between parts
// that are to stand below those of the line before: the name and the type of a field, or
// the name and the value of an element that ends with the line.
func (l *Lines) Add(parts ...string) {
	if len(l.text) > 0 {
		l.text = append(l.text, '\n')
	}
	for _, part := range parts {
		l.text = append(l.text, part...)
	}
}

// Next adds an empty line, behind which the next declaration stands, if it is not the first.
func (l *Lines) Next() {
	if len(l.text) > 0 {
		l.Add()
	}
}

// Return adds a statement that returns values, one at least.
func (l *Lines) Return(values ...string) { l.Add("return ", strings.Join(values, ", ")) }

// If adds statements under a condition.
func (l *Lines) If(condition string, then ...string) {
	l.In("if "+condition+" {", func() {
		for _, statement := range then {
			l.Add(statement)
		}
	}, "}")
}

// In adds between two lines what a function adds. Where that is nothing they are one.
func (l *Lines) In(open string, body func(), end string) {
	l.Add(open)
	empty := len(l.text)
	if body(); len(l.text) > empty {
		l.Add()
	}
	l.text = append(l.text, end...)
}
