// Package nesting limits how deep Go types and expressions nest in source code, before a
// type checker or a printer sees them. Both take time and memory that grow with the square
// or the cube of the depth.
//
// Call Cut for a file of a package and Parse for a text in the notation.
package nesting

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"

	"github.com/aiongen/aiongen/internal/budget"
)

// maxNodes limits how deep all nodes of a function literal nest, statements and
// expressions included. A long chain of else if, or of operands, nests as well.
const maxNodes = 1000

// An Error reports what nests too deep, and where.
type Error struct {
	Pos   token.Pos // Parse counts from 1
	What  string    // "types", "expressions" or "brackets"
	Limit int
}

// Error names what nests and the limit.
func (e *Error) Error() string {
	return fmt.Sprintf("%s nest more than %d levels deep", e.What, e.Limit)
}

// Parse parses an expression, such as a function literal, and returns syntax errors,
// or an *Error if types nest deeper than budget.MaxDepth, or anything deeper than maxNodes.
func Parse(source string) (ast.Expr, error) {
	if deep := brackets(source); deep != nil {
		return nil, deep
	}
	expr, err := parser.ParseExpr(source)
	if err != nil {
		return nil, err
	}
	if deep := check(expr, maxNodes); deep != nil {
		return nil, deep
	}
	return expr, nil
}

// brackets returns an error if brackets nest deeper than maxNodes.
func brackets(source string) *Error {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(file, []byte(source), nil, 0)
	for depth := 0; ; {
		pos, tok, _ := s.Scan()
		switch tok {
		case token.EOF:
			return nil
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		}
		if depth > maxNodes {
			return &Error{token.Pos(file.Offset(pos) + 1), "brackets", maxNodes}
		}
	}
}

// Cut replaces what nests types deeper than budget.MaxDepth in the declarations of a file
// by ast.BadExpr, which the type checker takes for an invalid type without another error.
// Function bodies are not looked at.
func Cut(file *ast.File) (found []*Error) {
	cut := func(e *ast.Expr) {
		if *e == nil {
			return
		}
		if err := check(*e, 0); err != nil {
			found = append(found, err)
			*e = &ast.BadExpr{From: (*e).Pos(), To: (*e).Pos() + 1}
		}
	}
	fields := func(lists ...*ast.FieldList) {
		for _, list := range lists {
			if list == nil {
				continue
			}
			for _, f := range list.List {
				cut(&f.Type)
			}
		}
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			fields(decl.Recv, decl.Type.TypeParams, decl.Type.Params, decl.Type.Results)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					fields(spec.TypeParams)
					cut(&spec.Type)
				case *ast.ValueSpec:
					cut(&spec.Type)
					for i := range spec.Values {
						cut(&spec.Values[i])
					}
				}
			}
		}
	}
	return found
}

// check returns an error if types below a node nest deeper than budget.MaxDepth, or all
// nodes deeper than most; 0 is no limit.
func check(n ast.Node, most int) *Error {
	var found *Error
	ast.Walk(visitor{most: most, found: &found}, n)
	return found
}

// A visitor visits the parts of a node at that depth.
type visitor struct {
	types, all, most int
	found            **Error
}

// Visit implements ast.Visitor.
func (v visitor) Visit(n ast.Node) ast.Visitor {
	if n == nil || *v.found != nil {
		return nil
	}
	v.all++
	switch n.(type) {
	case *ast.StarExpr, *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType,
		*ast.IndexExpr, *ast.IndexListExpr, *ast.ParenExpr:
		v.types++
	}
	switch {
	case v.types > budget.MaxDepth:
		*v.found = &Error{n.Pos(), "types", budget.MaxDepth}
	case v.most > 0 && v.all > v.most:
		*v.found = &Error{n.Pos(), "expressions", v.most}
	}
	return v
}
