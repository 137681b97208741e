package wire

import (
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/tape"
)

// Object is a JSON object of the arguments, of which members are taken by name
// and which is to be closed with [Object.Done]. Like an absent [Value], the
// zero Object has no members and records no faults.
type Object struct {
	d      *Decoder
	at     int
	cursor int // key that is looked at first, behind the one that was taken last
	left   int // members not taken
	missed int // where in d.missed the names of this object begin

	asked int32 // how many members were asked for
}

// asked is a name that was asked for, with its number among those of its object.
type asked struct {
	name string
	nth  int32
}

// Object reads v as an object.
func (v Value) Object() Object {
	e := v.expect(tape.Object, "an object")
	if e == nil {
		return Object{}
	}
	return Object{d: v.d, at: v.at, cursor: v.at + 1, left: int(e.Count), missed: len(v.d.missed)}
}

// NoArguments reads the arguments of a function that has none.
func NoArguments(v Value) (none struct{}) {
	o := v.Object()
	o.Done()
	return none
}

// NoArgumentsInto is as [NoArguments].
func NoArgumentsInto(v Value, none *struct{}) { *none = NoArguments(v) }

// The methods are not inlined: generated code calls one for each field of each
// struct, and a call is a fraction of the code.

// Get takes the member of the given name. If there is none, that is a fault and
// the Value absent.
//
//go:noinline
func (o *Object) Get(name string) Value {
	v := o.take(name)
	if v.d == nil && o.d != nil {
		o.d.missing(o.at, name)
	}
	return v
}

// Opt takes the member of the given name. If there is none, or it is null, the
// Value is absent, and that is no fault.
//
//go:noinline
func (o *Object) Opt(name string) Value {
	v := o.take(name)
	if v.d != nil && v.d.tape.At(v.at).Kind == tape.Null {
		return Value{}
	}
	return v
}

// Has reports whether there is a member of one of the given names that is not
// null. If so, it takes none of them; else, those that are null.
//
//go:noinline
func (o *Object) Has(names ...string) bool {
	if o.d == nil {
		return false
	}
	for _, name := range names {
		if key := o.d.tape.Find(o.at, o.cursor, name); key >= 0 && o.d.tape.At(key+1).Kind != tape.Null {
			return true
		}
	}
	for _, name := range names {
		o.take(name)
	}
	return false
}

// Str takes the member of the given name as a string.
//
//go:noinline
func (o *Object) Str(name string) string { return o.Get(name).Str() }

// Bool takes the member of the given name as true or false.
//
//go:noinline
func (o *Object) Bool(name string) bool { return o.Get(name).Bool() }

// Int takes the member of the given name as an int.
//
//go:noinline
func (o *Object) Int(name string) int { return o.Get(name).Int() }

// Int64 takes the member of the given name as an int64.
//
//go:noinline
func (o *Object) Int64(name string) int64 { return o.Get(name).Int64() }

// Float64 takes the member of the given name as a float64.
//
//go:noinline
func (o *Object) Float64(name string) float64 { return o.Get(name).Float64() }

// take finds the member of the given name and marks it.
func (o *Object) take(name string) Value {
	if o.asked++; o.d == nil {
		return Value{}
	}
	t, at := &o.d.tape, o.cursor
	if o.left == 0 || !t.Reads(t.At(at), name) { // most often it is that one
		if at = t.Find(o.at, at, name); at < 0 {
			o.d.missed = append(o.d.missed, asked{name, o.asked})
			return Value{}
		}
	}
	o.cursor = t.Behind(o.at, at)
	if key := t.At(at); !key.Taken {
		key.Taken, key.Count = true, o.asked // a string has no other count
		o.left--
	}
	return o.d.value(at + 1)
}

// Done records a fault for each member that was not taken: its key is unknown or
// repeated.
//
//go:noinline
func (o *Object) Done() {
	if o.d == nil {
		return
	}
	if o.left != 0 {
		o.surplus()
	}
	o.d.missed = o.d.missed[:o.missed]
}

// surplus records the members that were not taken.
func (o *Object) surplus() {
	all, seen := make(map[int32]string), make(map[string]bool)
	for _, a := range o.d.missed[o.missed:] {
		all[a.nth] = a.name
	}
	for key := range o.d.tape.Keys(o.at) {
		if e := o.d.tape.At(key); e.Taken {
			name := o.d.tape.Str(e)
			all[e.Count], seen[name] = name, true
		}
	}
	var known []string // in the order of the fields, which is that of the schema
	for nth := range o.asked {
		if name, ok := all[nth+1]; ok {
			known = append(known, name)
		}
	}
	for key := range o.d.tape.Keys(o.at) {
		e := o.d.tape.At(key)
		if e.Taken || !o.d.faults.Counts() {
			continue
		}
		name := o.d.tape.Str(e)
		if seen[name] {
			o.d.addKey(key, words.EachKey)
		} else {
			o.d.addKey(key, words.Key(name, known))
		}
		seen[name] = true
	}
}
