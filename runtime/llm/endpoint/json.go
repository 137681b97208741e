package endpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Members is a JSON object of an answer. It is decoded member by member, because a member of an
// unexpected type must not make the whole answer unusable: the methods treat it as missing.
type Members map[string]json.RawMessage

// ParseMembers returns the members of an object, and nil for any other value.
func ParseMembers(raw json.RawMessage) (m Members) {
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m
}

// ParseItems returns the items of a list, and nil for any other value.
func ParseItems(raw json.RawMessage) (items []json.RawMessage) {
	if json.Unmarshal(raw, &items) != nil {
		return nil
	}
	return items
}

// Object returns a member that is an object, or nil.
func (m Members) Object(name string) Members { return ParseMembers(m[name]) }

// List returns the items of a member that is a list, or nil.
func (m Members) List(name string) []json.RawMessage { return ParseItems(m[name]) }

// Has reports whether the object has a member that is not null.
func (m Members) Has(name string) bool { return m[name] != nil && string(m[name]) != "null" }

// Text returns a member that is a string; "" if there is none.
func (m Members) Text(name string) (text string) {
	if json.Unmarshal(m[name], &text) != nil {
		return ""
	}
	return text
}

// Count returns a member that is a count, which may be written as a float or in a string. Anything
// else, such as a negative number, is 0, and a large number is [math.MaxInt32].
func (m Members) Count(name string) int {
	n, err := strconv.ParseFloat(strings.Trim(string(m[name]), `"`), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || !(n > 0) {
		return 0
	}
	return int(min(n, math.MaxInt32))
}

// Encode returns the JSON of a value that can always be encoded. HTML characters stay as they are.
func Encode(v any) json.RawMessage {
	text, err := jsontext.Marshal(v, "")
	if err != nil {
		panic(err)
	}
	return slices.Clip(text)
}

// Object is a JSON object whose members keep the order in which they are added. A raw value keeps its
// bytes. The zero value has no members.
type Object struct {
	names  []string
	values map[string]any
}

// Add adds a member. A value that is an *Object can get more members later. Add panics if there is
// a member with this name.
func (o *Object) Add(name string, value any) {
	if o.Has(name) {
		panic("endpoint: two members are called " + name)
	}
	if o.values == nil {
		o.values = map[string]any{}
	}
	o.names, o.values[name] = append(o.names, name), value
}

// AddIf adds a member if the condition is true.
func (o *Object) AddIf(present bool, name string, value any) {
	if present {
		o.Add(name, value)
	}
}

// Has reports whether the object has a member with this name.
func (o *Object) Has(name string) bool { _, ok := o.values[name]; return ok }

// IsEmpty reports whether the object has no members.
func (o *Object) IsEmpty() bool { return len(o.names) == 0 }

// AddExtra adds the members of [llm.Request.Extra] in the order of their names. If both values are
// objects, it adds the inner members to the *Object. Otherwise, it returns an error for a member
// that the object already has.
func (o *Object) AddExtra(extra map[string]json.RawMessage) error { return o.addExtra(extra, "") }

func (o *Object) addExtra(extra map[string]json.RawMessage, path string) error {
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if !json.Valid(extra[name]) {
			return fmt.Errorf("the extra member %q is not valid JSON", path+name)
		}
		if !o.Has(name) {
			o.Add(name, extra[name])
			continue
		}
		inner, isObject := o.values[name].(*Object)
		members := ParseMembers(extra[name])
		if !isObject || members == nil {
			return fmt.Errorf("the request already contains the extra member %q: leave it out", path+name)
		}
		if err := inner.addExtra(members, path+name+"."); err != nil {
			return err
		}
	}
	return nil
}

// MarshalJSON encodes the object.
func (o *Object) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, name := range o.names {
		if i > 0 {
			text = append(text, ',')
		}
		value, ok := o.values[name].(json.RawMessage)
		if !ok {
			var err error
			if value, err = jsontext.Marshal(o.values[name], ""); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		text = append(append(append(text, Encode(name)...), ':'), value...)
	}
	return append(text, '}'), nil
}

// Defaults are members that a model adds to all requests.
type Defaults map[string]json.RawMessage

// Set encodes the value of a member with encoding/json.
func (d Defaults) Set(name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("the extra member %q cannot be encoded: %w", name, err)
	}
	d[name] = text
	return nil
}

// With returns the members, and those of a request, which replace them.
func (d Defaults) With(extra map[string]json.RawMessage) map[string]json.RawMessage {
	all := maps.Clone(d)
	if all == nil {
		return extra
	}
	maps.Copy(all, extra)
	return all
}
