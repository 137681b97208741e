package tool

import (
	"strings"
	"testing"
)

type shelf struct{}

func (*shelf) find() {}

func (shelf) count() {}

func TestPlaces(t *testing.T) {
	newDefinition := func() *Definition {
		return &Definition{Package: "github.com/aiongen/aiongen/runtime/tool", Binding: &Binding{File: "shop/orders.aion", Line: 12}}
	}
	if got := newDefinition().NotePlace(); got != "shop/orders.aion:12" {
		t.Errorf("NotePlace() = %q", got)
	}
	for want, function := range map[string]any{
		"runtime/tool/binding_test.go:10": (*shelf).find,
		"runtime/tool/binding_test.go:12": shelf.count,
		"strings/":                        strings.ToUpper,
	} {
		got := newDefinition().BindFunction(function).FunctionPlace()
		if prefix := strings.HasSuffix(want, "/"); got != want && !(prefix && strings.HasPrefix(got, want)) {
			t.Errorf("FunctionPlace() = %q, want %q", got, want)
		}
	}
	for _, d := range []Definition{{}, *newDefinition()} {
		if got := d.FunctionPlace(); got != "" {
			t.Errorf("FunctionPlace() of an unknown function = %q", got)
		}
	}
	if got := (Definition{}).NotePlace(); got != "" {
		t.Errorf("NotePlace() without a binding = %q", got)
	}
}

func TestImportPath(t *testing.T) {
	for name, want := range map[string]string{
		"example.com/shop.(*Store).Find": "example.com/shop", "example.com/shop%2ev2.Find": "example.com/shop.v2",
		"strings.ToUpper": "strings", "main.run": "main", "example.com/a.b/c.F[...]": "example.com/a.b/c",
	} {
		if got := packagePath(name); got != want {
			t.Errorf("packagePath(%q) = %q, want %q", name, got, want)
		}
	}
}
