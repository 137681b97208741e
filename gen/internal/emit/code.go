package emit

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// emitter prints one file.
type emitter struct {
	*jen.File
	p *model.Package
}

// local is the name of a variable in generated functions.
func (e *emitter) local(name string) *jen.Statement {
	if other, ok := e.p.Local[name]; ok {
		name = other
	}
	return jen.Id(name)
}

// member is a field of a variable.
func (e *emitter) member(variable string, path []string) *jen.Statement {
	x := e.local(variable)
	for _, name := range path {
		x.Dot(name)
	}
	return x
}

// tool is a name of the package that tools are made with.
func tool(name string) *jen.Statement { return jen.Qual(model.ToolPath, name) }

// wire is a name of the package that values are read and written with.
func wire(name string) *jen.Statement { return jen.Qual(model.WirePath, name) }

// literal is a string constant: raw where Go allows it, since schemas and
// descriptions are full of quotes, and where one sees what it is. What turns the
// order of text around, for one, is escaped.
func literal(s string) *jen.Statement {
	hidden := func(r rune) bool { return !unicode.IsPrint(r) }
	if strconv.CanBackquote(s) && strings.ContainsAny(s, `"\`) && !strings.ContainsFunc(s, hidden) {
		return jen.Op("`" + s + "`")
	}
	return jen.Lit(s)
}

// comment is a comment of a line; text from outside cannot leave it, and it
// never begins with what could be a directive.
func comment(format string, args ...any) *jen.Statement {
	return jen.Comment("// " + oneLine(fmt.Sprintf(format, args...)))
}

// longestComment keeps comments readable; the whole text is in the definition.
const longestComment = 300

func oneLine(s string) string {
	unwanted := func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), unwanted), " ")
	if r := []rune(s); len(r) > longestComment {
		return string(r[:longestComment]) + " …"
	}
	return s
}

// goConstant is a JSON string or integer as Go writes it.
func goConstant(value string) string {
	if value[0] != '"' {
		return value
	}
	return strconv.Quote(jsontext.Unquote(value))
}

// mapOf tells which functions of the runtime read and write a map with such keys.
func mapOf(key *model.Type) string {
	switch key.Kind {
	case model.String:
		return "Map"
	case model.Int, model.Uint:
		return "IntMap"
	}
	return "TextMap"
}
