package source

import (
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A decodeReader finds out whether an UnmarshalJSON decodes all of its input into the fields of its receiver, as
// handwritten methods do:
//
//	type plain T
//	var v struct {
//		plain
//		Created string `json:"created"`
//	}
//	err := json.Unmarshal(data, &v)
//
// It reads the syntax only. A method that uses its input more than once is not recognized, because it may accept
// another form as well.
type decodeReader struct {
	owner     string              // the type of the receiver
	input     string              // the name of the parameter
	types     map[string]ast.Expr // types of the package, without aliases
	locals    map[string]ast.Expr // types declared in the body
	variables map[string]ast.Expr // types of variables in the body, nil if several variables have the name
	decoders  map[string]bool     // types of the package with their own UnmarshalJSON or UnmarshalText
}

// readDecoded sets Decoded for the types whose UnmarshalJSON decodes its input into their fields.
func (d *PackageDoc) readDecoded(methods []*ast.FuncDecl, types map[string]ast.Expr) {
	decoders := map[string]bool{}
	for name := range d.Functions {
		for _, method := range []string{".UnmarshalJSON", ".UnmarshalText"} {
			if owner, ok := strings.CutSuffix(name, method); ok {
				decoders[owner] = true
			}
		}
	}
	for _, method := range methods {
		pointer, ok := method.Recv.List[0].Type.(*ast.StarExpr)
		if !ok || len(method.Type.Params.List) != 1 || len(method.Type.Params.List[0].Names) != 1 {
			continue
		}
		owner, ok := pointer.X.(*ast.Ident)
		if !ok {
			continue // it is generic
		}
		r := decodeReader{
			owner: owner.Name, input: method.Type.Params.List[0].Names[0].Name, types: types,
			locals: map[string]ast.Expr{}, variables: map[string]ast.Expr{}, decoders: decoders,
		}
		if members, ok := r.readBody(method.Body); ok && setsReceiver(method) {
			d.Decoded[owner.Name] = members
		}
	}
}

// setsReceiver reports whether a method assigns a value to its receiver, or converts the pointer to another type, through
// which all fields can be set. A method that sets fields one by one may leave some out.
func setsReceiver(method *ast.FuncDecl) (sets bool) {
	names := method.Recv.List[0].Names
	if len(names) != 1 {
		return false
	}
	ast.Inspect(method.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if star, ok := left.(*ast.StarExpr); ok && isIdent(star.X, names[0].Name) {
					sets = true
				}
			}
		case *ast.CallExpr:
			_, isPointer := ast.Unparen(n.Fun).(*ast.StarExpr)
			sets = sets || isPointer && len(n.Args) == 1 && isIdent(n.Args[0], names[0].Name)
		}
		return true
	})
	return sets
}

// readBody returns the JSON members for which the body of the method declares its own fields instead of
// using those of the receiver, such as "created" in the example. If the body does not decode the whole
// input, ok is false.
func (r *decodeReader) readBody(body *ast.BlockStmt) (members []string, ok bool) {
	var target ast.Expr
	uses := 0
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if n.Name == r.input {
				uses++
			}
		case *ast.TypeSpec:
			if !n.Assign.IsValid() && n.TypeParams == nil {
				r.locals[n.Name.Name] = n.Type
			}
		case *ast.ValueSpec:
			r.addVariables(n)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				r.addDefined(n)
			}
		case *ast.CallExpr:
			if isUnmarshal(n.Fun) && len(n.Args) == 2 && isIdent(n.Args[0], r.input) {
				target = n.Args[1]
			}
		}
		return true
	})
	if target == nil || uses != 1 {
		return nil, false
	}
	return r.readType(r.typeOf(target), true)
}

func isUnmarshal(f ast.Expr) bool {
	selector, ok := f.(*ast.SelectorExpr)
	return ok && isIdent(selector.X, "json") && selector.Sel.Name == "Unmarshal"
}

func isIdent(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

func (r *decodeReader) addVariables(spec *ast.ValueSpec) {
	for i, name := range spec.Names {
		t := spec.Type
		if t == nil && i < len(spec.Values) {
			t = r.typeOf(spec.Values[i])
		}
		r.addVariable(name.Name, t)
	}
}

func (r *decodeReader) addDefined(s *ast.AssignStmt) {
	for i, left := range s.Lhs {
		name, ok := left.(*ast.Ident)
		switch {
		case !ok:
		case len(s.Lhs) == len(s.Rhs):
			r.addVariable(name.Name, r.typeOf(s.Rhs[i]))
		default:
			r.addVariable(name.Name, nil)
		}
	}
}

func (r *decodeReader) addVariable(name string, t ast.Expr) {
	if _, redeclared := r.variables[name]; redeclared {
		t = nil
	}
	r.variables[name] = t
}

// typeOf returns the type of an expression, or the type that it points to. It returns nil if it is not obvious.
func (r *decodeReader) typeOf(e ast.Expr) ast.Expr {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return r.variables[e.Name]
	case *ast.CompositeLit:
		return e.Type
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return r.typeOf(e.X)
		}
	case *ast.CallExpr: // a conversion or new
		if isIdent(e.Fun, "new") && len(e.Args) == 1 {
			return e.Args[0]
		}
		return ast.Unparen(e.Fun)
	}
	return nil
}

// readType returns the JSON members for which a type declares its own fields instead of using those of the
// receiver. The type must be defined as the type of the receiver, as plain is in the example. If mayEmbed
// is true, it may also be a struct that embeds such a type. For other types, ok is false.
func (r *decodeReader) readType(t ast.Expr, mayEmbed bool) (members []string, ok bool) {
	const maxDefinitions = 8 // limits chains of types, as in: type plain T
	for range maxDefinitions {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.StructType:
			if !mayEmbed {
				return nil, false
			}
			return r.readStruct(x)
		case *ast.Ident:
			if t, ok = r.locals[x.Name]; !ok {
				if r.decoders[x.Name] {
					return nil, false // its methods read another form
				}
				t = r.types[x.Name]
			}
			if isIdent(t, r.owner) {
				return nil, r.locals[r.owner] == nil
			}
		default:
			return nil, false
		}
	}
	return nil, false
}

// readStruct implements readType for a struct.
func (r *decodeReader) readStruct(s *ast.StructType) (members []string, ok bool) {
	for _, field := range s.Fields.List {
		name, tagged := jsonTag(field)
		switch {
		case len(field.Names) == 0 && name != "":
			return nil, false // it may have an UnmarshalJSON, which would read everything
		case len(field.Names) == 0:
			if _, embeds := r.readType(field.Type, false); ok || !embeds {
				return nil, false
			}
			ok = true
		case tagged && name == "-":
		default:
			for _, id := range field.Names {
				if member := name; id.IsExported() {
					if member == "" {
						member = id.Name
					}
					members = append(members, member)
				}
			}
		}
	}
	slices.Sort(members)
	return slices.Compact(members), ok
}

// jsonTag returns the name in the json tag of a field, and whether it has one.
func jsonTag(field *ast.Field) (name string, tagged bool) {
	if field.Tag == nil {
		return "", false
	}
	text, err := strconv.Unquote(field.Tag.Value)
	if err != nil {
		return "", false
	}
	value, tagged := reflect.StructTag(text).Lookup("json")
	name, _, _ = strings.Cut(value, ",")
	return name, tagged
}
