package emit

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// Some types are read by package protojson or by their own JSON methods instead of generated code.
// Generated code first checks that the JSON has the form that the schema describes, and then passes it on.

// addUnmarshal adds the statement that checks a value and passes it to protojson or to the type's own
// method.
func (c Codec) addUnmarshal(l *Lines, t *model.Type) {
	check := t.Check
	if t.Kind == model.Custom {
		check = "nil" // the form is unknown
		if t.Elem != nil {
			check = c.checkFunc(t.Elem)
		}
	}
	l.addBlock(c.wire("Unmarshal")+"("+c.Local("v")+", "+check+", func("+c.Local("text")+" []byte) error {", func() {
		if t.Codec == model.OwnMethods {
			l.addReturn(Call(c.Member("x", "UnmarshalJSON"), c.Local("text")))
		} else {
			l.addReturn(Call(c.qualify(model.ProtoJSONPath, "Unmarshal"), c.Local("text"), c.Local("x")))
		}
	}, "})")
}

// addMarshal adds the statement that writes a value with protojson or with the type's own method.
func (c Codec) addMarshal(l *Lines, t *model.Type) {
	selection := "nil"
	if t.Select != "" {
		selection = t.Select
	}
	if t.Codec == model.OwnMethods {
		l.add(Call(c.wire("Marshal"), c.Local("e"), c.Local("lead"), selection, c.Member("v", "MarshalJSON")))
		return
	}
	l.addBlock(c.wire("Marshal")+"("+strings.Join([]string{c.Local("e"), c.Local("lead"), selection, "func() ([]byte, error) {"}, ", "), func() {
		l.addReturn(Call(c.qualify(model.ProtoJSONPath, "Marshal"), c.Local("v")))
	}, "})")
}

// addCheck adds the function t.Check, which checks that an object has the form that its schema describes.
func (c Codec) addCheck(l *Lines, t *model.Type) {
	l.addBlock("func "+Call(t.Check, c.Local("v")+" "+c.wire("Value"))+" {", func() {
		// Members of an absent value are absent, too, so the check of a recursive type would never end.
		l.addIf("!"+c.Member("v", "Ok()"), "return")
		l.add(c.Local("o"), " := ", c.Member("v", "Object()"))
		for _, f := range t.Fields {
			if !f.Hidden {
				l.add(c.checkForm(f.Type, c.formMember(f)))
			}
		}
		for _, rivals := range t.Rivals() {
			var names []string
			for _, f := range rivals {
				if names = append(names, strconv.Quote(f.Name)); f.Alias != "" {
					names = append(names, strconv.Quote(f.Alias))
				}
			}
			l.add(Call(c.Member("o", "AtMostOne"), names...))
		}
		l.add(c.Member("o", "Done()"))
	}, "}")
}

// formMember returns an expression for the value of a field, for use in the function that addCheck adds.
func (c Codec) formMember(f *model.Field) string {
	names := []string{strconv.Quote(f.Name)}
	suffix := ""
	if f.Alias != "" {
		suffix, names = "As", append(names, strconv.Quote(f.Alias))
	}
	switch {
	case f.Default != "":
		return Call(c.Member("o", "Default"), Literal(f.Default), strconv.Quote(f.Name), strconv.Quote(f.Alias))
	case f.Optional:
		return Call(c.Member("o", "Opt"+suffix), names...)
	}
	return Call(c.Member("o", "Get"+suffix), names...)
}

// checkForm returns a statement that checks that the value v has the JSON form of type t.
func (c Codec) checkForm(t *model.Type, v string) string {
	if t.Form == model.ProtoJSON {
		if check := c.checkLeniently(t, v); check != "" {
			return check
		}
	}
	switch t.Kind {
	case model.StructKind:
		return Call(t.Check, v)
	case model.Pointer:
		return c.checkForm(t.Elem, v)
	case model.Slice, model.Array:
		return Call(c.wire("Slice"), checkLimits(t, v), Call(c.wire("CheckerOf"), c.checkFunc(t.Elem)))
	case model.Map:
		return c.checkMap(t, v)
	case model.Quoted:
		return Call(c.wire("Quoted"), v, Call(c.wire("CheckerOf"), c.checkFunc(t.Elem)))
	case model.TextOr:
		return Call(c.wire("CheckUnlessText"), v, Call(c.wire("CheckerOf"), c.checkFunc(t.Elem)))
	case model.NullOr:
		return c.checkUnlessNull(t, v)
	case model.Custom:
		if t.Elem != nil {
			return c.checkForm(t.Elem, v)
		}
	case model.String:
		if t.Values != "" {
			return Call(v+".Enum", t.Values)
		}
	}
	return checkLimits(t, v) + "." + cmp.Or(checkMethods[t.Kind], basicMethod(t)) + "()"
}

// checkUnlessNull returns a statement that checks that a value is null or has the JSON form of the element
// type.
func (c Codec) checkUnlessNull(t *model.Type, v string) string {
	value := c.Local("v")
	check := Call(c.wire("CheckValue"), value, Call(c.wire("CheckerOf"), c.checkFunc(t.Elem)))
	return Call(c.wire("CheckUnlessNull"), v, Call("func", value+" "+c.wire("Value"))+" "+c.wire("Value")+" {\nreturn "+check+"\n}")
}

// checkMethods are the methods that check values of kinds for which basicMethod returns no method, or one
// that checks less or does more. For example, it returns no method for a URL, which is checked with Str.
var checkMethods = map[model.Kind]string{
	model.Any: "Raw", model.Custom: "Raw", model.Text: "Str", model.URL: "Str", model.BigInt: "Number",
}

// checkLeniently returns a statement that checks a value for which package protojson accepts more forms
// than the schema shows, such as a number in a string. It returns "" for other values. If a note limits
// the value, only the form in the schema is accepted, because the limits do not apply to other forms.
func (c Codec) checkLeniently(t *model.Type, v string) string {
	switch {
	case t.Kind == model.Quoted:
		return c.checkNumber("CheckInt", t.Elem, v)
	case t.Kind == model.String && t.Values != "" && !t.Narrowed:
		return Call(c.wire("CheckEnum"), v, t.Values)
	case t.HasLimits():
		return ""
	case t.Kind == model.Int, t.Kind == model.Uint:
		return c.checkNumber("CheckInt", t, v)
	case t.Kind == model.Float:
		return c.checkNumber("CheckFloat", t, v)
	}
	return ""
}

// checkMap returns a statement that checks a map. It checks that the keys are integers only if package
// protojson reads the map and the keys of the Go type are integers. Other keys may be any strings.
func (c Codec) checkMap(t *model.Type, v string) string {
	function, key := "Map", "string"
	if t.Form == model.ProtoJSON && t.Key.IsInteger() {
		function, key = "IntMap", t.Key.Go.Name
	}
	return Call(c.wire(function)+"["+key+"]", v, Call(c.wire("CheckerOf"), c.checkFunc(t.Elem)))
}

// checkNumber returns a statement that checks a number, which may also be in a string.
func (c Codec) checkNumber(function string, t *model.Type, v string) string {
	if t.Kind == model.Uint {
		function = "CheckUint"
	}
	return Call(c.wire(function), v, strconv.Itoa(t.Bits))
}

// checkFunc returns a function that checks that a value has the JSON form of a type.
func (c Codec) checkFunc(t *model.Type) string {
	if t.Kind == model.StructKind {
		return t.Check
	}
	return Call("func", c.Local("v")+" "+c.wire("Value")) + " {\n" + c.checkForm(t, c.Local("v")) + "\n}"
}

// addSelection adds the variable that lists the members of a result that are written.
func (c Codec) addSelection(l *Lines, t *model.Type) {
	s := selection{indexes: map[*model.Type]int{}}
	s.add(t)
	l.addBlock("var "+t.Select+" = "+c.wire("Selection")+"{", func() {
		for _, members := range s.objects {
			if len(members) == 0 {
				l.add("{},")
				continue
			}
			l.addBlock("{", func() {
				for _, m := range members {
					index := c.wire("Whole")
					if m.object >= 0 {
						index = strconv.Itoa(m.object)
					}
					l.add("{Name: ", strconv.Quote(m.name), ", Object: ", index, "},")
				}
			}, "},")
		}
	}, "}")
}

// If a result is written only in part, its selection lists for each type of object which members are
// written.
type selection struct {
	objects [][]selectedMember
	indexes map[*model.Type]int // in objects
}

// A selectedMember is a member that is written. If only some members of its value are written, object is the
// index of these members in selection.objects; otherwise it is -1. The name "" stands for all members of a
// map, "[" for all extensions of a message.
type selectedMember struct {
	name   string
	object int
}

// add returns the index of a type of objects, and adds the type if necessary.
func (s *selection) add(t *model.Type) int {
	if index, ok := s.indexes[t]; ok {
		return index
	}
	n := len(s.objects)
	s.indexes[t] = n
	s.objects = append(s.objects, nil)
	var members []selectedMember
	switch {
	case t.Kind == model.StructKind:
		for _, f := range t.Fields {
			members = append(members, selectedMember{f.Name, s.memberObject(f.Type)})
		}
		if (t.Form == model.ProtoJSON || t.Codec == model.ProtoJSON) && !t.Selected {
			members = append(members, selectedMember{"[", -1})
		}
	case t.Kind == model.Map:
		members = append(members, selectedMember{"", s.memberObject(t.Elem)})
	}
	s.objects[n] = members
	return n
}

// memberObject returns the value of selectedMember.object for a member of the given type.
func (s *selection) memberObject(t *model.Type) int {
	for (t.Kind == model.Slice || t.Kind == model.Array || t.Kind == model.Pointer) && t.Narrowed {
		t = t.Elem
	}
	if !t.Narrowed || t.Kind != model.StructKind && t.Kind != model.Map {
		return -1
	}
	return s.add(t)
}
