package model

import (
	"cmp"
	"fmt"
	"strings"
)

// GoType is a Go type as written in source code, with packages by path.
type GoType struct {
	Kind     GoKind
	Path     string   // GoNamed: import path, "" for predeclared types
	Pkg      string   // GoNamed: name of the package in messages, "" for the tools' own
	Name     string   // GoNamed
	Elems    []GoType // type arguments; element; key and element; parameters
	Len      int64    // GoArray
	Result   []GoType // GoFunc
	Variadic bool     // GoFunc: the last parameter is variadic, its element is a slice
	Fields   []GoField
}

// GoKind is the form of a Go type.
type GoKind int

// The forms of Go types.
const (
	GoNamed GoKind = iota
	GoPointer
	GoSlice
	GoArray
	GoMap
	GoChan
	GoSendChan
	GoReceiveChan
	GoFunc
	GoStruct
	GoInterface
)

// GoField is a field of a struct literal or a method of an interface literal. Name is empty
// if it is embedded.
type GoField struct {
	Name string
	Type GoType
	Tag  string
}

// Basic returns the predeclared type with a name.
func Basic(name string) GoType { return GoType{Name: name} }

// IsBasic reports whether the type is the predeclared one with a name.
func (t GoType) IsBasic(name string) bool {
	return t.Kind == GoNamed && t.Path == "" && t.Name == name
}

// String returns the type as messages show it, with packages by name.
func (t GoType) String() string { return t.FormatFrom("") }

// FormatFrom returns the type as seen from outside the tools' own package, whose name is own.
func (t GoType) FormatFrom(own string) string {
	elem := func(i int) string { return t.Elems[i].FormatFrom(own) }
	switch t.Kind {
	case GoPointer:
		return "*" + elem(0)
	case GoSlice:
		return "[]" + elem(0)
	case GoArray:
		return fmt.Sprintf("[%d]%s", t.Len, elem(0))
	case GoMap:
		return "map[" + elem(0) + "]" + elem(1)
	case GoNamed:
		return t.formatNamed(own)
	case GoStruct:
		return "struct"
	case GoFunc:
		return t.formatSignature(own)
	case GoInterface:
		return "interface"
	}
	return "chan " + elem(0)
}

func (t GoType) formatNamed(own string) string {
	name := t.Name
	if t.Path == "" {
		own = ""
	}
	if pkg := cmp.Or(t.Pkg, own); pkg != "" {
		name = pkg + "." + t.Name
	}
	if len(t.Elems) > 0 {
		name += "[" + joinTypes(t.Elems, own) + "]"
	}
	return name
}

func (t GoType) formatSignature(own string) string {
	params := joinTypes(t.Elems, own)
	if n := len(t.Elems); t.Variadic {
		last := "..." + t.Elems[n-1].Elems[0].FormatFrom(own)
		params = strings.TrimPrefix(joinTypes(t.Elems[:n-1], own)+", "+last, ", ")
	}
	switch results := joinTypes(t.Result, own); len(t.Result) {
	case 0:
		return "func(" + params + ")"
	case 1:
		return "func(" + params + ") " + results
	default:
		return "func(" + params + ") (" + results + ")"
	}
}

func joinTypes(types []GoType, own string) string {
	var all []string
	for _, t := range types {
		all = append(all, t.FormatFrom(own))
	}
	return strings.Join(all, ", ")
}
