package godoc

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// TestMarkers leaves what is written for generators out of the prose.
func TestMarkers(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"A pod.\n+optional\n", "A pod.\n"},
		{"A pod.\n+optional\n+listType=map\n+listMapKey=name\n", "A pod.\n"},
		{"+genclient\n+k8s:deepcopy-gen:interfaces=k8s.io/runtime.Object, x\nA pod.\n", "A pod.\n"},
		{"One.\n\n+kubebuilder:validation:Enum=a;b\n\nTwo.\n", "One.\n\n\nTwo.\n"},
		{"+optional\n", ""},
		{"the sum of a\n+b\n", "the sum of a\n+b\n"},
		{"the sum of a\n+other and more\n", "the sum of a\n+other and more\n"},
		{"the sum of this\n+that\nand more.\n", "the sum of this\n+that\nand more.\n"},
		{"one of -Inf,\n+Inf\n", "one of -Inf,\n+Inf\n"},
		{"Code:\n\n\t+optional\n", "Code:\n\n\t+optional\n"},
		{"", ""},
	} {
		if got := withoutMarkers(test.text); got != test.want {
			t.Errorf("%q becomes %q, not %q", test.text, got, test.want)
		}
	}
}

// TestMarkersOfDeclarations leaves them out wherever comments are read.
func TestMarkersOfDeclarations(t *testing.T) {
	const source = `package pods

// Pod is a pod.
// +genclient
type Pod struct {
	// Name is its name.
	// +optional
	Name string
}

// Find finds pods.
// +genclient:method=Find
func Find() {}
`
	file, err := parser.ParseFile(token.NewFileSet(), "pods.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	said := Read([]*ast.File{file}).Text
	for name, want := range map[string]string{"Pod": "Pod is a pod.", "Pod.Name": "Name is its name.", "Find": "Find finds pods."} {
		if said[name] != want {
			t.Errorf("%s is %q, not %q", name, said[name], want)
		}
	}
}

// TestLinks leaves the brackets of links to Go's documentation out, and no others.
func TestLinks(t *testing.T) {
	for comment, want := range map[string]string{
		"// Flush flushes a [Writer], as [Writer.Write] and [*bufio.Reader] do.": "Flush flushes a Writer, as Writer.Write and *bufio.Reader do.",
		"// Split splits [N]int, x[i], [T] and [optional] as [strings.Split].":   "Split splits [N]int, x[i], [T] and [optional] as strings.Split.",
	} {
		if got := commentText(&ast.CommentGroup{List: []*ast.Comment{{Text: comment}}}); got != want {
			t.Errorf("%s: %q, not %q", comment, got, want)
		}
	}
}

// FuzzPlain holds comments that are not parsed against what parsing makes of them.
func FuzzPlain(f *testing.F) {
	for _, text := range []string{
		"", "Find finds items.\n", "Find finds\nitems  (2) of all, or none; what?\n", "It is.\n\nMore.\n", "It is.\n- one\n",
		"Find\n\tcode\n", "Returns: it\n", "A [Link].\n", "It is ``so''.\n", "# Heading\n", "See https://go.dev.\n", "a.\n+optional\n", "1. one\n", "Heading\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if prose, ok := plain(text); ok && prose != docText(blocksOf(text)) {
			t.Errorf("%q becomes %q, and parsed %q", text, prose, docText(blocksOf(text)))
		}
	})
}
