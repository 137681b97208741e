// Package custom knows what JSON types take and write that have methods for it:
// which of them a schema can describe, and which it cannot.
//
// Its layers, from top to bottom:
//
//	untold      where a type has parts that nothing is known of
//	custom      what is known of a type
//	method      what a type's own schema methods say
//	table       types that are well known
package custom

import (
	"go/ast"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// IsKnown reports whether a type is one of those that are well known, so that its own
// methods are what reads and writes it.
func IsKnown(t *types.Named) bool {
	_, ok := goname.Known(table, t.Obj())
	return ok
}

// Argument is the form of a type that reads itself from JSON: that of a well-known
// type, or what its schema methods say. It is nil where nothing is known. Returned is
// what a method of a package returns, by Type.Method, where that is all that its body
// does.
func Argument(t types.Type, returned func(*types.Package) map[string]ast.Expr) *model.Type {
	if named, ok := t.(*types.Named); ok {
		if f, ok := goname.Known(table, named.Obj()); ok {
			return f.argument()
		}
	}
	return fromMethods(t, returned)
}

// Result is the form of a well-known type that writes itself as JSON, nil for others:
// what a type says of its schema is what it takes, which may be more than what it
// writes, or less.
func Result(t types.Type) *model.Type {
	if named, ok := t.(*types.Named); ok {
		if f, ok := goname.Known(table, named.Obj()); ok && f.result != nil {
			return f.result()
		}
	}
	return nil
}
