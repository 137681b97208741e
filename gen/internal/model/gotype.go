package model

import (
	"cmp"
	"fmt"
	"strings"
)

// GoType is a Go type as written in source code. It identifies packages by import path.
type GoType struct {
	Kind     GoKind
	Path     string    // GoNamed: import path, "" for predeclared types
	Pkg      string    // GoNamed: name of the package in messages, "" for the package of the tools
	Name     string    // GoNamed
	Elems    []GoType  // GoNamed: type arguments; GoFunc: parameters; GoMap: key and element; others: element
	Len      int64     // GoArray
	Result   []GoType  // GoFunc
	Variadic bool      // GoFunc: the last parameter is variadic; in Elems it is a slice
	Fields   []GoField // GoStruct: fields; GoInterface: methods
}

// GoKind is the kind of a Go type.
type GoKind int

// The kinds of Go types.
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

// GoField is a field of an unnamed struct type or a method of an unnamed interface type. Name is empty for
// an embedded type.
type GoField struct {
	Name string
	Type GoType
	Tag  string
}

// Basic returns the predeclared type with the given name.
func Basic(name string) GoType { return GoType{Name: name} }

// IsBasic reports whether t is the predeclared type with the given name.
func (t GoType) IsBasic(name string) bool {
	return t.Kind == GoNamed && t.Path == "" && t.Name == name
}

// String returns the type as messages show it, with the names of packages: "store.Page".
func (t GoType) String() string { return t.FormatFrom("") }

// FormatFrom is like String, but adds a package name to the types of the tools' own package as well. own is
// that name.
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
