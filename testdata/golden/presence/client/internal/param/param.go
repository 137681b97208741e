// Package param imitates the package of older clients of Stainless that generated code cannot import.
package param

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strings"
	"time"
)

// FieldLike is implemented by each Field.
type FieldLike interface{ field() }

// Field is a value in a request.
type Field[T any] struct {
	FieldLike
	Value   T
	Null    bool
	Present bool
	Raw     any
}

// Bare is a value in a request that has no null.
type Bare[T any] struct {
	Value   T
	Present bool
}

// Counted holds more than one value, so that it is an object.
type Counted[T any] struct {
	Value   T
	Present bool
	Count   int
}

// Parsed reads its JSON itself.
type Parsed[T any] struct {
	Value   T
	Present bool
}

// UnmarshalJSON reads a value.
func (p *Parsed[T]) UnmarshalJSON(text []byte) error {
	p.Present = true
	return json.Unmarshal(text, &p.Value)
}

// Encode returns the parameters of a request, as their MarshalJSON does.
func Encode(params any) ([]byte, error) { return json.Marshal(convert(reflect.ValueOf(params))) }

// convert returns what package json writes for a value.
func convert(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			return convert(v.Elem())
		}
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = convert(v.Index(i))
		}
		return list
	case reflect.Map:
		object := map[string]any{}
		for _, key := range v.MapKeys() {
			object[key.String()] = convert(v.MapIndex(key))
		}
		return object
	case reflect.Struct:
		if _, ok := v.Interface().(time.Time); !ok {
			object := map[string]any{}
			addFields(object, v)
			return object
		}
	}
	return v.Interface()
}

// addFields adds the members that are present.
func addFields(object map[string]any, v reflect.Value) {
	for i := range v.NumField() {
		f, value := v.Type().Field(i), v.Field(i)
		if f.Anonymous {
			addFields(object, reflect.Indirect(value))
			continue
		}
		name := f.Tag.Get("json") + f.Tag.Get("query") + f.Tag.Get("path")
		name, _, _ = strings.Cut(cmp.Or(name, f.Name), ",")
		if present := value.Kind() == reflect.Struct && value.FieldByName("Present").IsValid(); !present {
			object[name] = convert(value)
			continue
		}
		switch null := value.FieldByName("Null"); {
		case !value.FieldByName("Present").Bool():
		case null.IsValid() && null.Bool():
			object[name] = nil
		default:
			object[name] = convert(value.FieldByName("Value"))
		}
	}
}
