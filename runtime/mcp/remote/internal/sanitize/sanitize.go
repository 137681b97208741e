// Package sanitize removes from what a server sends all characters that people cannot see
// or that steer a terminal: control characters, those that change the direction of text,
// tag characters and others without a shape.
//
// Texts are for reading, so each such character becomes a blank. The values and names in
// a schema are for sending back, so those that would change are left out.
package sanitize

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/internal/words"
)

// Text returns a text with blanks instead of characters that cannot be seen. Line ends and
// tabs stay.
func Text(text string) string { return words.Visible(text, "\n\t") }

// JSON returns a JSON text in which all strings and names are sanitized by [Text]. It is
// null if the text is not JSON.
func JSON(text json.RawMessage) json.RawMessage {
	value, err := Decode(text)
	if err != nil {
		return json.RawMessage("null")
	}
	return Encode(anyText(value))
}

// Decode decodes JSON, and keeps the text of numbers.
func Decode(text json.RawMessage) (any, error) {
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	var value any
	if err := in.Decode(&value); err != nil {
		return nil, err
	}
	return value, nil
}

// Encode writes what was decoded from JSON. It panics on anything else that JSON cannot have.
func Encode(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("sanitize: cannot write what was read: %v", err))
	}
	return text
}

// Params sanitizes the parameters of a request or a notification of a server. The form that a
// person is asked to fill in keeps the values that can be displayed.
func Params(method string, params json.RawMessage) json.RawMessage {
	if method == "notifications/cancelled" {
		return params // it has the ID of a request of the server
	}
	value, err := Decode(params)
	if err != nil {
		return json.RawMessage("null")
	}
	object, ok := value.(map[string]any)
	if !ok || method != "elicitation/create" || object["requestedSchema"] == nil {
		return Encode(anyText(value))
	}
	schema := object["requestedSchema"]
	if _, err := Input(schema); err != nil {
		schema = map[string]any{"type": "not to be displayed"} // which the SDK refuses
	}
	delete(object, "requestedSchema")
	anyText(object)
	object["requestedSchema"] = schema
	return Encode(object)
}

// anyText sanitizes all strings and names in a value.
func anyText(value any) any {
	switch v := value.(type) {
	case string:
		return Text(v)
	case []any:
		for i := range v {
			v[i] = anyText(v[i])
		}
	case map[string]any:
		for _, name := range sortedNames(v) {
			inner := anyText(v[name])
			delete(v, name)
			v[Text(name)] = inner
		}
	}
	return value
}

func sortedNames(object map[string]any) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// isSafe reports whether all strings in a value can be seen as they are. White space other
// than a blank is safe, too: some languages need it.
func isSafe(value any) bool {
	switch v := value.(type) {
	case string:
		plain := strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Zs, r) {
				return ' '
			}
			return r
		}, v)
		return Text(plain) == plain
	case []any:
		return !slices.ContainsFunc(v, func(v any) bool { return !isSafe(v) })
	case map[string]any:
		for name, v := range v {
			if !isSafe(name) || !isSafe(v) {
				return false
			}
		}
	}
	return true
}

// errNothingLeft is the error of a schema that no value that can be seen matches.
var errNothingLeft = errors.New("no value that can be displayed matches it")

// schema sanitizes a schema in place.
type schema struct {
	losses []string
}

// Input sanitizes the schema of arguments in place. Enum values and properties that cannot
// be displayed are left out, which the losses say. It is an error if nothing is left that a
// caller could send.
func Input(value any) (losses []string, err error) {
	var s schema
	err = s.walk(value, "")
	return s.losses, err
}

// IsExact reports whether the schema of a result keeps its meaning when it is sanitized: all
// of its names and values can be displayed.
func IsExact(value any) bool {
	losses, err := Input(value)
	return err == nil && len(losses) == 0
}

// addLoss notes what is left out of a place, which is a JSON pointer.
func (s *schema) addLoss(at, what string) {
	const most = 20
	if len(s.losses) < most {
		s.losses = append(s.losses, fmt.Sprintf("%s: %s", words.Cut(Text(at), 200), what))
	}
}

// walk sanitizes a schema, and what of it has schemas.
func (s *schema) walk(value any, at string) error {
	object, ok := value.(map[string]any)
	if !ok {
		return nil // true, false, or invalid, which whoever reads the schema reports
	}
	properties, _ := object["properties"].(map[string]any)
	before := len(properties)
	for _, name := range sortedNames(object) {
		if err := s.keyword(object, name, at+"/"+name); err != nil {
			return err
		}
	}
	return require(object, before)
}

// keyword sanitizes a member of a schema.
func (s *schema) keyword(object map[string]any, name, at string) error {
	value := object[name]
	switch name {
	case "enum":
		return s.enum(object, at)
	case "const":
		if !isSafe(value) {
			return fmt.Errorf("%s: %w", words.Cut(Text(at), 200), errNothingLeft)
		}
	case "default", "pattern", "$ref", "$id", "$anchor", "$schema", "$dynamicRef", "$dynamicAnchor", "format":
		s.dropUnsafe(object, name, at)
	case "examples":
		if list, ok := value.([]any); ok {
			object[name] = slices.DeleteFunc(list, func(v any) bool { return !isSafe(v) })
		}
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
		return s.walkNamed(value, name == "properties", at)
	case "anyOf", "oneOf":
		return s.alternatives(object, name, at)
	case "allOf", "prefixItems":
		return s.walkAll(value, at)
	case "items":
		if list, ok := value.([]any); ok {
			return s.walkAll(list, at)
		}
		return s.walk(value, at)
	case "additionalProperties", "additionalItems", "unevaluatedProperties", "unevaluatedItems", "contains", "propertyNames", "not", "if", "then", "else":
		return s.walk(value, at)
	case "required", "enumNames": // with their properties and values
	default:
		if inner := anyText(value); isSafe(name) {
			object[name] = inner
		} else {
			delete(object, name)
			object[Text(name)] = inner
		}
	}
	return nil
}

// dropUnsafe leaves out a member whose meaning would change.
func (s *schema) dropUnsafe(object map[string]any, name, at string) {
	if !isSafe(object[name]) {
		delete(object, name)
		s.addLoss(at, "left out because it cannot be displayed")
	}
}

// enum leaves out the values that cannot be displayed, and their names.
func (s *schema) enum(object map[string]any, at string) error {
	values, ok := object["enum"].([]any)
	if !ok || isSafe(values) {
		if names, ok := object["enumNames"]; ok {
			object["enumNames"] = anyText(names)
		}
		return nil
	}
	titles, _ := object["enumNames"].([]any)
	var safe, safeTitles []any
	for i, v := range values {
		if !isSafe(v) {
			s.addLoss(fmt.Sprint(at, "/", i), "left out because it cannot be displayed")
			continue
		}
		safe = append(safe, v)
		if i < len(titles) {
			safeTitles = append(safeTitles, anyText(titles[i]))
		}
	}
	if len(safe) == 0 {
		return fmt.Errorf("%s: %w", words.Cut(Text(at), 200), errNothingLeft)
	}
	object["enum"] = safe
	if titles != nil {
		object["enumNames"] = safeTitles
	}
	return nil
}

// walkNamed sanitizes schemas that have names. One whose name cannot be displayed is left out,
// and so is an optional property without a value that can; [require] reports one that
// is required.
func (s *schema) walkNamed(value any, properties bool, at string) error {
	object, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	for _, name := range sortedNames(object) {
		place := at + "/" + name
		if !isSafe(name) {
			delete(object, name)
			s.addLoss(place, "left out because its name cannot be displayed")
			continue
		}
		err := s.walk(object[name], place)
		if err != nil && !properties {
			return err
		}
		if err != nil {
			delete(object, name)
			s.addLoss(place, "left out: "+err.Error())
		}
	}
	return nil
}

// alternatives sanitizes a list of schemas of which a value matches one.
func (s *schema) alternatives(object map[string]any, name, at string) error {
	list, ok := object[name].([]any)
	if !ok {
		return nil
	}
	var left []any
	for i, one := range list {
		place := fmt.Sprint(at, "/", i)
		if err := s.walk(one, place); err != nil {
			s.addLoss(place, "left out: "+err.Error())
			continue
		}
		left = append(left, one)
	}
	if len(left) == 0 && len(list) > 0 {
		return fmt.Errorf("%s: %w", words.Cut(Text(at), 200), errNothingLeft)
	}
	object[name] = left
	return nil
}

func (s *schema) walkAll(value any, at string) error {
	list, _ := value.([]any)
	for i, one := range list {
		if err := s.walk(one, fmt.Sprint(at, "/", i)); err != nil {
			return err
		}
	}
	return nil
}

// errUnseen is the error of a schema that requires what was left out.
var errUnseen = fmt.Errorf("a required property cannot be displayed: %w", errNothingLeft)

// require returns an error if a schema requires a property that was left out.
func require(object map[string]any, before int) error {
	properties, _ := object["properties"].(map[string]any)
	required, _ := object["required"].([]any)
	if !isSafe(required) {
		return errUnseen
	}
	for _, r := range required {
		name, _ := r.(string)
		if _, ok := properties[name]; !ok && len(properties) < before {
			return errUnseen
		}
	}
	return nil
}
