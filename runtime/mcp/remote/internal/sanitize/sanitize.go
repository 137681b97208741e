// Package sanitize removes invisible characters from the data of a server: control characters,
// which can steer a terminal, characters that change the direction of text, tag characters, and
// other characters without a glyph.
//
// In texts, which people and models read, it replaces each such character with a blank. The values
// and names in schemas must be sent back to the server unchanged, so it removes values and names
// that contain such characters.
package sanitize

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/internal/words"
)

// Text replaces invisible characters with blanks. It keeps line ends and tabs.
func Text(text string) string { return words.Visible(text, "\n\t") }

// JSON applies [Text] to all strings and names in a JSON text. It returns null if the text is not
// valid JSON.
func JSON(text json.RawMessage) json.RawMessage {
	value, err := Decode(text)
	if err != nil {
		return json.RawMessage("null")
	}
	return Encode(sanitizeValue(value))
}

// Decode decodes JSON. Numbers become [json.Number].
func Decode(text json.RawMessage) (any, error) {
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	var value any
	if err := in.Decode(&value); err != nil {
		return nil, err
	}
	return value, nil
}

// Encode encodes a value that was decoded from JSON. It panics on values that JSON cannot
// represent.
func Encode(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("sanitize: cannot encode a decoded value: %v", err))
	}
	return text
}

// Params sanitizes the parameters of a request or a notification of a server. It sanitizes the
// schema of a form as [CheckInput] does.
func Params(method string, params json.RawMessage) json.RawMessage {
	if method == "notifications/cancelled" {
		return params // the ID in it must stay unchanged
	}
	value, err := Decode(params)
	if err != nil {
		return json.RawMessage("null")
	}
	object, ok := value.(map[string]any)
	if !ok || method != "elicitation/create" || object["requestedSchema"] == nil {
		return Encode(sanitizeValue(value))
	}
	schema := object["requestedSchema"]
	if _, err := CheckInput(schema); err != nil {
		schema = map[string]any{"type": "not to be displayed"} // the SDK rejects this type
	}
	delete(object, "requestedSchema")
	sanitizeValue(object)
	object["requestedSchema"] = schema
	return Encode(object)
}

// sanitizeValue sanitizes all strings and names in a value.
func sanitizeValue(value any) any {
	switch v := value.(type) {
	case string:
		return Text(v)
	case []any:
		for i := range v {
			v[i] = sanitizeValue(v[i])
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			inner := sanitizeValue(v[name])
			delete(v, name)
			v[Text(name)] = inner
		}
	}
	return value
}

// isSafe reports whether the strings and names in a value have no invisible characters. Unicode space
// characters are safe, because some languages need them.
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

// errNothingLeft is the error for a schema that only values with invisible characters match, such as
// {"const": "a\u200b"}.
var errNothingLeft = errors.New("no value that can be displayed matches it")

func nothingLeftError(pointer string) error {
	return fmt.Errorf("%s: %w", words.Cut(Text(pointer), 200), errNothingLeft)
}

// sanitizer sanitizes a schema in place.
type sanitizer struct {
	losses []string
}

// CheckInput sanitizes the schema of arguments in place. It removes enum values and properties that
// contain invisible characters, and lists them in losses. It returns an error if no valid arguments
// remain.
func CheckInput(value any) (losses []string, err error) {
	var s sanitizer
	err = s.sanitizeSchema(value, "")
	return s.losses, err
}

// IsExact reports whether the names and values in the schema of a result have no invisible
// characters, so that sanitizing does not change its meaning. It sanitizes the schema in place.
func IsExact(value any) bool {
	losses, err := CheckInput(value)
	return err == nil && len(losses) == 0
}

// addLoss records what was removed at a JSON Pointer.
func (s *sanitizer) addLoss(pointer, what string) {
	const maxLosses = 20
	if len(s.losses) < maxLosses {
		s.losses = append(s.losses, fmt.Sprintf("%s: %s", words.Cut(Text(pointer), 200), what))
	}
}

// sanitizeSchema sanitizes a schema and the schemas in it.
func (s *sanitizer) sanitizeSchema(value any, pointer string) error {
	object, ok := value.(map[string]any)
	if !ok {
		return nil // true, false or invalid; the caller rejects invalid schemas
	}
	properties, _ := object["properties"].(map[string]any)
	count := len(properties)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if err := s.sanitizeKeyword(object, name, pointer+"/"+name); err != nil {
			return err
		}
	}
	return checkRequired(object, count)
}

// sanitizeKeyword sanitizes a member of a schema.
func (s *sanitizer) sanitizeKeyword(object map[string]any, name, pointer string) error {
	value := object[name]
	switch name {
	case "enum":
		return s.filterEnum(object, pointer)
	case "const":
		if !isSafe(value) {
			return nothingLeftError(pointer)
		}
	case "default", "pattern", "$ref", "$id", "$anchor", "$schema", "$dynamicRef", "$dynamicAnchor", "format":
		s.dropUnsafe(object, name, pointer)
	case "examples":
		if list, ok := value.([]any); ok {
			object[name] = slices.DeleteFunc(list, func(v any) bool { return !isSafe(v) })
		}
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
		return s.sanitizeNamed(value, name == "properties", pointer)
	case "anyOf", "oneOf":
		return s.sanitizeList(object, name, true, pointer)
	case "allOf", "prefixItems":
		return s.sanitizeList(object, name, false, pointer)
	case "items":
		if _, ok := value.([]any); ok {
			return s.sanitizeList(object, name, false, pointer)
		}
		return s.sanitizeSchema(value, pointer)
	case "additionalProperties", "additionalItems", "unevaluatedProperties", "unevaluatedItems", "contains", "propertyNames", "not", "if", "then", "else":
		return s.sanitizeSchema(value, pointer)
	case "required": // checked with the properties
	default:
		if inner := sanitizeValue(value); isSafe(name) {
			object[name] = inner
		} else {
			delete(object, name)
			object[Text(name)] = inner
		}
	}
	return nil
}

// dropUnsafe removes a member whose value has invisible characters.
func (s *sanitizer) dropUnsafe(object map[string]any, name, pointer string) {
	if !isSafe(object[name]) {
		delete(object, name)
		s.addLoss(pointer, "left out because it cannot be displayed")
	}
}

// filterEnum removes the values that have invisible characters, and their names in enumNames.
func (s *sanitizer) filterEnum(object map[string]any, pointer string) error {
	values, _ := object["enum"].([]any)
	titles, _ := object["enumNames"].([]any)
	var safe, safeTitles []any
	for i, v := range values {
		if !isSafe(v) {
			s.addLoss(fmt.Sprint(pointer, "/", i), "left out because it cannot be displayed")
			continue
		}
		safe = append(safe, v)
		if i < len(titles) {
			safeTitles = append(safeTitles, titles[i])
		}
	}
	switch {
	case len(safe) == len(values):
		return nil
	case len(safe) == 0:
		return nothingLeftError(pointer)
	}
	object["enum"] = safe
	if titles != nil {
		object["enumNames"] = safeTitles
	}
	return nil
}

// sanitizeNamed sanitizes the schemas in an object. It removes schemas whose names have invisible
// characters. If sanitizeSchema returns an error for one of the schemas, sanitizeNamed removes that
// schema if properties is true, and otherwise returns the error. checkRequired later returns an error
// if a removed property is required.
func (s *sanitizer) sanitizeNamed(value any, properties bool, pointer string) error {
	object, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		itemPointer := pointer + "/" + name
		if !isSafe(name) {
			delete(object, name)
			s.addLoss(itemPointer, "left out because its name cannot be displayed")
			continue
		}
		switch err := s.sanitizeSchema(object[name], itemPointer); {
		case err == nil:
		case !properties:
			return err
		default:
			delete(object, name)
			s.addLoss(itemPointer, "left out: "+err.Error())
		}
	}
	return nil
}

// sanitizeList sanitizes the schemas in a list. If sanitizeSchema returns an error for one of the schemas,
// sanitizeList removes that schema if alternatives is true and others remain, and otherwise returns an error.
func (s *sanitizer) sanitizeList(object map[string]any, name string, alternatives bool, pointer string) error {
	list, _ := object[name].([]any)
	var remaining []any
	for i, item := range list {
		itemPointer := fmt.Sprint(pointer, "/", i)
		err := s.sanitizeSchema(item, itemPointer)
		switch {
		case err == nil:
			remaining = append(remaining, item)
		case !alternatives:
			return err
		default:
			s.addLoss(itemPointer, "left out: "+err.Error())
		}
	}
	switch {
	case len(remaining) == len(list):
		return nil
	case len(remaining) == 0:
		return nothingLeftError(pointer)
	}
	object[name] = remaining
	return nil
}

// errHiddenProperty is the error for a schema that requires a removed property.
var errHiddenProperty = fmt.Errorf("a required property cannot be displayed: %w", errNothingLeft)

// checkRequired returns an error if a schema requires a removed property. The count is the number of
// properties before any were removed.
func checkRequired(object map[string]any, count int) error {
	properties, _ := object["properties"].(map[string]any)
	required, _ := object["required"].([]any)
	if !isSafe(required) {
		return errHiddenProperty
	}
	for _, r := range required {
		name, _ := r.(string)
		if _, ok := properties[name]; !ok && len(properties) < count {
			return errHiddenProperty
		}
	}
	return nil
}
