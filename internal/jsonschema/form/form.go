// Package form knows what a JSON Schema looks like, and no more: it is for programs
// that need no checker, and links none.
package form

import (
	"errors"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema/parts"
	"github.com/aiongen/aiongen/internal/jsontext"
)

var typeNames = []string{"object", "array", "string", "number", "integer", "boolean", "null"}

// Check returns the first thing that is wrong with the form of a schema. What its
// values may be it does not check.
func Check(schema string) error {
	n, err := jsontext.Parse(schema, jsontext.Depth)
	if err != nil {
		return errors.New("it is no JSON: " + err.Error())
	}
	return check(n, "")
}

func check(n *jsontext.Node, at string) error {
	switch {
	case n.Is(jsontext.Bool):
		return nil
	case !n.Is(jsontext.Object):
		return wrong(at, "an object, true or false")
	}
	if t := n.Member("type"); t != nil && !isTypes(t) {
		return wrong(at+"/type", "one of "+strings.Join(typeNames, ", ")+", or a list of them")
	}
	if names := n.Member("required"); names != nil && !isList(names, isText) {
		return wrong(at+"/required", "a list of names")
	}
	if values := n.Member("enum"); values != nil && !values.Is(jsontext.Array) {
		return wrong(at+"/enum", "a list of values")
	}
	for _, m := range n.Items {
		if err := checkParts(m, jsontext.Join(at, m.Name())); err != nil {
			return err
		}
	}
	return nil
}

// checkParts looks at the schemas in the value of a keyword.
func checkParts(value *jsontext.Node, at string) error {
	switch shape := parts.ShapeOf(value.Name()); {
	case shape == parts.None:
		return nil
	case shape == parts.Named && !value.Is(jsontext.Object):
		return wrong(at, "an object of schemas")
	case shape == parts.List && !value.Is(jsontext.Array):
		return wrong(at, "a list of schemas")
	case shape == parts.One && !value.Is(jsontext.Array):
		return check(value, at)
	}
	for i, part := range value.Items {
		within := jsontext.JoinIndex(at, i)
		if value.Is(jsontext.Object) {
			within = jsontext.Join(at, part.Name())
		}
		if value.Name() == "dependencies" && isList(part, isText) {
			continue // they are names
		}
		if err := check(part, within); err != nil {
			return err
		}
	}
	return nil
}

func wrong(at, expected string) error {
	if at == "" {
		return errors.New("it must be " + expected)
	}
	return errors.New(at + " must be " + expected)
}

func isText(n *jsontext.Node) bool { return n.Is(jsontext.String) }

func isType(n *jsontext.Node) bool { return isText(n) && slices.Contains(typeNames, n.Str()) }

func isTypes(n *jsontext.Node) bool { return isType(n) || isList(n, isType) }

func isList(n *jsontext.Node, of func(*jsontext.Node) bool) bool {
	return n.Is(jsontext.Array) && !slices.ContainsFunc(n.Items, func(one *jsontext.Node) bool { return !of(one) })
}
