package repair

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// schema is a JSON Schema of draft 2020-12, as far as a value can be held
// against it alone: references go to places in the same schema.
type schema struct {
	never    bool      // the schema false
	target   *schema   // of the reference
	patterns []pattern // of PatternProperties
	values   []*node   // of Enum, or of Const alone
	keywords
}

// keywords are the keywords that say something of a value.
type keywords struct {
	Ref   string            `json:"$ref"`
	Type  kinds             `json:"type"`
	Enum  []json.RawMessage `json:"enum"`
	Const json.RawMessage   `json:"const"`

	Properties           map[string]*schema  `json:"properties"`
	PatternProperties    map[string]*schema  `json:"patternProperties"`
	AdditionalProperties *schema             `json:"additionalProperties"`
	PropertyNames        *schema             `json:"propertyNames"`
	Required             []string            `json:"required"`
	MinProperties        *float64            `json:"minProperties"`
	MaxProperties        *float64            `json:"maxProperties"`
	DependentRequired    map[string][]string `json:"dependentRequired"`
	DependentSchemas     map[string]*schema  `json:"dependentSchemas"`

	PrefixItems []*schema `json:"prefixItems"`
	Items       *schema   `json:"items"`
	Contains    *schema   `json:"contains"`
	MinContains *float64  `json:"minContains"`
	MaxContains *float64  `json:"maxContains"`
	MinItems    *float64  `json:"minItems"`
	MaxItems    *float64  `json:"maxItems"`
	UniqueItems bool      `json:"uniqueItems"`

	MinLength       *float64 `json:"minLength"`
	MaxLength       *float64 `json:"maxLength"`
	Pattern         *pattern `json:"pattern"`
	Format          string   `json:"format"`
	ContentEncoding string   `json:"contentEncoding"`

	Minimum          json.Number `json:"minimum"`
	Maximum          json.Number `json:"maximum"`
	ExclusiveMinimum json.Number `json:"exclusiveMinimum"`
	ExclusiveMaximum json.Number `json:"exclusiveMaximum"`
	MultipleOf       json.Number `json:"multipleOf"`

	AllOf []*schema `json:"allOf"`
	AnyOf []*schema `json:"anyOf"`
	OneOf []*schema `json:"oneOf"`
	Not   *schema   `json:"not"`
	If    *schema   `json:"if"`
	Then  *schema   `json:"then"`
	Else  *schema   `json:"else"`

	unchecked
}

// unchecked are the keywords whose meaning depends on more than the value and
// the schema that they are in. A schema with them is refused.
type unchecked struct {
	DynamicRef            json.RawMessage `json:"$dynamicRef"`
	UnevaluatedProperties json.RawMessage `json:"unevaluatedProperties"`
	UnevaluatedItems      json.RawMessage `json:"unevaluatedItems"`
}

// kinds is a set of kinds of values. Integers are a kind of their own beside
// numbers.
type kinds uint8

const kindInteger kind = kindObject + 1

var kindNames = [...]string{"null", "boolean", "number", "string", "array", "object", "integer"}

func (k kinds) has(one kind) bool { return k&(1<<one) != 0 }

// UnmarshalJSON reads the value of the keyword type.
func (k *kinds) UnmarshalJSON(b []byte) error {
	var names []string
	if b[0] == '"' {
		names = []string{""}
		if err := json.Unmarshal(b, &names[0]); err != nil {
			return err
		}
	} else if err := json.Unmarshal(b, &names); err != nil {
		return err
	}
	for _, name := range names {
		i := slices.Index(kindNames[:], name)
		if i < 0 {
			return fmt.Errorf("there is no type %q", name)
		}
		*k |= 1 << i
	}
	return nil
}

// A pattern is a regular expression, and in patternProperties the schema of
// what has such a name.
type pattern struct {
	*regexp.Regexp
	schema *schema
}

// UnmarshalJSON reads the value of the keyword pattern.
func (p *pattern) UnmarshalJSON(b []byte) (err error) {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	p.Regexp, err = regexp.Compile(text)
	return err
}

// UnmarshalJSON reads a schema, which may be true or false.
func (s *schema) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case "true":
		return nil
	case "false":
		s.never = true
		return nil
	}
	if err := json.Unmarshal(b, &s.keywords); err != nil {
		return err
	}
	if u := s.unchecked; u.DynamicRef != nil || u.UnevaluatedItems != nil || u.UnevaluatedProperties != nil {
		return fmt.Errorf("$dynamicRef, unevaluatedItems and unevaluatedProperties cannot be checked")
	}
	for _, value := range s.Enum {
		s.values = append(s.values, parseJSON(value))
	}
	if s.Const != nil {
		constant := parseJSON(s.Const)
		if s.Enum != nil && !s.lists(constant) {
			s.never = true
		}
		s.values = []*node{constant}
	}
	for _, text := range slices.Sorted(maps.Keys(s.PatternProperties)) {
		p, err := regexp.Compile(text)
		if err != nil {
			return err
		}
		s.patterns = append(s.patterns, pattern{p, s.PatternProperties[text]})
	}
	return nil
}

// maxSchema bounds schemas, in bytes.
const maxSchema = 1 << 20

// parseSchema reads a schema and its references. It is nil if there is none.
func parseSchema(text json.RawMessage) (*schema, error) {
	text = bytes.Trim(text, blanks)
	if len(text) == 0 {
		return nil, nil
	}
	if len(text) > maxSchema {
		return nil, &Error{code: codeSchema, Message: "the schema is longer than 1 MiB"}
	}
	root := new(schema)
	l := linker{text: text, targets: map[string]*schema{"#": root}}
	err := json.Unmarshal(text, root)
	if err == nil {
		err = l.link(root)
	}
	if err != nil {
		return nil, &Error{code: codeSchema, Message: "the schema cannot be used: " + err.Error()}
	}
	return root, nil
}

// linker finds what references refer to.
type linker struct {
	text    []byte
	targets map[string]*schema
}

func (l *linker) link(s *schema) (err error) {
	if s == nil {
		return errors.New("null is no schema")
	}
	if s.Ref != "" {
		if s.target, err = l.target(s.Ref); err != nil {
			return err
		}
	}
	s.each(func(inner *schema) {
		if err == nil {
			err = l.link(inner)
		}
	})
	return err
}

func (l *linker) target(ref string) (*schema, error) {
	if s := l.targets[ref]; s != nil {
		return s, nil
	}
	path, ok := strings.CutPrefix(ref, "#/")
	path, err := url.PathUnescape(path)
	if !ok || err != nil {
		return nil, fmt.Errorf("the reference %q goes out of it", ref)
	}
	text := l.text
	for token := range strings.SplitSeq(path, "/") {
		if text = part(text, token); text == nil {
			return nil, fmt.Errorf("the reference %q goes nowhere", ref)
		}
	}
	s := new(schema)
	l.targets[ref] = s
	if err := json.Unmarshal(text, s); err != nil {
		return nil, err
	}
	return s, l.link(s)
}

// part returns the member or the element of JSON that a token of a JSON Pointer
// names; nil if there is none.
func part(text json.RawMessage, token string) json.RawMessage {
	token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
	var object map[string]json.RawMessage
	if json.Unmarshal(text, &object) == nil {
		return object[token]
	}
	var list []json.RawMessage
	i, err := strconv.Atoi(token)
	if err != nil || json.Unmarshal(text, &list) != nil || i < 0 || i >= len(list) {
		return nil
	}
	return list[i]
}

// each calls f for every schema that is directly in s.
func (s *schema) each(f func(*schema)) {
	for _, m := range []map[string]*schema{s.Properties, s.PatternProperties, s.DependentSchemas} {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			f(m[name])
		}
	}
	for _, list := range [][]*schema{s.PrefixItems, s.AllOf, s.AnyOf, s.OneOf} {
		for _, inner := range list {
			f(inner)
		}
	}
	for _, inner := range []*schema{s.AdditionalProperties, s.PropertyNames, s.Items, s.Contains, s.Not, s.If, s.Then, s.Else} {
		if inner != nil {
			f(inner)
		}
	}
}

// lists tells whether a value is one of those that s lists.
func (s *schema) lists(n *node) bool {
	text := ""
	return slices.ContainsFunc(s.values, func(v *node) bool {
		if text == "" && v.kind == n.kind {
			text = canonical(n)
		}
		return v.kind == n.kind && canonical(v) == text
	})
}

// readings are the schemas that a value of s is held against beside s: what it
// refers to, and what is in allOf, anyOf and oneOf.
func (s *schema) readings() []*schema {
	if s.target != nil {
		return append([]*schema{s.target}, slices.Concat(s.AllOf, s.AnyOf, s.OneOf)...)
	}
	return slices.Concat(s.AllOf, s.AnyOf, s.OneOf)
}

// combines tells whether s holds a value against other schemas.
func (s *schema) combines() bool {
	return s.target != nil || s.AllOf != nil || s.AnyOf != nil || s.OneOf != nil || s.Not != nil || s.If != nil
}

// deepest bounds how many references and alternatives are followed for one
// value where that only helps to read it.
const deepest = 6

// allowed returns the kinds of values that s speaks of; none if of all.
func (s *schema) allowed(depth int) (k kinds) {
	if s.Type != 0 || depth > deepest {
		return s.Type
	}
	for _, value := range s.values {
		k |= 1 << value.kind
	}
	for _, inner := range s.readings() {
		k |= inner.allowed(depth + 1)
	}
	return k
}

// wants tells whether s speaks of values of a kind.
func (s *schema) wants(k kind) bool {
	if s == nil {
		return false
	}
	allowed := s.allowed(0)
	return allowed.has(k) || k == kindNumber && allowed.has(kindInteger)
}

// property returns the schema of a member; nil if there is none.
func (s *schema) property(name string) *schema {
	if s == nil {
		return nil
	}
	return s.named(name, 0)
}

func (s *schema) named(name string, depth int) *schema {
	if p := s.Properties[name]; p != nil {
		return p
	}
	if depth < deepest {
		for _, inner := range s.readings() {
			if p := inner.named(name, depth+1); p != nil {
				return p
			}
		}
	}
	return s.AdditionalProperties
}

// of returns the schemas in s itself that a member has to be one of.
func (s *schema) of(name string) (all []*schema) {
	if p := s.Properties[name]; p != nil {
		all = append(all, p)
	}
	for _, p := range s.patterns {
		if p.MatchString(name) {
			all = append(all, p.schema)
		}
	}
	if all == nil && s.AdditionalProperties != nil {
		all = append(all, s.AdditionalProperties)
	}
	return all
}

// item returns the schema of an element; nil if there is none.
func (s *schema) item(i int) *schema { return s.element(i, 0) }

func (s *schema) element(i, depth int) *schema {
	switch {
	case s == nil:
		return nil
	case i < len(s.PrefixItems):
		return s.PrefixItems[i]
	case s.Items != nil:
		return s.Items
	}
	if depth < deepest {
		for _, inner := range s.readings() {
			if e := inner.element(i, depth+1); e != nil {
				return e
			}
		}
	}
	return nil
}

// parseJSON reads valid JSON.
func parseJSON(text []byte) *node {
	return newReader(string(text), 0, len(text)).value(inText, nil)
}
