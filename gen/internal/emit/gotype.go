package emit

import (
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// GoType returns the Go source of a type.
func (n Names) GoType(t model.GoType) string {
	switch t.Kind {
	case model.GoPointer:
		return "*" + n.GoType(t.Elems[0])
	case model.GoSlice:
		return "[]" + n.GoType(t.Elems[0])
	case model.GoArray:
		return "[" + strconv.FormatInt(t.Len, 10) + "]" + n.GoType(t.Elems[0])
	case model.GoMap:
		return "map[" + n.GoType(t.Elems[0]) + "]" + n.GoType(t.Elems[1])
	case model.GoChan:
		return "chan (" + n.GoType(t.Elems[0]) + ")"
	case model.GoSendChan:
		return "chan<- (" + n.GoType(t.Elems[0]) + ")"
	case model.GoReceiveChan:
		return "<-chan (" + n.GoType(t.Elems[0]) + ")"
	case model.GoFunc:
		return "func" + n.formatSignature(t)
	case model.GoStruct:
		return formatBlock("struct", n.formatFields(t))
	case model.GoInterface:
		return formatBlock("interface", n.formatMethods(t))
	}
	if t.Path != "" {
		return n.qualify(t.Path, t.Name) + n.typeArguments(t.Elems...)
	}
	return t.Name + n.typeArguments(t.Elems...)
}

// typeArguments returns type arguments in brackets, or "" if there are none.
func (n Names) typeArguments(list ...model.GoType) string {
	if len(list) == 0 {
		return ""
	}
	return "[" + strings.Join(n.formatTypes(list), ", ") + "]"
}

func (n Names) formatTypes(list []model.GoType) (sources []string) {
	for _, t := range list {
		sources = append(sources, n.GoType(t))
	}
	return sources
}

func (n Names) formatSignature(t model.GoType) string {
	params := n.formatTypes(t.Elems)
	if last := len(t.Elems) - 1; t.Variadic {
		params[last] = "..." + n.GoType(t.Elems[last].Elems[0])
	}
	switch results := n.formatTypes(t.Result); len(results) {
	case 0:
		return Call("", params...)
	case 1:
		return Call("", params...) + " " + results[0]
	default:
		return Call("", params...) + Call(" ", results...)
	}
}

// formatFields returns the fields of a struct as lines.
func (n Names) formatFields(t model.GoType) (lines []string) {
	for _, f := range t.Fields {
		line := n.GoType(f.Type)
		if f.Name != "" {
			line = f.Name + "\t" + line
		}
		if f.Tag != "" {
			line += "\t" + Literal(f.Tag)
		}
		lines = append(lines, line)
	}
	return lines
}

// formatMethods returns the methods of an interface as lines.
func (n Names) formatMethods(t model.GoType) (lines []string) {
	for _, f := range t.Fields {
		if f.Name != "" {
			lines = append(lines, f.Name+n.formatSignature(f.Type))
		} else {
			lines = append(lines, n.GoType(f.Type))
		}
	}
	return lines
}

// formatBlock returns the Go source of a struct or interface type with the given lines between its braces.
func formatBlock(keyword string, lines []string) string {
	if len(lines) == 0 {
		return keyword + "{}"
	}
	return keyword + " {\n" + strings.Join(lines, "\n") + "\n}"
}
