package emit

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"strings"
	"testing"
	"unicode"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// FuzzText puts hostile text wherever external text can occur. The file must still parse and
// have only the expected declarations and comments.
func FuzzText(f *testing.F) {
	for _, seed := range []string{
		"plain", "two\nlines", "back`quote", "*/ func init() {}", "//go:embed x", "\n//go:embed x\n", "//line a.go:1\n",
		"//export X", "%s %d", "\x00", "\u2028\u2029", "\ufeff", "\xff\xfe", `\`, `"`, "`+panic()+`", "\r", "+build ignore",
		strings.Repeat("long ", 13000), "\"\u202e // trojan", "\"\u200b\u00ad\u2060",
		"``two''", "```three'''", "https://x.y/it''s",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		files, err := Files(nil, hostile(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			checkShape(t, file)
		}
	})
}

// TestLongText prints a text with the width of the widest column that gofmt aligns, and a longer one.
func TestLongText(t *testing.T) {
	longest := maxColumnWidth - len("Description") - len(`""`)
	for _, n := range []int{longest, longest + 1} {
		p := hostile("plain")
		p.Files[0].Tools[0].Description = strings.Repeat("x", n)
		files, err := Files(nil, p)
		if err != nil {
			t.Fatal(err)
		}
		checkShape(t, files[0])
	}
}

// hostile returns a package with a tool in which every text is the given one.
func hostile(text string) *model.Package {
	field := &model.Field{Name: text, Path: []string{"X"}, Description: text, Type: &model.Type{
		Kind: model.String, Go: model.GoType{Path: "example.com/p", Name: "Color"}, Values: "colorValues", Match: "colorPattern", Pattern: text,
		Enum: []model.Const{{Value: jsontext.Quote(text)}, {Value: `"b"`}},
	}}
	args := &model.Type{Kind: model.StructKind, Go: model.GoType{Path: "example.com/p", Name: "DoArgs"}, Reader: "decodeDoArgs", Fields: []*model.Field{field}}
	result := &model.Type{Kind: model.StructKind, Go: model.GoType{Path: "example.com/p", Name: "DoResult"}, Writer: "encodeDoResult", Fields: []*model.Field{field}}
	do := &model.Tool{
		Name: "do", GoName: "Do", Binding: model.Binding{File: text, Line: 1, LineName: "doLine"}, Description: text, Link: text, Input: text, Output: text,
		InputName: "doInput", OutputName: "doOutput", Definition: "doDefinition", Constructor: "DoTool", Run: "runDo", Invoke: "invokeDo",
		Args: args, Result: result,
		Func: &model.Func{
			Path: "example.com/p", Name: "Do", Results: []bool{true}, Args: []model.Arg{{Source: model.FromField, Field: "X"}},
			Type: model.GoType{Kind: model.GoFunc, Elems: []model.GoType{{Kind: model.GoStruct, Fields: []model.GoField{{Name: "A", Type: model.Basic("int"), Tag: text}}}}},
		},
		Declare: []model.Struct{{Doc: "DoArgs holds " + text, Type: args}},
	}
	link := &model.Tool{
		Name: "link", Binding: model.Binding{File: text, Line: 2, LineName: "linkLine", Previous: do}, Link: text, Description: text, InputName: "linkInput", OutputName: "linkOutput", Definition: "linkDefinition", Constructor: "LinkTool", Run: "runLink", Invoke: "invokeLink",
		Args: &model.Type{Kind: model.StructKind}, Result: &model.Type{Kind: model.String, Go: model.Basic("string")},
	}
	return &model.Package{
		Path: "example.com/p", Name: "p", Source: text,
		Imports: []model.Import{{Path: model.ToolPath, Name: "tool"}},
		Prompts: &model.Prompts{Base: text, System: text + text, Rules: []string{text, text}, Query: []model.Segment{{Text: text}, {Query: true}, {Text: text}}},
		Files:   []model.File{{Name: "p.aion.go", Source: text, Tools: []*model.Tool{do, link}, Enums: []*model.Type{field.Type}, Matches: []*model.Type{field.Type}}},
	}
}

// declared lists the declarations of the hostile package. Text must not add any.
var declared = map[string]string{
	"p.aion.go":        "import DoArgs doInput doOutput doLine doDefinition DoTool runDo invokeDo decodeDoArgs linkInput linkOutput linkLine linkDefinition LinkTool runLink invokeLink colorValues colorPattern _",
	model.RegisterFile: "import _ Register Tools SystemPrompt SystemPromptWithoutRules Rules WrapQuery",
}

func checkShape(t *testing.T, file File) {
	t.Helper()
	for i, r := range string(file.Content) {
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' {
			t.Errorf("%s holds %U at %d, which nobody sees", file.Name, r, i)
		}
	}
	if formatted, err := format.Source(file.Content); err != nil || !bytes.Equal(formatted, file.Content) {
		t.Errorf("gofmt makes (%v)\n%s\nof\n%s", err, formatted, file.Content)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file.Name, file.Content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%v in\n%s", err, file.Content)
	}
	for _, group := range parsed.Comments {
		for _, c := range group.List {
			if !strings.HasPrefix(c.Text, "// ") || strings.HasPrefix(c.Text, "// +build") {
				t.Errorf("comment %q could be a directive", c.Text)
			}
		}
	}
	if !ast.IsGenerated(parsed) {
		t.Errorf("%s is not marked as generated", file.Name)
	}
	if got := strings.Join(names(parsed), " "); got != declared[file.Name] {
		t.Errorf("%s declares %s, want %s", file.Name, got, declared[file.Name])
	}
}

func names(file *ast.File) []string {
	var names []string
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			names = append(names, decl.Name.Name)
		case *ast.GenDecl:
			if decl.Tok == token.IMPORT {
				names = append(names, "import")
			}
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name.Name)
				case *ast.ValueSpec:
					names = append(names, spec.Names[0].Name)
				}
			}
		}
	}
	return names
}
