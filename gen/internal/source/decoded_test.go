package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

// TestDecoded checks which bodies of UnmarshalJSON decode all of their input into the fields of the type T.
func TestDecoded(t *testing.T) {
	const undecoded = "-"
	for _, tt := range []struct {
		name, body, types string
		want              []string // the members with another form, or undecoded
	}{
		{"a conversion", "type plain T; return json.Unmarshal(b, (*plain)(t))", "", nil},
		{"a copy", "type plain T; var v plain; err := json.Unmarshal(b, &v); *t = T(v); return err", "", nil},
		{"a new copy", "type plain T; v := new(plain); err := json.Unmarshal(b, v); *t = T(*v); return err", "", nil},
		{"a literal", "type plain T; v := plain{A: 1}; err := json.Unmarshal(b, &v); *t = T(v); return err", "", nil},
		{"a type of the package", "var v plain; err := json.Unmarshal(b, &v); *t = T(v); return err", "type plain T", nil},
		{"a type of a type", "var v other; err := json.Unmarshal(b, &v); *t = T(v); return err", "type plain T; type other plain", nil},
		{"an embedded copy", "type plain T; var v struct { plain; B string `json:\"b\"`; C, d int; E int `json:\"-\"` }; err := json.Unmarshal(b, &v); *t = T(v.plain); return err", "", []string{"C", "b"}},
		{"an embedded pointer", "type plain T; v := &struct { Z int; *plain }{plain: (*plain)(t)}; return json.Unmarshal(b, &v)", "", []string{"Z"}},
		{"a struct of the package", "var v raw; err := json.Unmarshal(b, &v); *t = T(v.plain); return err", "type plain T; type raw struct { plain; Data json.RawMessage `json:\"data\"` }", []string{"data"}},
		{"a name shadowed elsewhere", "type plain T; var w plain; if err := json.Unmarshal(b, &w); err != nil { return err }; for _, v := range t.all { v := v; _ = v }; *t = T(w); return nil", "", nil},

		{"an empty body", "", "", []string{undecoded}},
		{"the input is read twice", "type plain T; if b[0] == 'x' { return nil }; return json.Unmarshal(b, (*plain)(t))", "", []string{undecoded}},
		{"a field", "return json.Unmarshal(b, &t.A)", "", []string{undecoded}},
		{"another type", "var v other; *t = T(v.plain); return json.Unmarshal(b, &v)", "type other U; type U struct{}", []string{undecoded}},
		{"the type itself", "var v T; *t = T(v.plain); return json.Unmarshal(b, &v)", "", []string{undecoded}},
		{"an alias", "type plain = T; return json.Unmarshal(b, (*plain)(t))", "", []string{undecoded}},
		{"a struct without the fields", "var v struct { A int }; *t = T(v.plain); return json.Unmarshal(b, &v)", "", []string{undecoded}},
		{"a field of the type", "type plain T; var v struct { P plain }; *t = T(v.plain); return json.Unmarshal(b, &v)", "", []string{undecoded}},
		{"an embedded type with a name", "type plain T; var v struct { plain `json:\"p\"` }; *t = T(v.plain); return json.Unmarshal(b, &v)", "", []string{undecoded}},
		{"an unknown embedded type", "type plain T; var v struct { plain; pkg.U }; *t = T(v.plain); return json.Unmarshal(b, &v)", "", []string{undecoded}},
		{"two embedded copies", "type plain T; type other T; var v struct { plain; other }; *t = T(v.plain); return json.Unmarshal(b, &v)", "", []string{undecoded}},
		{"a struct in a struct", "type plain T; type in struct { plain }; var v struct { in }; *t = T(v.plain); return json.Unmarshal(b, &v)", "", []string{undecoded}},
		{"another format", "type plain T; return yaml.Unmarshal(b, (*plain)(t))", "", []string{undecoded}},
		{"two variables of one name", "type plain T; var v plain; if t == nil { v := 1; _ = v }; *t = T(v.plain); return json.Unmarshal(b, &v)", "", []string{undecoded}},
		{"types without end", "var v x; *t = T(v.plain); return json.Unmarshal(b, &v)", "type x y; type y x", []string{undecoded}},
		{"a type with its own method", "return json.Unmarshal(b, (*plain)(t))", "type plain T; func (p *plain) UnmarshalJSON(b []byte) error { return nil }", []string{undecoded}},
		{"a type with a method for texts", "return json.Unmarshal(b, (*plain)(t))", "type plain T; func (p *plain) UnmarshalText(b []byte) error { return nil }", []string{undecoded}},
		{"an embedded type with its own method", "var v struct { plain }; *t = T(v.plain); return json.Unmarshal(b, &v)", "type plain T; func (p plain) UnmarshalJSON(b []byte) error { return nil }", []string{undecoded}},
		{"a field that embeds methods", "type plain T; var v struct { plain; time.Time `json:\"at\"` }; *t = T(v.plain); return json.Unmarshal(b, &v)", "", []string{undecoded}},
		{"an excluded field that embeds methods", "type plain T; var v struct { plain; Other `json:\"-\"` }; *t = T(v.plain); return json.Unmarshal(b, &v)", "", []string{undecoded}},
		{"a local type with the name", "type T struct { X int }; type plain T; var v plain; *t = T(v.plain); return json.Unmarshal(b, &v)", "", []string{undecoded}},
		{"a copy of a field", "type plain T; var v plain; err := json.Unmarshal(b, &v); t.A = v.A; return err", "", []string{undecoded}},
		{"a value that is lost", "type plain T; var v plain; return json.Unmarshal(b, &v)", "", []string{undecoded}},
		{"a function", "return json.Unmarshal(b, make(t))", "", []string{undecoded}},
	} {
		text := "package p\n" + tt.types + "\nfunc (t *T) UnmarshalJSON(b []byte) error {\n" + tt.body + "\n}\n"
		file, err := parser.ParseFile(token.NewFileSet(), "p.go", text, parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		got, ok := ReadDocs([]*ast.File{file}).Decoded["T"]
		if !ok {
			got = []string{undecoded}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: it has %q", tt.name, got)
		}
	}
}
