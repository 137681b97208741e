package custom

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
	"github.com/aiongen/aiongen/internal/jsontext"
)

// A schema is what a type says of itself, as JSON Schema and OpenAPI call it, with
// texts, numbers, lists and objects as encoding/json reads them. What is no constant is
// not in it: a schema that says less allows more, and the type itself still refuses what
// it does not take.
type schema map[string]any

// fromMethods reads what the methods say that a type has for it. What they return is
// read from the source; nothing is run.
func fromMethods(t types.Type, returned func(*types.Package) map[string]ast.Expr) *model.Type {
	m := methods{returned: returned}
	reads, ok := lookup(t, "UnmarshalJSON")
	if !ok {
		return nil
	}
	m.owner = receiver(reads)
	if alternatives, ok := m.value(t, "OpenAPIV3OneOfTypes").([]any); ok {
		return fromTypes(alternatives, schema{})
	}
	if s, ok := m.value(t, "JSONSchema").(map[string]any); ok {
		return schema(s).form()
	}
	if s, ok := m.value(t, "JSONSchema").(string); ok {
		return parsed(s).form()
	}
	kinds, _ := m.value(t, "OpenAPISchemaType").([]any)
	return fromTypes(kinds, schema{"format": m.value(t, "OpenAPISchemaFormat")})
}

func parsed(text string) (s schema) {
	if json.Unmarshal([]byte(text), &s) != nil {
		return nil
	}
	return s
}

// methods are those of the type that declares how it is read: what another type that is
// embedded says of itself says nothing of what embeds it.
type methods struct {
	owner    *types.TypeName
	returned func(*types.Package) map[string]ast.Expr
}

// value is what a method returns, nil where that is not to be seen.
func (m methods) value(t types.Type, name string) any {
	f, ok := lookup(t, name)
	if !ok || m.owner == nil || receiver(f) != m.owner || f.Signature().Params().Len() > 0 {
		return nil
	}
	return value(f.Pkg(), m.returned(f.Pkg())[m.owner.Name()+"."+name])
}

func lookup(t types.Type, name string) (*types.Func, bool) {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	f, ok := obj.(*types.Func)
	return f, ok
}

// receiver is the type that declares a method, nil for that of an interface.
func receiver(f *types.Func) *types.TypeName {
	t := f.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj()
	}
	return nil
}

// value is what an expression in a package stands for, nil if that is no constant.
func value(pkg *types.Package, e ast.Expr) any {
	switch e := e.(type) {
	case nil:
		return nil
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return value(pkg, e.X)
		}
	case *ast.CallExpr: // []byte("…")
		if len(e.Args) == 1 {
			return value(pkg, e.Args[0])
		}
		return nil
	case *ast.CompositeLit:
		return composite(pkg, e)
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
	}
	return nil
}

// composite is a list or an object: a struct by the names of its fields as JSON has
// them, a map by its keys.
func composite(pkg *types.Package, e *ast.CompositeLit) any {
	object, list := map[string]any{}, []any{}
	for _, elem := range e.Elts {
		pair, ok := elem.(*ast.KeyValueExpr)
		if !ok {
			list = append(list, value(pkg, elem))
			continue
		}
		name, _ := value(pkg, pair.Key).(string)
		if id, ok := pair.Key.(*ast.Ident); ok && name == "" {
			name = strings.ToLower(id.Name[:1]) + id.Name[1:]
		}
		object[name] = value(pkg, pair.Value)
	}
	if len(object) > 0 {
		return object
	}
	return list
}

// form is the form that a schema describes, nil if it says too little.
func (s schema) form() *model.Type {
	kinds, ok := s["type"].([]any)
	if !ok {
		kinds = []any{s["type"]}
	}
	t := fromTypes(kinds, s)
	if t != nil {
		t.Description, _ = s["description"].(string)
	}
	return t
}

// fromTypes is the form of what has one of the types of JSON: one, or a text and another.
func fromTypes(kinds []any, s schema) *model.Type {
	var others []any
	for _, kind := range kinds {
		if kind != "null" && kind != "string" {
			others = append(others, kind)
		}
	}
	isText := slices.Contains(kinds, any("string"))
	switch {
	case isText && len(others) == 0:
		return s.text()
	case len(others) != 1:
		return nil
	}
	other := s.other(others[0])
	if other != nil && isText {
		return or(text, func() *model.Type { return other })()
	}
	return other
}

func (s schema) text() *model.Type {
	t := text()
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
			return text() // it may have more values than those that are to be seen
		}
		t.Enum = append(t.Enum, model.Const{Value: jsontext.Quote(name)})
	}
	return t
}

func (s schema) other(kind any) *model.Type {
	switch kind {
	case "integer":
		t := integer(64)
		if s["format"] == "int32" {
			t = integer(32)
		}
		t.Min, t.Max = s.bound("minimum"), s.bound("maximum")
		return t
	case "number":
		return float()
	case "boolean":
		return basic(model.Bool, "bool")
	case "object":
		return object()
	case "array":
		return list(anything)()
	}
	return nil
}

// bound is a bound of an integer, "" where there is none.
func (s schema) bound(keyword string) string {
	var text string
	switch v := s[keyword].(type) {
	case json.Number:
		text = v.String()
	case string: // as some libraries hold it
		text = v
	case float64:
		text = strconv.FormatFloat(v, 'f', -1, 64)
	}
	if _, err := strconv.ParseInt(text, 10, 64); err != nil {
		return ""
	}
	return text
}
