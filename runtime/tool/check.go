package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// DefinitionError says that a tool cannot be registered for its definition.
type DefinitionError struct {
	Tool string // its name, which may be what is wrong
	Err  error  // everything that is wrong
}

// Error lists what is wrong.
func (e *DefinitionError) Error() string {
	return fmt.Sprintf("tool %q cannot be registered: %s", e.Tool, strings.ReplaceAll(e.Err.Error(), "\n", "; "))
}

// Unwrap returns what is wrong.
func (e *DefinitionError) Unwrap() error { return e.Err }

// check returns what is wrong with the definition of a tool that was made by hand.
func (t Tool) check() error {
	if !t.peculiar().byHand {
		return nil // it was checked when it was generated
	}
	d := t.definition
	var faults []error
	if strings.TrimSpace(d.Name) == "" {
		faults = append(faults, errors.New("it has no name"))
	} else if !isPrintable(d.Name) {
		faults = append(faults, errors.New("its name has characters that cannot be shown"))
	}
	for _, s := range []struct {
		what string
		text json.RawMessage
	}{{"input", d.Input}, {"output", d.Output}} {
		if len(s.text) == 0 {
			continue // any arguments, or any result
		}
		var v any
		err := json.Unmarshal(s.text, &v)
		if err != nil {
			err = fmt.Errorf("it is no JSON: %w", err)
		} else {
			err = checkSchema(v, "")
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("its %s schema is none: %w", s.what, err))
		}
	}
	if d.Example != nil && !json.Valid(d.Example) {
		faults = append(faults, errors.New("its example is no JSON"))
	}
	if faults == nil {
		return nil
	}
	return &DefinitionError{Tool: d.Name, Err: errors.Join(faults...)}
}

// The keywords of a schema that hold others, by the form that they stand in.
var (
	schemasByName = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
	schemaLists   = []string{"anyOf", "oneOf", "allOf", "prefixItems"}
	schemaParts   = []string{"items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else"}
	typeNames     = []string{"object", "array", "string", "number", "integer", "boolean", "null"}
)

// checkSchema returns what is wrong with the form of a schema at a place: the first
// in the order of keywords above. What its values may be it does not check.
func checkSchema(v any, at string) error {
	if _, ok := v.(bool); ok {
		return nil
	}
	s, ok := v.(map[string]any)
	if !ok {
		return wrongForm(at, "an object, true or false")
	}
	if t, said := s["type"]; said && !isTypes(t) {
		return wrongForm(at+"/type", "one of "+strings.Join(typeNames, ", ")+", or a list of them")
	}
	if names, said := s["required"]; said && !isList(names, isText) {
		return wrongForm(at+"/required", "a list of names")
	}
	if values, said := s["enum"]; said && !isList(values, func(any) bool { return true }) {
		return wrongForm(at+"/enum", "a list of values")
	}
	for _, keyword := range schemasByName {
		all, isObject := s[keyword].(map[string]any)
		if _, said := s[keyword]; said && !isObject {
			return wrongForm(at+"/"+keyword, "an object of schemas")
		}
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if err := checkSchema(all[name], jsontext.Join(at+"/"+keyword, name)); err != nil {
				return err
			}
		}
	}
	for _, keyword := range slices.Concat(schemaLists, schemaParts) {
		of, said := s[keyword]
		all, isArray := of.([]any)
		switch {
		case !said:
			continue
		case !isArray && slices.Contains(schemaLists, keyword):
			return wrongForm(at+"/"+keyword, "a list of schemas")
		case !isArray:
			all = []any{of}
		}
		for _, one := range all { // of items there were lists once
			if err := checkSchema(one, at+"/"+keyword); err != nil {
				return err
			}
		}
	}
	return nil
}

func wrongForm(at, expected string) error {
	if at == "" {
		return errors.New("it must be " + expected)
	}
	return errors.New(at + " must be " + expected)
}

func isText(v any) bool { _, ok := v.(string); return ok }

func isTypes(v any) bool {
	name, ok := v.(string)
	return ok && slices.Contains(typeNames, name) || isList(v, func(one any) bool { return isText(one) && isTypes(one) })
}

func isList(v any, of func(any) bool) bool {
	all, ok := v.([]any)
	return ok && !slices.ContainsFunc(all, func(one any) bool { return !of(one) })
}
