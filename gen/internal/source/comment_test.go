package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"strings"
	"testing"
)

// TestMarkers checks that markers for generators are not part of the prose.
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
		if got := trimMarkers(test.text); got != test.want {
			t.Errorf("%q becomes %q, not %q", test.text, got, test.want)
		}
	}
}

// TestMarkersOfDeclarations checks the same wherever comments are read.
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
	said := ReadDocs([]*ast.File{file}).Text
	for name, want := range map[string]string{"Pod": "Pod is a pod.", "Pod.Name": "Name is its name.", "Find": "Find finds pods."} {
		if said[name] != want {
			t.Errorf("%s is %q, not %q", name, said[name], want)
		}
	}
}

// TestLinks checks that the brackets of links to Go documentation are removed, and no others.
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

// FuzzPlain checks that comments which are not parsed have the same text as if they were parsed.
func FuzzPlain(f *testing.F) {
	for _, text := range []string{
		"", "Find finds items.\n", "Find finds\nitems  (2) of all, or none; what?\n", "It is.\n\nMore.\n", "It is.\n- one\n",
		"Find\n\tcode\n", "Returns: it\n", "A [Link].\n", "It is ``so''.\n", "# Heading\n", "See https://go.dev.\n", "a.\n+optional\n", "1. one\n", "Heading\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if prose, ok := plainText(text); ok && prose != joinBlocks(parseBlocks(text)) {
			t.Errorf("%q becomes %q, and parsed %q", text, prose, joinBlocks(parseBlocks(text)))
		}
	})
}

// TestFirstParagraph cuts comments of other modules.
func TestFirstParagraph(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "",
		"One.":                              "One.",
		"One. Two.\n\nThree.\n\n\tf(x)\n":   "One. Two.",
		"# Title\n\nOne.\n\n# More\n\nTwo.": "One.",
		"\tf(x)\n\nOne.":                    "One.",
		"It is one of. These are:\n\n  - a\n  - b\n\nThree.": "It is one of. These are:\n  - a\n  - b",
		"Values:\n  - " + strings.Repeat("a", 400):           "Values.",
		"  - a\n  - b": "",
		"The name.\n\nIt is long.\n\nThis member is required.":                  "The name. This member is required.",
		"The name.\n\nRequired. The other members depend on it, which is long.": "The name.",
		"#1 of them.": "#1 of them.",
		"Values:\n\n  - a\n    and more\n\nThis member is required.": "Values:\n  - a\n    and more\nThis member is required.",
		"See:\n\n\tf(x)\n\n  - a":                                    "See.",
		"One.\n  - a":                                                "One.",
	} {
		if got := FirstParagraph(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestStatesRequired checks the sentences of generators, and others with the same words.
func TestStatesRequired(t *testing.T) {
	for text, want := range map[string]bool{
		"The name. This member is required.":     true,
		"This field is mandatory.":               true,
		"Required. The name of the parent.":      true,
		"At most 1 MiB This member is required.": true,
		"Parent: Required. The parent.":          true,
		"REQUIRED; the name":                     true,
		"The name. Mandatory.":                   true,
		"":                                       false,
		"Required if there is no name.":          false,
		"The name that is Required.":             false,
		"This member is required when x is y.":   false,
		"Required.Name is set.":                  false,
		"Not required.":                          false,
	} {
		if got := StatesRequired(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// TestParameterLines checks descriptions of parameters in lines at the end of a paragraph.
func TestParameterLines(t *testing.T) {
	const text = `package p

// Send sends a message.
// channelID : The channel.
// content   : The message: in Markdown.
func Send(channelID, content string) error

// Call says:
// note: this is prose.
func Call(id int)
`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	docs := ReadDocs([]*ast.File{file})
	if got := docs.Text["Send"]; got != "Send sends a message." {
		t.Errorf("the text is %q", got)
	}
	want := map[string]string{"channelID": "The channel.", "content": "The message: in Markdown."}
	if got := docs.Functions["Send"].Params; !maps.Equal(got, want) {
		t.Errorf("the parameters are %q", got)
	}
	if got := docs.Text["Call"]; got != "Call says: note: this is prose." {
		t.Errorf("the text is %q", got)
	}
}
