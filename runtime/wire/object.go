package wire

import (
	"slices"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/jsontape"
)

// Object is a JSON object in the arguments. Its members are read by name. Call [Object.Done] after reading them.
// The zero Object stands for an absent [Value]: it has no members and records no faults.
type Object struct {
	d         *Decoder
	at        int
	cursor    int // index of the key after the one that was read last, where the search for a key begins
	remaining int // number of members that were not read
	firstName int // index in d.names of the first name of this object
}

// Object reads v as an object.
func (v Value) Object() Object {
	e := v.expectKind(jsontape.Object, "an object")
	if e == nil {
		return Object{}
	}
	o := Object{d: v.d, at: v.at, cursor: v.at + 1, remaining: int(e.Count), firstName: len(v.d.names)}
	if e.Taken { // [Value.Variant] has read the member that names the variant
		o.remaining--
	}
	return o
}

// ParameterObject is like [Value.Object], for a struct with fields that encoding/json ignores: it records that
// encoding/json might write the value differently.
func (v Value) ParameterObject() Object {
	if v.d != nil {
		v.d.readOpaque = true
	}
	return v.Object()
}

// NoArguments reads the arguments of a function that takes none.
func NoArguments(v Value) (none struct{}) {
	o := v.Object()
	o.Done()
	return none
}

// NoArgumentsInto is like [NoArguments].
func NoArgumentsInto(v Value, none *struct{}) { *none = NoArguments(v) }

// The following methods are not inlined, because generated code calls one for each field of each struct, and a call
// is much smaller than the inlined code.

// Get returns the member with the given name. If there is none, it records a fault and returns the absent
// Value.
//
//go:noinline
func (o *Object) Get(name string) Value {
	v := o.takeMember(name)
	if v.d == nil && o.d != nil {
		o.d.recordMissing(o.at, name, words.Value)
	}
	return v
}

// Opt returns the member with the given name. If there is none, or it is null, it returns the absent Value
// and records no fault.
//
//go:noinline
func (o *Object) Opt(name string) Value {
	v := o.takeMember(name)
	if v.d != nil && v.d.tape.EntryAt(v.at).Kind == jsontape.Null {
		return Value{}
	}
	return v
}

// OptOrNull is like [Object.Opt], but returns null as a value.
//
//go:noinline
func (o *Object) OptOrNull(name string) Value { return o.takeMember(name) }

// Has reports whether a member with one of the given names exists and is not null. If it returns false, members with
// these names that are null count as read.
//
//go:noinline
func (o *Object) Has(names ...string) bool { return o.HasOrNull(names) }

// HasOrNull is like [Object.Has], but also returns true for a null member whose name is in orNull. These names must
// also be in names.
//
//go:noinline
func (o *Object) HasOrNull(names []string, orNull ...string) bool {
	if o.d == nil {
		return false
	}
	for _, name := range names {
		key := o.d.tape.FindKey(o.at, o.cursor, name)
		if key >= 0 && (o.d.tape.EntryAt(key+1).Kind != jsontape.Null || slices.Contains(orNull, name)) {
			return true
		}
	}
	for _, name := range names {
		o.takeMember(name)
	}
	return false
}

// Presence reports whether a member with the given name exists, and whether it is null.
//
//go:noinline
func (o *Object) Presence(name string) (present, null bool) {
	if o.d == nil {
		return false, false
	}
	key := o.d.tape.FindKey(o.at, o.cursor, name)
	return key >= 0, key >= 0 && o.d.tape.EntryAt(key+1).Kind == jsontape.Null
}

// GetAs is like [Object.Get] for a member that may also have the name alias.
//
//go:noinline
func (o *Object) GetAs(name, alias string) Value {
	if v := o.takeAlias(name, alias); v.d != nil {
		return v
	}
	return o.Get(name)
}

// OptAs is like [Object.Opt] for a member that may also have the name alias.
//
//go:noinline
func (o *Object) OptAs(name, alias string) Value {
	if v := o.takeAlias(name, alias); v.d != nil && v.d.tape.EntryAt(v.at).Kind != jsontape.Null {
		return v
	}
	return o.Opt(name)
}

// takeAlias returns the member with the alias, if the object has no member with the given name. If it has
// neither, the alias does not count as requested, so that Done does not suggest it for an unknown key.
func (o *Object) takeAlias(name, alias string) Value {
	if o.d == nil || o.remaining == 0 || alias == "" || o.d.tape.FindKey(o.at, o.cursor, name) >= 0 || o.d.tape.FindKey(o.at, o.cursor, alias) < 0 {
		return Value{}
	}
	return o.takeMember(alias)
}

// Default is like [Object.OptAs], for a member with a default: the JSON in text. If the member is absent,
// [Unmarshal] inserts the default into the JSON that it passes to its function unmarshal. The alias may be empty.
func (o *Object) Default(text, name, alias string) Value {
	v := o.OptAs(name, alias)
	if v.d == nil && o.d != nil {
		if o.d.inserted == nil {
			o.d.inserted = map[int][]insertedMember{}
		}
		o.d.inserted[o.at] = append(o.d.inserted[o.at], insertedMember{name, alias, text})
	}
	return v
}

// AtMostOne records a fault if more than one member with one of the given names is not null.
//
//go:noinline
func (o *Object) AtMostOne(names ...string) {
	if o.d == nil {
		return
	}
	found := false
	for key := range o.d.tape.Keys(o.at) {
		k := o.d.tape.EntryAt(key)
		if o.d.tape.EntryAt(key+1).Kind == jsontape.Null || !slices.ContainsFunc(names, func(name string) bool { return o.d.tape.HasText(k, name) }) {
			continue
		}
		if found && o.d.faults.countFault() {
			o.d.addKeyFault(key, "at most one of "+words.List(names, " and "))
		}
		found = true
	}
}

// Str reads the member with the given name as a string.
//
//go:noinline
func (o *Object) Str(name string) string { return o.Get(name).Str() }

// Bool reads the member with the given name as a boolean.
//
//go:noinline
func (o *Object) Bool(name string) bool { return o.Get(name).Bool() }

// Int reads the member with the given name as an int.
//
//go:noinline
func (o *Object) Int(name string) int { return o.Get(name).Int() }

// Int64 reads the member with the given name as an int64.
//
//go:noinline
func (o *Object) Int64(name string) int64 { return o.Get(name).Int64() }

// Float64 reads the member with the given name as a float64.
//
//go:noinline
func (o *Object) Float64(name string) float64 { return o.Get(name).Float64() }

// takeMember returns the member with the given name and marks it as read.
func (o *Object) takeMember(name string) Value {
	if o.d == nil {
		return Value{}
	}
	o.d.names = append(o.d.names, name)
	t, at := &o.d.tape, o.cursor
	if o.remaining == 0 || !t.HasText(t.EntryAt(at), name) { // usually the member is at the cursor
		if at = t.FindKey(o.at, at, name); at < 0 {
			return Value{}
		}
	}
	o.cursor = t.NextKey(o.at, at)
	if key := t.EntryAt(at); !key.Taken {
		key.Taken = true
		o.remaining--
	}
	return o.d.valueAt(at + 1)
}

// Done records a fault for each member that was not read. The key of such a member is unknown or repeated.
//
//go:noinline
func (o *Object) Done() {
	if o.d == nil {
		return
	}
	if o.remaining != 0 {
		o.recordSurplus()
	}
	o.d.names = o.d.names[:o.firstName]
}

// recordSurplus records faults for the members that were not read.
func (o *Object) recordSurplus() {
	known := slices.Clone(o.d.names[o.firstName:]) // in the order of the requests, which is that of the fields and the schema
	seen := map[string]bool{}
	for key := range o.d.tape.Keys(o.at) {
		if e := o.d.tape.EntryAt(key); e.Taken {
			name := o.d.tape.Str(e)
			if seen[name] = true; !slices.Contains(known, name) { // [Value.Variant] has read it
				known = slices.Insert(known, 0, name)
			}
		}
	}
	for key := range o.d.tape.Keys(o.at) {
		e := o.d.tape.EntryAt(key)
		if e.Taken || !o.d.faults.countFault() {
			continue
		}
		name := o.d.tape.Str(e)
		if seen[name] {
			o.d.addKeyFault(key, words.EachKey)
		} else {
			o.d.addKeyFault(key, words.ExpectedKey(name, known))
		}
		seen[name] = true
	}
}
