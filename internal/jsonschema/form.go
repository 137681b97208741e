package jsonschema

import (
	"errors"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

var typeNames = []string{"object", "array", "string", "number", "integer", "boolean", "null"}

// CheckForm returns an error if a schema has the wrong form, for example if a type does not exist, or if a list
// is where a schema must be. It checks only a few keywords.
func CheckForm(schema string) error {
	n, err := jsontext.Parse(schema, jsontext.Depth)
	if err != nil {
		return errors.New("it is not JSON: " + err.Error())
	}
	return checkForm(n, "")
}

func checkForm(n *jsontext.Node, at string) error {
	switch {
	case n.Is(jsontext.Bool):
		return nil
	case !n.Is(jsontext.Object):
		return newFormError(at, "an object, true or false")
	}
	if t := n.Member("type"); t != nil && !isTypeList(t) {
		return newFormError(at+"/type", "one of "+strings.Join(typeNames, ", ")+", or a list of them")
	}
	if names := n.Member("required"); names != nil && !isListOf(names, isStringNode) {
		return newFormError(at+"/required", "a list of names")
	}
	if values := n.Member("enum"); values != nil && !values.Is(jsontext.Array) {
		return newFormError(at+"/enum", "a list of values")
	}
	for _, m := range n.Items {
		if err := checkSubschemas(m, jsontext.Join(at, m.Name())); err != nil {
			return err
		}
	}
	return nil
}

// checkSubschemas checks the schemas in the value of a keyword.
func checkSubschemas(value *jsontext.Node, at string) error {
	switch shape := SubschemaShapeOf(value.Name()); {
	case shape == NoSubschema:
		return nil
	case shape == SubschemaMap && !value.Is(jsontext.Object):
		return newFormError(at, "an object of schemas")
	case shape == SubschemaList && !value.Is(jsontext.Array):
		return newFormError(at, "a list of schemas")
	case shape == OneSubschema && !value.Is(jsontext.Array):
		return checkForm(value, at)
	}
	for i, part := range value.Items {
		pointer := jsontext.JoinIndex(at, i)
		if value.Is(jsontext.Object) {
			pointer = jsontext.Join(at, part.Name())
		}
		if value.Name() == "dependencies" && isListOf(part, isStringNode) {
			continue // a list of names
		}
		if err := checkForm(part, pointer); err != nil {
			return err
		}
	}
	return nil
}

func newFormError(at, expected string) error {
	if at == "" {
		return errors.New("it must be " + expected)
	}
	return errors.New(at + " must be " + expected)
}

func isStringNode(n *jsontext.Node) bool { return n.Is(jsontext.String) }

func isTypeName(n *jsontext.Node) bool { return isStringNode(n) && slices.Contains(typeNames, n.Str()) }

func isTypeList(n *jsontext.Node) bool { return isTypeName(n) || isListOf(n, isTypeName) }

func isListOf(n *jsontext.Node, isItem func(*jsontext.Node) bool) bool {
	return n.Is(jsontext.Array) && !slices.ContainsFunc(n.Items, func(item *jsontext.Node) bool { return !isItem(item) })
}
