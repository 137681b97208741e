package shape

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// unionKeywords are keywords that no Go type can express. A schema with one of them is kept as written.
var unionKeywords = map[string]bool{"oneOf": true, "anyOf": true, "const": true}

// hasUnion reports whether a schema has a keyword of a union at any depth.
func hasUnion(v any) bool {
	return anyPart("", v, func(name string, _ any) bool { return unionKeywords[name] })
}

// isConstant reports whether every part of a schema in Go source is a constant.
func isConstant(v any) bool {
	return !anyPart("", v, func(_ string, v any) bool { return v == nil })
}

// anyPart reports whether match returns true for decoded JSON or a part of it: a member, whose name is passed as
// well, or an item, at any depth.
func anyPart(name string, v any, match func(name string, v any) bool) bool {
	if match(name, v) {
		return true
	}
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if anyPart(name, member, match) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return anyPart("", item, match) })
	}
	return false
}

// writtenForm returns the form of a schema in Go that is kept as written, or nil if a part of it is not
// constant. Without that part, a value could match several schemas of a oneOf, which would reject it.
func (s customSchema) writtenForm() *model.Type {
	if !isConstant(map[string]any(s)) {
		return nil
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return nil
	}
	return readWritten(text.Bytes())
}

// readWritten returns the form of a JSON Schema that is kept as written, except for its description. It
// returns nil if the schema is invalid or contains references.
func readWritten(text []byte) *model.Type {
	parsed, err := jsonschema.Parse(text)
	if err != nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return nil
	}
	t := anyType()
	t.RejectsNull = len(parsed.Check(&jsontext.Node{Kind: jsontext.Null, Text: "null"}, len("null"))) > 0
	var members []string
	for d.More() {
		name, _ := d.Token()
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil
		}
		switch name {
		case "description":
			t.Description = jsontext.Unquote(string(value))
		case "$schema", "$id", "title", "default", "examples":
		case "$defs", "definitions":
			return nil
		default:
			var compact bytes.Buffer
			if json.Compact(&compact, value) != nil || bytes.Contains(compact.Bytes(), []byte(`"$ref":`)) {
				return nil
			}
			members = append(members, jsontext.Quote(name.(string))+":"+compact.String())
		}
	}
	t.Schema = strings.Join(members, ",")
	return t
}

// isObjectLiteral reports whether a composite literal without elements is an object.
func isObjectLiteral(e *ast.CompositeLit) bool {
	_, list := e.Type.(*ast.ArrayType)
	return !list
}
