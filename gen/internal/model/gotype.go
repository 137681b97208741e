package model

import (
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
func (t GoType) String() string {
	elem := func(i int) string { return t.Elems[i].String() }
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
		name := t.Name
		if t.Pkg != "" {
			name = t.Pkg + "." + t.Name
		}
		if len(t.Elems) > 0 {
			var args []string
			for i := range t.Elems {
				args = append(args, elem(i))
			}
			name += "[" + strings.Join(args, ", ") + "]"
		}
		return name
	case GoStruct:
		return "struct"
	case GoFunc:
		return "func"
	case GoInterface:
		return "interface"
	}
	return "chan " + elem(0)
}
