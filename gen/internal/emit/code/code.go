// Package code prints the small parts that all generated code is made of: types, names,
// comments and texts, of which none can become more than that.
package code

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// Locals are the names of variables in generated functions where the usual one would
// hide something.
type Locals map[string]string

// Local is a variable by its usual name.
func (l Locals) Local(name string) *jen.Statement {
	if other, ok := l[name]; ok {
		name = other
	}
	return jen.Id(name)
}

// Member is a field of a variable.
func (l Locals) Member(variable string, path []string) *jen.Statement {
	x := l.Local(variable)
	for _, name := range path {
		x.Dot(name)
	}
	return x
}

// Tool is a name of the package that tools are made with.
func Tool(name string) *jen.Statement { return jen.Qual(model.ToolPath, name) }

// Wire is a name of the package that values are read and written with.
func Wire(name string) *jen.Statement { return jen.Qual(model.WirePath, name) }

// Literal is a string constant: raw where Go allows it, since schemas and
// descriptions are full of quotes, and where one sees what it is. What turns the
// order of text around, for one, is escaped.
func Literal(s string) *jen.Statement {
	hidden := func(r rune) bool { return !unicode.IsPrint(r) }
	if strconv.CanBackquote(s) && strings.ContainsAny(s, `"\`) && !strings.ContainsFunc(s, hidden) {
		return jen.Op("`" + s + "`")
	}
	return jen.Lit(s)
}

// Comment is a comment of a line; text from outside cannot leave it, and it
// never begins with what could be a directive.
func Comment(format string, args ...any) *jen.Statement {
	return jen.Comment("// " + OneLine(fmt.Sprintf(format, args...)))
}

// longestComment keeps comments readable, in bytes; the whole text is in the definition.
const longestComment = 300

// OneLine is a text as it stands in a comment.
func OneLine(s string) string {
	return words.Cut(strings.Join(strings.Fields(words.Visible(s, "")), " "), longestComment)
}

// Constant is a JSON string or integer as Go writes it.
func Constant(value string) string {
	if value[0] != '"' {
		return value
	}
	return strconv.Quote(jsontext.Unquote(value))
}
