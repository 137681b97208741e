package agenttest

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// literals writes values as Go expressions.
type literals struct {
	imports map[string]bool
	err     error // the first value that cannot be written
}

// use imports a package and returns its name.
func (l *literals) use(importPath string) string {
	l.imports[importPath] = true
	return path.Base(importPath)
}

// maxLiteral is the length in bytes of elements that stay in one line.
const maxLiteral = 100

// text returns a string literal. For a text of several lines, it returns one literal for each line,
// joined by +. A literal never has more than one line, because tools such as go generate also find
// directives in the lines of a raw literal.
func (l *literals) text(text string) string {
	if !strings.Contains(strings.TrimSuffix(text, "\n"), "\n") {
		return quoteLine(text)
	}
	var lines []string
	for line := range strings.Lines(text) {
		if body, ends := strings.CutSuffix(line, "\n"); ends && isRaw(body) {
			lines = append(lines, quoteLine(body)+` + "\n"`)
		} else {
			lines = append(lines, quoteLine(line))
		}
	}
	return strings.Join(lines, " +\n")
}

// quoteLine returns a literal: a raw one if that is easier to read.
func quoteLine(line string) string {
	if isRaw(line) {
		return "`" + line + "`"
	}
	return strconv.Quote(line)
}

// isRaw reports whether a raw literal of a text is easier to read: the text has quotation marks or
// backslashes, and a raw literal can show all its characters.
func isRaw(line string) bool {
	return strings.ContainsAny(line, `"\`) && !strings.ContainsFunc(line, func(r rune) bool { return r == '`' || r == '\uFFFD' || !strconv.IsPrint(r) && r != '\t' })
}

// value returns an expression for a value.
func (l *literals) value(x any) string { return l.expression(reflect.ValueOf(x), false) }

// expression returns an expression for a value. In a list or a map, inList is true, and the type of a
// composite literal is left out.
func (l *literals) expression(v reflect.Value, inList bool) string {
	t := v.Type()
	typeName := ""
	if !inList {
		typeName = l.typeName(t)
	}
	switch t.Kind() {
	case reflect.String:
		return l.text(v.String())
	case reflect.Bool, reflect.Int, reflect.Int64, reflect.Float64:
		return fmt.Sprint(v.Interface())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return l.typeName(t) + "(" + l.text(string(v.Bytes())) + ")"
		}
		var elements []string
		for i := range v.Len() {
			elements = append(elements, l.expression(v.Index(i), true))
		}
		return composite(typeName, elements)
	case reflect.Map:
		var members []string
		for _, key := range v.MapKeys() {
			members = append(members, l.expression(key, true)+": "+l.expression(v.MapIndex(key), true))
		}
		slices.Sort(members)
		return composite(typeName, members)
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Struct {
			return "&" + l.expression(v.Elem(), false)
		}
	case reflect.Struct:
		if t.PkgPath() != "time" {
			return composite(typeName, l.members(v))
		}
	}
	l.err = fmt.Errorf("a %s cannot be written as a literal", t)
	return ""
}

// members returns the members of a composite literal for a struct. Zero fields are left out.
func (l *literals) members(v reflect.Value) (members []string) {
	for i := range v.NumField() {
		if f := v.Field(i); !f.IsZero() && (f.Kind() != reflect.Slice || f.Len() > 0) {
			members = append(members, v.Type().Field(i).Name+": "+l.expression(f, false))
		}
	}
	return members
}

// typeName returns the name of a type, and imports its package.
func (l *literals) typeName(t reflect.Type) string {
	switch {
	case t.Name() != "" && t.PkgPath() != "":
		return l.use(t.PkgPath()) + "." + t.Name()
	case t == reflect.TypeFor[[]byte]():
		return "[]byte"
	case t.Kind() == reflect.Slice && t.Name() == "":
		return "[]" + l.typeName(t.Elem())
	case t.Kind() == reflect.Map && t.Name() == "":
		return "map[" + l.typeName(t.Key()) + "]" + l.typeName(t.Elem())
	case t.Kind() == reflect.Pointer:
		return "*" + l.typeName(t.Elem())
	}
	return t.Name()
}

// composite returns a composite literal.
func composite(typeName string, elements []string) string {
	return typeName + "{" + joinElements(elements) + "}"
}

// joinElements joins the elements of a literal or the arguments of a call, in several lines if they
// are long.
func joinElements(elements []string) string {
	line := strings.Join(elements, ", ")
	if len(line) <= maxLiteral && !strings.Contains(line, "\n") {
		return line
	}
	return "\n" + strings.Join(elements, ",\n") + ",\n"
}
