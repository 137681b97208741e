package aion

import (
	"cmp"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/notes"
)

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/bad/*.aion")
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	one, _ := manyElements(1)
	f.Add(one)
	f.Add([]byte("[ system_prompt --> \"\"\"\n a\n  b \"\"\", rules --> [ \"a\" ], wrapped_query --> \"q\" ]"))
	f.Fuzz(func(t *testing.T, src []byte) {
		doc, list := Parse("fuzz.aion", src)
		checkSpans(t, reflect.ValueOf(doc), len(src))
		checkSpans(t, reflect.ValueOf(list), len(src))
		if !slices.IsSortedFunc(list, func(a, b *diag.Diagnostic) int {
			return cmp.Compare(a.Span.Start.Offset, b.Span.Start.Offset)
		}) {
			t.Errorf("faults out of order: %v", list)
		}
		for i, e := range doc.Elements {
			if e.Faulty && list.Err() == nil {
				t.Errorf("the element at %v is faulty, but there is no fault", e.Span)
			}
			if i > 0 && e.Span.Start.Offset < doc.Elements[i-1].Span.End.Offset {
				t.Errorf("the element at %v starts inside the one before", e.Span)
			}
		}
	})
}

// checkSpans checks that every span in a value is inside a source of the given size.
func checkSpans(t *testing.T, v reflect.Value, size int) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			checkSpans(t, v.Elem(), size)
		}
	case reflect.Slice:
		for i := range v.Len() {
			checkSpans(t, v.Index(i), size)
		}
	case reflect.Struct:
		if s, ok := v.Interface().(diag.Span); ok {
			sound := 0 <= s.Start.Offset && s.Start.Offset <= s.End.Offset && s.End.Offset <= size
			if !sound || s.Start.Line > s.End.Line || s.Start.Line == s.End.Line && s.Start.Column > s.End.Column {
				t.Errorf("span %+v in a source of %d bytes", s, size)
			}
			return
		}
		for i := range v.NumField() {
			checkSpans(t, v.Field(i), size)
		}
	}
}

func FuzzNote(f *testing.F) {
	for _, text := range []string{
		"string (user)", "int | default=5 | n", "str | enum=a,'b|c' | open", "list[dict[string, int]]?",
		"The user | optional", "map[string][]*pkg.T", "float | min=1 | max=1e3 | default=5",
		"dict | only=a, b.c, 'd.e' | omit=*.token | required", "list | text=a | ref=b | optional=c | required=d,e", "any | omit", "[]byte | text",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, list := ParseNote(text)
		if list.Err() != nil {
			return
		}
		if n.Type == "" && n.Description == "" {
			t.Errorf("%q is neither typed nor prose", text)
		}
		if end, ok := notes.TypeEnd(n.Type); n.Type != "" && (!ok || end != len(n.Type)) {
			t.Errorf("%q has the type %q, which is none", text, n.Type)
		}
		if n.Default != nil && !n.Optional {
			t.Errorf("%q has a default, but is not optional", text)
		}
		if again := (Text{Value: n.composeText()}); !n.matchesText(again) {
			t.Errorf("%q, taken apart and put together, is %q, another note", text, again.Value)
		}
	})
}

// FuzzMend applies all fixes of diagnostics, including guesses. No text may have more errors
// afterward.
func FuzzMend(f *testing.F) {
	files, _ := filepath.Glob("testdata/bad/*.aion")
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Add([]byte(`[{ name --> "a", function --> "A" --> { arg-1 --> "bool | minimum=1 | maximum = x | required=no", arg-2 --> "list of ints" } }]`))
	f.Fuzz(func(t *testing.T, src []byte) {
		_, list := Parse("fuzz.aion", src)
		var fixes []diag.Fix
		for _, d := range list {
			fixes = append(fixes, d.Fixes...)
		}
		fixed, _ := ApplyFixes("fuzz.aion", src, fixes)
		_, left := Parse("fuzz.aion", fixed)
		if before, after := countErrors(list), countErrors(left); after > before {
			t.Errorf("%d errors in %q became %d in %q: %v", before, src, after, fixed, left)
		}
		if len(fixes) == 0 && string(fixed) != string(src) {
			t.Errorf("%q became %q", src, fixed)
		}
	})
}
