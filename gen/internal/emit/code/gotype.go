package code

import (
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// GoType is a Go type.
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
		return "func" + n.signature(t)
	case model.GoStruct:
		return block("struct", n.fields(t))
	case model.GoInterface:
		return block("interface", n.methods(t))
	}
	if t.Path != "" {
		return n.Declared(t.Path, t.Name) + n.TypeArguments(t.Elems...)
	}
	return t.Name + n.TypeArguments(t.Elems...)
}

// TypeArguments are what stands behind a generic type or function; nothing behind others.
func (n Names) TypeArguments(list ...model.GoType) string {
	if len(list) == 0 {
		return ""
	}
	return "[" + strings.Join(n.types(list), ", ") + "]"
}

func (n Names) types(list []model.GoType) (written []string) {
	for _, t := range list {
		written = append(written, n.GoType(t))
	}
	return written
}

func (n Names) signature(t model.GoType) string {
	params := n.types(t.Elems)
	if last := len(t.Elems) - 1; t.Spread {
		params[last] = "..." + n.GoType(t.Elems[last].Elems[0])
	}
	switch results := n.types(t.Result); len(results) {
	case 0:
		return Call("", params...)
	case 1:
		return Call("", params...) + " " + results[0]
	default:
		return Call("", params...) + Call(" ", results...)
	}
}

// fields are those of a struct.
func (n Names) fields(t model.GoType) (lines []string) {
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

// methods are those of an interface.
func (n Names) methods(t model.GoType) (lines []string) {
	for _, f := range t.Fields {
		if f.Name != "" {
			lines = append(lines, f.Name+n.signature(f.Type))
		} else {
			lines = append(lines, n.GoType(f.Type))
		}
	}
	return lines
}

// block is a type with lines in its braces.
func block(keyword string, lines []string) string {
	if len(lines) == 0 {
		return keyword + "{}"
	}
	return keyword + " {\n" + strings.Join(lines, "\n") + "\n}"
}
