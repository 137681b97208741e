package shape

import (
	"encoding/json"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/source"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// A customSchema is the JSON Schema or OpenAPI schema that a method of a type returns, with values as
// encoding/json decodes them. Parts that are not constants are missing, so the schema may allow values
// that the type rejects when it decodes them.
type customSchema map[string]any

// readSchemaMethods returns the form (the JSON that the type accepts) that the methods of a type describe,
// such as JSONSchema or OpenAPISchemaType. It executes no code: docs supplies the expressions that the
// methods return, as for [CustomArgument].
func readSchemaMethods(t types.Type, docs func(*types.Package) *source.PackageDoc) *model.Type {
	m := schemaMethods{docs: docs}
	reads, ok := findSchemaMethod(t, "UnmarshalJSON")
	if !ok {
		return nil
	}
	m.owner = receiverType(reads)
	if alternatives, ok := m.readValue(t, "OpenAPIV3OneOfTypes").([]any); ok {
		return readTypeUnion(alternatives, customSchema{})
	}
	if s, ok := m.readValue(t, "JSONSchema").(map[string]any); ok {
		if hasUnion(s) {
			return customSchema(s).writtenForm()
		}
		return customSchema(s).readForm()
	}
	if text, ok := m.readValue(t, "JSONSchema").(string); ok {
		s := parseCustomSchema(text)
		if hasUnion(map[string]any(s)) {
			return readWritten([]byte(text))
		}
		return s.readForm()
	}
	kinds, _ := m.readValue(t, "OpenAPISchemaType").([]any)
	return readTypeUnion(kinds, customSchema{"format": m.readValue(t, "OpenAPISchemaFormat")})
}

func parseCustomSchema(text string) (s customSchema) {
	if json.Unmarshal([]byte(text), &s) != nil {
		return nil
	}
	return s
}

// schemaMethods reads the schema methods of the type that declares UnmarshalJSON. The methods of an
// embedded type do not describe the type that embeds it.
type schemaMethods struct {
	owner *types.TypeName
	docs  func(*types.Package) *source.PackageDoc
}

// readValue returns the result of a method, nil if it is not a constant.
func (m schemaMethods) readValue(t types.Type, name string) any {
	f, ok := findSchemaMethod(t, name)
	if !ok || m.owner == nil || receiverType(f) != m.owner || f.Signature().Params().Len() > 0 {
		return nil
	}
	return constantValue(f.Pkg(), m.docs(f.Pkg()).Returned(m.owner.Name()+"."+name))
}

func findSchemaMethod(t types.Type, name string) (*types.Func, bool) {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	f, ok := obj.(*types.Func)
	return f, ok
}

// receiverType returns the type that declares a method, nil for a method of an interface.
func receiverType(f *types.Func) *types.TypeName {
	if named := source.Receiver(f); named != nil {
		return named.Obj()
	}
	return nil
}

// constantValue returns the value of a constant expression in a package, nil if it is not
// constant.
func constantValue(pkg *types.Package, e ast.Expr) any {
	switch e := e.(type) {
	case nil:
		return nil
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return constantValue(pkg, e.X)
		}
	case *ast.CallExpr: // []byte("…")
		if len(e.Args) == 1 {
			return constantValue(pkg, e.Args[0])
		}
		return nil
	case *ast.CompositeLit:
		return compositeValue(pkg, e)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if types.CheckExpr(token.NewFileSet(), pkg, token.NoPos, e, info) != nil {
		return nil
	}
	switch v := info.Types[e].Value; {
	case v == nil:
		return nil
	case v.Kind() == constant.String:
		return constant.StringVal(v)
	case v.Kind() == constant.Int:
		return json.Number(v.ExactString())
	case v.Kind() == constant.Float:
		f, _ := constant.Float64Val(v)
		return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
	case v.Kind() == constant.Bool:
		return constant.BoolVal(v)
	}
	return nil
}

// compositeValue returns a composite literal as a list or an object. It assumes that the JSON
// name of a struct field is its Go name with a lowercase first letter.
func compositeValue(pkg *types.Package, e *ast.CompositeLit) any {
	object, list := map[string]any{}, []any{}
	for _, elem := range e.Elts {
		pair, ok := elem.(*ast.KeyValueExpr)
		if !ok {
			list = append(list, constantValue(pkg, elem))
			continue
		}
		name, _ := constantValue(pkg, pair.Key).(string)
		if id, ok := pair.Key.(*ast.Ident); ok && name == "" {
			name = strings.ToLower(id.Name[:1]) + id.Name[1:]
		}
		object[name] = constantValue(pkg, pair.Value)
	}
	if len(object) > 0 || len(list) == 0 && isObjectLiteral(e) {
		return object
	}
	return list
}

// readForm returns the form that a schema describes, nil if the schema does not determine one.
func (s customSchema) readForm() *model.Type {
	kinds, ok := s["type"].([]any)
	if !ok {
		kinds = []any{s["type"]}
	}
	t := readTypeUnion(kinds, s)
	if t != nil {
		t.Description, _ = s["description"].(string)
	}
	return t
}

// readTypeUnion returns the form of a value that may have any of the JSON types in kinds. It supports a
// single type, such as "integer", and "string" with one other type. Both may be combined with "null". For
// other combinations, it returns nil.
func readTypeUnion(kinds []any, s customSchema) *model.Type {
	t := readNonNull(kinds, s)
	if t != nil && slices.Contains(kinds, any("null")) {
		return orNull(t)
	}
	return t
}

// readNonNull implements readTypeUnion for values other than null.
func readNonNull(kinds []any, s customSchema) *model.Type {
	var others []any
	for _, kind := range kinds {
		if kind != "null" && kind != "string" {
			others = append(others, kind)
		}
	}
	isText := slices.Contains(kinds, any("string"))
	switch {
	case isText && len(others) == 0:
		return s.readText()
	case len(others) != 1:
		return nil
	}
	other := s.readNonText(others[0])
	if other != nil && isText {
		return orType(textType(), other)
	}
	return other
}

func (s customSchema) readText() *model.Type {
	t := textType()
	if f, _ := s["format"].(string); f == "date-time" || f == "uuid" {
		t.Format = f
	}
	if p, _ := s["pattern"].(string); p != "" {
		if _, err := regexp.Compile(p); err == nil {
			t.Pattern, t.Checked = p, true
		}
	}
	values, _ := s["enum"].([]any)
	for _, v := range values {
		name, ok := v.(string)
		if !ok {
			return textType() // not all values are constants
		}
		t.Enum = append(t.Enum, model.Const{Value: jsontext.Quote(name)})
	}
	return t
}

func (s customSchema) readNonText(kind any) *model.Type {
	switch kind {
	case "integer":
		t := integerType(64)
		if s["format"] == "int32" {
			t = integerType(32)
		}
		t.Min, t.Max = s.readBound("minimum"), s.readBound("maximum")
		return t
	case "number":
		return floatType(64)
	case "boolean":
		return newBasicType(model.Bool, "bool")
	case "object":
		return objectType()
	case "array":
		return listType(anyType())
	}
	return nil
}

// readBound returns a bound of an integer, "" if there is none.
func (s customSchema) readBound(keyword string) string {
	var text string
	switch v := s[keyword].(type) {
	case json.Number:
		text = v.String()
	case string: // used by some libraries
		text = v
	case float64:
		text = strconv.FormatFloat(v, 'f', -1, 64)
	}
	if _, err := strconv.ParseInt(text, 10, 64); err != nil {
		return ""
	}
	return text
}
