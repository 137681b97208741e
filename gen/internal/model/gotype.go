package model

import (
	"cmp"
	"fmt"
	"strings"
)

// GoType is a Go type as source code writes it, with packages by path.
type GoType struct {
	Kind   GoKind
	Path   string   // GoNamed: import path, "" for predeclared types
	Pkg    string   // GoNamed: name of the package in messages, "" for the tools' own
	Name   string   // GoNamed
	Elems  []GoType // type arguments; element; key and element; parameters
	Len    int64    // GoArray
	Result []GoType // GoFunc
	Spread bool     // GoFunc: the last parameter is variadic, its element is a slice
	Fields []GoField
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

// GoField is a field of a struct literal or a method of an interface literal;
// Name is empty for what is embedded.
type GoField struct {
	Name string
	Type GoType
	Tag  string
}

// Basic returns the predeclared type of that name.
func Basic(name string) GoType { return GoType{Name: name} }

// IsBasic reports whether the type is the predeclared one of that name.
func (t GoType) IsBasic(name string) bool {
	return t.Kind == GoNamed && t.Path == "" && t.Name == name
}

// String is the type as a message shows it, with packages by name.
func (t GoType) String() string { return t.In("") }

// In is the type as somebody sees it who does not look from the tools' own package,
// which has that name.
func (t GoType) In(own string) string {
	elem := func(i int) string { return t.Elems[i].In(own) }
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
		return t.named(own)
	case GoStruct:
		return "struct"
	case GoFunc:
		return t.signature(own)
	case GoInterface:
		return "interface"
	}
	return "chan " + elem(0)
}

func (t GoType) named(own string) string {
	name := t.Name
	if t.Path == "" {
		own = ""
	}
	if pkg := cmp.Or(t.Pkg, own); pkg != "" {
		name = pkg + "." + t.Name
	}
	if len(t.Elems) > 0 {
		name += "[" + list(t.Elems, own) + "]"
	}
	return name
}

func (t GoType) signature(own string) string {
	params := list(t.Elems, own)
	if n := len(t.Elems); t.Spread {
		last := "..." + t.Elems[n-1].Elems[0].In(own)
		params = strings.TrimPrefix(list(t.Elems[:n-1], own)+", "+last, ", ")
	}
	switch results := list(t.Result, own); len(t.Result) {
	case 0:
		return "func(" + params + ")"
	case 1:
		return "func(" + params + ") " + results
	default:
		return "func(" + params + ") (" + results + ")"
	}
}

func list(types []GoType, own string) string {
	var all []string
	for _, t := range types {
		all = append(all, t.In(own))
	}
	return strings.Join(all, ", ")
}
