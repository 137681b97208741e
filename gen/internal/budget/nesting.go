package budget

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
)

// maxNodeDepth limits how deep the syntax tree of a function literal nests, including statements
// and expressions. Long chains of else if and of operators nest as well, because a + b + c is (a +
// b) + c.
const maxNodeDepth = 1000

// A NestingError reports source that nests too deep.
type NestingError struct {
	Pos   token.Pos // in errors of ParseExpr: 1 for the first byte of the expression
	What  string    // "types", "expressions" or "brackets"
	Limit int
}

// Error returns a text such as "types nest more than 100 levels deep".
func (e *NestingError) Error() string {
	return fmt.Sprintf("%s nest more than %d levels deep", e.What, e.Limit)
}

// ParseExpr parses an expression, such as a function literal. It returns syntax errors, or a
// *NestingError if types nest deeper than MaxDepth or other nodes deeper than maxNodeDepth.
func ParseExpr(source string) (ast.Expr, error) {
	if deep := checkBrackets(source); deep != nil {
		return nil, deep
	}
	expr, err := parser.ParseExpr(source)
	if err != nil {
		return nil, err
	}
	if deep := checkNesting(expr, maxNodeDepth); deep != nil {
		return nil, deep
	}
	return expr, nil
}

// checkBrackets returns an error if brackets nest deeper than maxNodeDepth.
func checkBrackets(source string) *NestingError {
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
		if depth > maxNodeDepth {
			return &NestingError{token.Pos(file.Offset(pos) + 1), "brackets", maxNodeDepth}
		}
	}
}

// CutDeepTypes removes types that nest deeper than MaxDepth from the declarations of a file, and
// returns an error for each. It puts an ast.BadExpr in their places, for which the type checker
// reports no further error. It ignores function bodies.
func CutDeepTypes(file *ast.File) (found []*NestingError) {
	cut := func(e *ast.Expr) {
		if *e == nil {
			return
		}
		if err := checkNesting(*e, 0); err != nil {
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

// checkNesting returns an error if types in a node nest deeper than MaxDepth. Unless maxDepth is 0,
// it also returns an error if nodes of any kind nest deeper than maxDepth.
func checkNesting(n ast.Node, maxDepth int) *NestingError {
	var found *NestingError
	ast.Walk(nestingVisitor{maxDepth: maxDepth, found: &found}, n)
	return found
}

// A nestingVisitor visits the children of a node and counts how deep they nest.
type nestingVisitor struct {
	typeDepth, depth, maxDepth int
	found                      **NestingError
}

// Visit implements ast.Visitor.
func (v nestingVisitor) Visit(n ast.Node) ast.Visitor {
	if n == nil || *v.found != nil {
		return nil
	}
	v.depth++
	switch n.(type) {
	case *ast.StarExpr, *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType,
		*ast.IndexExpr, *ast.IndexListExpr, *ast.ParenExpr:
		v.typeDepth++
	}
	switch {
	case v.typeDepth > MaxDepth:
		*v.found = &NestingError{n.Pos(), "types", MaxDepth}
	case v.maxDepth > 0 && v.depth > v.maxDepth:
		*v.found = &NestingError{n.Pos(), "expressions", v.maxDepth}
	}
	return v
}
