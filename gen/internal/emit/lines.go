package emit

import "strings"

// Lines holds lines of declarations as text. [Lines.LayOut] formats them without parsing, which takes less
// time and memory than package go/format.
type Lines struct{ text []byte }

// add adds the parts as one line, or as several if they contain line breaks. A tab separates
// cells that are aligned with the neighboring lines: the name and type of a field, or the
// name and value of an element.
func (l *Lines) add(parts ...string) {
	if len(l.text) > 0 {
		l.text = append(l.text, '\n')
	}
	for _, part := range parts {
		l.text = append(l.text, part...)
	}
}

// addBlank adds an empty line before the next declaration, unless it is the first.
func (l *Lines) addBlank() {
	if len(l.text) > 0 {
		l.add()
	}
}

// addReturn adds a return statement with at least one value.
func (l *Lines) addReturn(values ...string) { l.add("return ", strings.Join(values, ", ")) }

// addIf adds an if statement.
func (l *Lines) addIf(condition string, then ...string) {
	l.addBlock("if "+condition+" {", func() {
		for _, statement := range then {
			l.add(statement)
		}
	}, "}")
}

// addBlock adds the lines of body between two lines. If body adds nothing, it joins the two
// lines.
func (l *Lines) addBlock(open string, body func(), end string) {
	l.add(open)
	empty := len(l.text)
	if body(); len(l.text) > empty {
		l.add()
	}
	l.text = append(l.text, end...)
}
