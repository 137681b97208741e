package source

import (
	"go/ast"
	"strconv"
	"strings"
)

// A PopulatedField is a field that a generated MarshalJSON of the Azure SDK writes.
type PopulatedField struct {
	GoName   string // "" for a constant, such as the kind of the type
	JSONName string
	Function string // the function that writes it, such as populate or populateDateTimeRFC3339; "" for a constant
}

// readPopulated reads the body of a MarshalJSON that the generator of the Azure SDK writes:
//
//	objectMap := make(map[string]any)
//	populate(objectMap, "name", x.Name)
//	objectMap["kind"] = KindFile
//	return json.Marshal(objectMap)
//
// It reports false for all other bodies, such as those that write additional properties.
func readPopulated(body []ast.Stmt) (fields []PopulatedField, ok bool) {
	if len(body) < 2 {
		return nil, false
	}
	if start, ok := body[0].(*ast.AssignStmt); !ok || len(start.Lhs) != 1 || !isObjectMap(start.Lhs[0]) {
		return nil, false
	}
	last, ok := body[len(body)-1].(*ast.ReturnStmt)
	if !ok || len(last.Results) != 1 {
		return nil, false
	}
	if call, ok := last.Results[0].(*ast.CallExpr); !ok || len(call.Args) != 1 || !isObjectMap(call.Args[0]) {
		return nil, false
	}
	for _, s := range body[1 : len(body)-1] {
		f, ok := readPopulate(s)
		if !ok {
			return nil, false
		}
		fields = append(fields, f)
	}
	return fields, true
}

func isObjectMap(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "objectMap"
}

// readPopulate reads a statement that writes one field.
func readPopulate(s ast.Stmt) (f PopulatedField, ok bool) {
	var key ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		if f, key, ok = readPopulateCall(s.X); !ok {
			return f, false
		}
	case *ast.AssignStmt:
		index, isIndex := s.Lhs[0].(*ast.IndexExpr)
		if len(s.Lhs) != 1 || !isIndex || !isObjectMap(index.X) {
			return f, false
		}
		key = index.Index
	}
	literal, ok := key.(*ast.BasicLit)
	if !ok {
		return f, false
	}
	name, err := strconv.Unquote(literal.Value)
	f.JSONName = name
	return f, err == nil
}

// readPopulateCall reads a call that writes one field, such as populate(objectMap, "name", x.Name). It returns the
// argument with the name.
func readPopulateCall(e ast.Expr) (f PopulatedField, key ast.Expr, ok bool) {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) < 3 || !isObjectMap(call.Args[0]) {
		return f, nil, false
	}
	for _, arg := range call.Args[2:] { // the format of bytes may be before or after the field
		if field, ok := arg.(*ast.SelectorExpr); ok && f.GoName == "" {
			f.GoName = field.Sel.Name
		}
	}
	function, ok := call.Fun.(*ast.Ident)
	if !ok || !strings.HasPrefix(function.Name, "populate") || f.GoName == "" {
		return f, nil, false
	}
	f.Function = function.Name
	return f, call.Args[1], true
}
