package dyn

import "reflect"

// FillNil returns a copy of a Go value in which empty lists and dicts replace nil ones, at every level. In JSON,
// nil would become null, which is None in Python.
func FillNil[T any](v T) T {
	r := reflect.ValueOf(&v).Elem()
	r.Set((&filler{dynamic: true}).fillValue(r))
	return v
}

// fillTyped is like FillNil, but does not change values in an any.
func fillTyped(v reflect.Value) any { return new(filler).fillValue(v).Interface() }

// filler replaces nil lists and dicts. It copies each container only once, because a container may contain itself.
type filler struct {
	dynamic bool                        // also change values in an any
	copies  map[container]reflect.Value // copies of containers
}

// container identifies a Go slice or map by its location.
type container struct {
	typ reflect.Type
	at  uintptr
	len int
}

func (f *filler) fillValue(v reflect.Value) reflect.Value {
	t := v.Type()
	switch {
	case t.Kind() == reflect.Interface && f.dynamic && !v.IsNil():
		return f.fillValue(derefContainer(v.Elem()))
	case !isContainer(t):
		return v
	case t.Kind() == reflect.Slice && v.IsNil():
		return reflect.MakeSlice(t, 0, 0)
	case v.IsNil():
		return reflect.MakeMap(t)
	case isContainer(t.Elem()), t.Elem().Kind() == reflect.Interface && f.dynamic:
		return f.copyContainer(v)
	}
	return v
}

// copyContainer copies a list or dict and fills its elements.
func (f *filler) copyContainer(v reflect.Value) reflect.Value {
	key := container{v.Type(), v.Pointer(), v.Len()}
	if filled, ok := f.copies[key]; ok {
		return filled
	}
	if f.copies == nil {
		f.copies = map[container]reflect.Value{}
	}
	if v.Kind() == reflect.Map {
		dict := reflect.MakeMapWithSize(v.Type(), v.Len())
		f.copies[key] = dict
		for key, value := range v.Seq2() {
			dict.SetMapIndex(key, f.fillValue(value))
		}
		return dict
	}
	list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	f.copies[key] = list
	for i := range v.Len() {
		list.Index(i).Set(f.fillValue(v.Index(i)))
	}
	return list
}

// isContainer reports whether a type is a list or dict. A byte slice is neither, because JSON encodes
// it as a string.
func isContainer(t reflect.Type) bool {
	return t.Kind() == reflect.Map || t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8
}

// derefContainer returns the list or dict that v points to, or v.
func derefContainer(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Pointer && !v.IsNil() && isContainer(v.Type().Elem()) {
		return v.Elem()
	}
	return v
}
