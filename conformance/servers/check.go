package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	oracle "github.com/santhosh-tekuri/jsonschema/v6"
)

// checker judges lowered schemas by code that is independent of this module.
type checker struct{ meta *oracle.Schema }

func newChecker() (*checker, error) {
	meta, err := newCompiler().Compile("https://json-schema.org/draft/2020-12/schema")
	return &checker{meta}, err
}

// newCompiler returns a compiler of schemas that loads nothing.
func newCompiler() *oracle.Compiler {
	c := oracle.NewCompiler()
	c.DefaultDraft(oracle.Draft2020)
	c.UseLoader(oracle.SchemeURLLoader{})
	return c
}

// check returns everything that is wrong with a schema.
func (c *checker) check(text json.RawMessage) error {
	value, err := oracle.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	faults := []error{c.meta.Validate(value)}
	compiler := newCompiler()
	err = compiler.AddResource("schema.json", value)
	if err == nil {
		_, err = compiler.Compile("schema.json") // which resolves the references
	}
	return errors.Join(append(faults, err, checkKeywords(value, ""))...)
}

// shape is how schemas stand in the value of a keyword.
type shape int

const (
	single shape = iota // the value is a schema
	list                // the value is a list of schemas
	byName              // the value is an object of schemas
)

// applicators are the keywords that have schemas.
var applicators = map[string]shape{
	"additionalProperties": single, "propertyNames": single, "unevaluatedProperties": single, "items": single, "contains": single,
	"unevaluatedItems": single, "not": single, "if": single, "then": single, "else": single, "contentSchema": single,
	"allOf": list, "anyOf": list, "oneOf": list, "prefixItems": list,
	"properties": byName, "patternProperties": byName, "dependentSchemas": byName, "$defs": byName,
}

// oldKeywords are the keywords that draft 2020-12 does not have any more.
var oldKeywords = []string{"definitions", "dependencies", "additionalItems", "divisibleBy", "extends", "disallow", "id", "$recursiveRef", "$recursiveAnchor"}

// lookaround matches what regular expressions of providers must not have: lookahead,
// lookbehind and references to groups.
var lookaround = regexp.MustCompile(`\(\?<?[=!]|\\[1-9]|\\k<`)

// checkKeywords returns what a schema has of older drafts, and patterns with a lookaround.
func checkKeywords(value any, at string) error {
	s, ok := value.(map[string]any)
	if !ok {
		return nil // the meta-schema knows whether it may be something else
	}
	var faults []error
	fault := func(format string, values ...any) {
		faults = append(faults, fmt.Errorf("#%s: "+format, append([]any{at}, values...)...))
	}
	if draft, ok := s["$schema"]; ok && draft != "https://json-schema.org/draft/2020-12/schema" {
		fault("$schema is %v", draft)
	}
	for _, name := range oldKeywords {
		if _, ok := s[name]; ok {
			fault("%s is a keyword of an older draft", name)
		}
	}
	for _, name := range []string{"exclusiveMinimum", "exclusiveMaximum", "required"} {
		if _, ok := s[name].(bool); ok {
			fault("%s is a boolean", name)
		}
	}
	if _, ok := s["items"].([]any); ok {
		fault("items is a list")
	}
	if p, _ := s["pattern"].(string); lookaround.MatchString(p) {
		fault("the pattern %q has a lookaround", p)
	}
	if all, ok := s["patternProperties"].(map[string]any); ok {
		for p := range all {
			if lookaround.MatchString(p) {
				fault("the pattern %q has a lookaround", p)
			}
		}
	}
	for name, shape := range applicators {
		faults = append(faults, checkWithin(s[name], shape, at+"/"+name))
	}
	return errors.Join(faults...)
}

// checkWithin checks the schemas in the value of a keyword.
func checkWithin(value any, shape shape, at string) error {
	var faults []error
	switch all := value.(type) {
	case []any:
		if shape == list {
			for i, item := range all {
				faults = append(faults, checkKeywords(item, fmt.Sprint(at, "/", i)))
			}
		}
	case map[string]any:
		if shape == single {
			return checkKeywords(all, at)
		}
		if shape == byName {
			for name, item := range all {
				faults = append(faults, checkKeywords(item, at+"/"+name))
			}
		}
	}
	return errors.Join(faults...)
}
