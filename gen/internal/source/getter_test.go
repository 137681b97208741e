package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// TestHasGetters checks which methods only return a value.
func TestHasGetters(t *testing.T) {
	for body, want := range map[string]bool{
		"return v.size":                               true,
		"return (*v).info.Config.Size != noSize":      true,
		"return \"text\"":                             true,
		"return &Config{Name: v.name, N: uint8(v.n)}": true,
		"return []byte(v.name)":                       true,
		"return -v.n":                                 true,

		"return v.next()":                         false,
		"return <-v.sizes":                        false,
		"return func() int { return v.n }()":      false,
		"return &Config{N: v.count.Add(1)}":       false,
		"return atomic.LoadInt64(&v.n)":           false,
		"v.n++; return v.n":                       false,
		"panic(v)":                                false,
		"return":                                  false,
		"return v.n, nil":                         false,
		"if v == nil { return 0 }; return v.size": false,
	} {
		text := "package p\ntype T struct{}\nfunc (v *T) Name() string { return v.name }\nfunc (v *T) Size() any {\n" + body + "\n}\ntype U struct{}\nfunc (U) Other() int { return 1 }\n"
		file, err := parser.ParseFile(token.NewFileSet(), "p.go", text, parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		doc := ReadDocs([]*ast.File{file})
		if got := doc.HasGetters([]string{"Name", "Size"}); got != want {
			t.Errorf("%s: %v", body, got)
		}
		if doc.HasGetters([]string{"Name", "Other"}) {
			t.Errorf("%s: methods of two types count as those of one", body)
		}
	}
}
