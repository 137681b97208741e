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

// Members is a JSON object of an answer. It is decoded member by member, so that one member of an
// unexpected type does not make the whole answer unusable. The methods treat such a member as missing.
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

// Text returns a member that is a string, or "" if there is none.
func (m Members) Text(name string) (text string) {
	if json.Unmarshal(m[name], &text) != nil {
		return ""
	}
	return text
}

// Count returns a member that is a count, which may be written as a float or in a string. It returns at
// most [math.MaxInt32], and 0 for anything else, such as a negative number.
func (m Members) Count(name string) int {
	n, err := strconv.ParseFloat(strings.Trim(string(m[name]), `"`), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || !(n > 0) {
		return 0
	}
	return int(min(n, math.MaxInt32))
}

// Encode returns the JSON of a value. It does not escape HTML characters. It panics if the value cannot
// be encoded.
func Encode(v any) json.RawMessage {
	text, err := jsontext.Marshal(v, "")
	if err != nil {
		panic(err)
	}
	return slices.Clip(text)
}

// Object is a JSON object for a request. Its members are encoded in the order in which they were added;
// a [json.RawMessage] is copied without changes. The zero value has no members.
type Object struct {
	names  []string
	values map[string]any
}

// Add adds a member. If the value is an *Object, members can be added to it later. Add panics if the
// object already has a member with this name.
func (o *Object) Add(name string, value any) {
	if o.Has(name) {
		panic("endpoint: two members are called " + name)
	}
	if o.values == nil {
		o.values = map[string]any{}
	}
	o.names, o.values[name] = append(o.names, name), value
}

// AddIf adds a member if present is true.
func (o *Object) AddIf(present bool, name string, value any) {
	if present {
		o.Add(name, value)
	}
}

// Has reports whether the object has a member with this name.
func (o *Object) Has(name string) bool { _, ok := o.values[name]; return ok }

// IsEmpty reports whether the object has no members.
func (o *Object) IsEmpty() bool { return len(o.names) == 0 }

// AddExtra adds the members of [llm.Request.Extra], sorted by name. If the object already has a member
// with the same name, and both values are objects, AddExtra adds the inner members. If one of them is
// not an object, it returns an error.
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

// Set sets a member. It encodes the value with encoding/json.
func (d Defaults) Set(name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("the extra member %q cannot be encoded: %w", name, err)
	}
	d[name] = text
	return nil
}

// With returns the members together with extra, the members of a request. A member of the request
// replaces the default with the same name.
func (d Defaults) With(extra map[string]json.RawMessage) map[string]json.RawMessage {
	all := maps.Clone(d)
	if all == nil {
		return extra
	}
	maps.Copy(all, extra)
	return all
}
