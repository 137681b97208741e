// Package form knows what a JSON Schema looks like, and no more: it is for programs
// that need no checker, and links none.
package form

import (
	"errors"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// The keywords of a schema that hold others, by the form that they stand in.
var (
	schemasByName = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
	schemaLists   = []string{"anyOf", "oneOf", "allOf", "prefixItems"}
	schemaParts   = []string{"items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else"}
	typeNames     = []string{"object", "array", "string", "number", "integer", "boolean", "null"}
)

// deepest is how deeply the text of a schema may be nested.
const deepest = 1000

// Check returns what is wrong with the form of a schema: the first in the order of
// the keywords above. What its values may be it does not check.
func Check(schema string) error {
	n, err := jsontext.Parse(schema, deepest)
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
	for _, keyword := range schemasByName {
		if err := checkByName(n.Member(keyword), at+"/"+keyword); err != nil {
			return err
		}
	}
	for _, keyword := range slices.Concat(schemaLists, schemaParts) {
		if err := checkParts(n.Member(keyword), at+"/"+keyword, slices.Contains(schemaLists, keyword)); err != nil {
			return err
		}
	}
	return nil
}

// checkByName looks at schemas by name, if there are any.
func checkByName(all *jsontext.Node, at string) error {
	if all == nil {
		return nil
	}
	if !all.Is(jsontext.Object) {
		return wrong(at, "an object of schemas")
	}
	for _, one := range all.Items {
		if err := check(one, jsontext.Join(at, one.Name())); err != nil {
			return err
		}
	}
	return nil
}

// checkParts looks at one schema or a list of them, if there is any; of items there
// were lists once.
func checkParts(of *jsontext.Node, at string, list bool) error {
	switch {
	case of == nil:
		return nil
	case of.Is(jsontext.Array):
		for _, one := range of.Items {
			if err := check(one, at); err != nil {
				return err
			}
		}
		return nil
	case list:
		return wrong(at, "a list of schemas")
	}
	return check(of, at)
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
