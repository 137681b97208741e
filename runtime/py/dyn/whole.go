package dyn

import "reflect"

// Whole returns a value of Go with empty lists and dicts in the place of those that are
// nil, in it or itself: these are no None, which they would be to JSON.
func Whole[T any](v T) T {
	r := reflect.ValueOf(&v).Elem()
	r.Set((&filler{dynamic: true}).whole(r))
	return v
}

// wholeTyped is Whole for what the types alone tell of: it does not look into an any.
func wholeTyped(v reflect.Value) any { return new(filler).whole(v).Interface() }

// A filler makes values whole. What holds itself it makes once.
type filler struct {
	dynamic bool // whether to look into an any
	made    map[container]reflect.Value
}

// A container is a list or a dict of Go, known by where it is.
type container struct {
	typ reflect.Type
	at  uintptr
	len int
}

func (f *filler) whole(v reflect.Value) reflect.Value {
	t := v.Type()
	switch {
	case t.Kind() == reflect.Interface && f.dynamic && !v.IsNil():
		return f.whole(pointed(v.Elem()))
	case !isContainer(t):
		return v
	case t.Kind() == reflect.Slice && v.IsNil():
		return reflect.MakeSlice(t, 0, 0)
	case v.IsNil():
		return reflect.MakeMap(t)
	case isContainer(t.Elem()), t.Elem().Kind() == reflect.Interface && f.dynamic:
		return f.copied(v)
	}
	return v
}

// copied is a list or dict with all in it whole.
func (f *filler) copied(v reflect.Value) reflect.Value {
	key := container{v.Type(), v.Pointer(), v.Len()}
	if again, ok := f.made[key]; ok {
		return again
	}
	if f.made == nil {
		f.made = map[container]reflect.Value{}
	}
	if v.Kind() == reflect.Map {
		dict := reflect.MakeMapWithSize(v.Type(), v.Len())
		f.made[key] = dict
		for key, value := range v.Seq2() {
			dict.SetMapIndex(key, f.whole(value))
		}
		return dict
	}
	list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	f.made[key] = list
	for i := range v.Len() {
		list.Index(i).Set(f.whole(v.Index(i)))
	}
	return list
}

// isContainer reports whether a type is one of lists or dicts, which bytes are not to
// JSON.
func isContainer(t reflect.Type) bool {
	return t.Kind() == reflect.Map || t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8
}

// pointed is the list or dict that a pointer in an any points to.
func pointed(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Pointer && !v.IsNil() && isContainer(v.Type().Elem()) {
		return v.Elem()
	}
	return v
}
