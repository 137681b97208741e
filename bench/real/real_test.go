package main

import (
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// TestAble checks that tools that could be offered without a scope are distinguished from others.
func TestAble(t *testing.T) {
	const file = `{"type":"object","properties":{"ref":{"type":"string"}}}`
	for _, test := range []struct {
		what, tool string
		want       bool
	}{
		{"no result", `{"output":{"type":"null"}}`, true},
		{"text", `{"output":{"type":"string"}}`, true},
		{"any value", `{"output":{}}`, true},
		{"the scope itself", `{"output":{"type":"string"},"variables":{"scope":true}}`, false},
		{"an argument by reference", `{"output":{"type":"string"},"arguments":[{"name":"a/b","required":true}],"variables":{"arguments":{"/a~1b":"io.Reader"}}}`, false},
		{"one that can be left out", `{"output":{"type":"string"},"arguments":[{"name":"r"}],"variables":{"arguments":{"/r":"io.Reader"}}}`, true},
		{"a reference", `{"output":` + file + `,"variables":{"result":{"":"*os.File"}}}`, false},
		{"a reference or null", `{"output":{"anyOf":[` + file + `,{"type":"null"}]},"variables":{"result":{"":"*os.File"}}}`, false},
		{"text and a reference", `{"output":{"type":"object","properties":{"f":` + file + `,"name":{"type":"string"}}},"variables":{"result":{"/f":"*os.File"}}}`, true},
		{"references alone", `{"output":{"type":"object","properties":{"f":{"type":"array","items":` + file + `}}},"variables":{"result":{"/f/*":"*os.File"}}}`, false},
		{"a map of references", `{"output":{"type":"object","additionalProperties":` + file + `},"variables":{"result":{"/*":"*os.File"}}}`, false},
		{"a map", `{"output":{"type":"object","additionalProperties":{"type":"integer"}}}`, true},
		{"an object without members", `{"output":{"type":"object","properties":{},"additionalProperties":false}}`, false},
		{"an object that is null", `{"output":{"anyOf":[{"type":"object","properties":{}},{"type":"null"}]}}`, false},
		{"a list of itself", `{"output":{"$ref":"#/$defs/T","$defs":{"T":{"type":"array","items":{"$ref":"#/$defs/T"}}}}}`, false},
		{"a definition", `{"output":{"$ref":"#/$defs/T","$defs":{"T":{"type":"string"}}}}`, true},
	} {
		var tool listedTool
		if err := json.Unmarshal([]byte(test.tool), &tool); err != nil {
			t.Fatal(err)
		}
		if got := tool.isOfferable(); got != test.want {
			t.Errorf("%s: %v", test.what, got)
		}
	}
}

// TestPick checks that the same functions are picked each time, those with a context first, or those that
// match patterns.
func TestPick(t *testing.T) {
	plain, withContext := newFunction(t, "func F()"), newFunction(t, "import \"context\"\nfunc F(ctx context.Context)")
	var all []function
	for a := range 26 {
		for b := range 26 {
			all = append(all, function{string(rune('A'+a)) + "." + string(rune('a'+b)), plain})
		}
	}
	picked := functionNames(pickFunctions(all, nil))
	if len(picked) != sampleSize || !slices.IsSorted(picked) {
		t.Errorf("it picks %d: %v", len(picked), picked)
	}
	rest := slices.DeleteFunc(slices.Clone(all), func(f function) bool { return !slices.Contains(picked, f.name) && hashName(f.name)%2 == 0 })
	if again := functionNames(pickFunctions(rest, nil)); !slices.Equal(again, picked) {
		t.Errorf("of fewer functions it picks others: %v", again)
	}
	if few := pickFunctions(all[:maxTried], nil); len(few) != maxTried {
		t.Errorf("of %d functions it picks %d", maxTried, len(few))
	}
	for i := range 10 {
		all[i].Func = withContext
		if picked := functionNames(pickFunctions(all, nil)); !slices.Contains(picked, all[i].name) {
			t.Errorf("it does not pick %s", all[i].name)
		}
	}
	if matching := functionNames(pickFunctions(all, []string{"B.*", "*.z", "C"})); len(matching) != 26+25 || matching[0] != "A.z" {
		t.Errorf("patterns pick %d: %v", len(matching), matching)
	}
}

// newFunction returns the last function of the source text of a package.
func newFunction(t *testing.T, source string) (last *types.Func) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", "package p\n"+source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: importer.ForCompiler(fset, "source", nil)}).Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg.Scope().Lookup("F").(*types.Func)
}

// TestChoose parses the list of packages.
func TestChoose(t *testing.T) {
	all, err := chooseSubjects(nil)
	if err != nil || len(all) < 20 {
		t.Errorf("there are %d packages: %v", len(all), err)
	}
	if two, err := chooseSubjects([]string{"cron", "strings"}); err != nil || len(two) != 2 || two[1].module != "std" {
		t.Errorf("cron and strings are %v: %v", two, err)
	}
	if _, err := chooseSubjects([]string{"corn"}); err == nil {
		t.Error("there is a package corn")
	}
}

// TestReport checks that missing packages and failures are reported prominently.
func TestReport(t *testing.T) {
	good := &outcome{subject: subject{name: "good"}, Listed: 6, Bound: 4, Tried: 3, Tools: 2, Offered: []string{"A"}, Fitting: 2, Needless: []string{"B: io.Reader"},
		Lost: []string{"A: a any"}, Silent: []string{"B: b any"},
		Refusals: []refusal{{"F", "unfit-function", "no"}, {"G", "generic-function", "G is generic"}}}
	bad := &outcome{subject: subject{name: "bad"}, Failures: []failure{{"vet", "copies a lock\n"}}}
	gone := &outcome{subject: subject{name: "gone", module: "example.com/gone", version: "v1.0.0"}, Missing: "no"}
	for _, test := range []struct {
		outcomes []*outcome
		ok       bool
		want     []string
	}{
		{[]*outcome{good}, true, []string{"| good | 6 | 4 | 1 | 1 | 3 | 2 | 1 | 2 | 1 | 2 | 1 |", "Offered of the tools: 1 of 2 (50.0 %)", "good: F: no [unfit-function]", "good: B: io.Reader", "good: A: a any", "good: B: b any"}},
		{[]*outcome{good, bad}, false, []string{"| vet |", "in 1 of 2 packages", "bad: vet: copies a lock"}},
		{[]*outcome{good, gone}, false, []string{"**could not be had**", "gone: example.com/gone v1.0.0"}},
	} {
		var out strings.Builder
		if ok := printReport(&out, test.outcomes); ok != test.ok {
			t.Errorf("all is well: %v\n%s", ok, &out)
		}
		for _, want := range test.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("it lacks %q:\n%s", want, &out)
			}
		}
	}
}

// TestReferences checks that each function in references.txt is one that a pattern chooses.
func TestReferences(t *testing.T) {
	listed, err := readReferences()
	if err != nil || len(listed) == 0 {
		t.Fatalf("it lists %d functions: %v", len(listed), err)
	}
	all, err := chooseSubjects([]string{"patterns"})
	if err != nil {
		t.Fatal(err)
	}
	for function := range listed {
		name, method, _ := strings.Cut(function, ".")
		if !slices.ContainsFunc(all, func(s subject) bool { return s.name == name && matchesAny(s.patterns, method) }) {
			t.Errorf("no pattern chooses %s", function)
		}
	}
}

// TestLosses compares functions with the schemas of tools.
func TestLosses(t *testing.T) {
	for _, test := range []struct {
		what, source, schema string
		want                 []string
	}{
		{"all are there", "func F(id string, limit int)", `"id":{},"limit":{}`, nil},
		{"a parameter is missing", "func F(id string, filter any)", `"id":{}`, []string{"filter"}},
		{"a name differs in its spelling", "func F(userID string)", `"user_id":{}`, nil},
		{"a context and functions are no arguments", "import \"context\"\nfunc F(ctx context.Context, done func(), c chan int)", ``, nil},
		{"functional options", "type Option interface{ apply() }\ntype o struct{}\nfunc (o) apply() {}\nfunc WithTable() Option { return o{} }\nfunc F(opts ...Option)", ``, nil},
		{"an interface with values", "type Node interface{ node() }\ntype Leaf struct{}\nfunc (Leaf) node() {}\nfunc F(nodes ...Node)", ``, []string{"nodes"}},
		{"an interface without values", "type Node interface{ node() }\nfunc F(nodes ...Node)", ``, nil},
		{"fields of a struct with its own JSON", "type In struct { Key, Value string }\nfunc (In) MarshalJSON() ([]byte, error) { return nil, nil }\nfunc F(in In)", `"key":{}`, []string{"Value"}},
		{"a struct with its own JSON", "type In struct { Key string }\nfunc (In) MarshalJSON() ([]byte, error) { return nil, nil }\nfunc F(in In)", ``, []string{"in"}},
		{"a field is missing", "type In struct { Key any; Table string }\nfunc F(in *In)", `"Table":{}`, []string{"Key"}},
		{"a field of an argument is missing", "type In struct { Key any `json:\"k\"`; Table string }\nfunc F(in In)", `"in":{"type":"object","properties":{"Table":{}}}`, []string{"in.k"}},
		{"a struct without fields", "type In struct{}\nfunc F(in *In)", ``, nil},
		{"an argument is not described", "type In struct { Key any }\nfunc F(in In)", `"in":{}`, nil},
		{"a field that is not sent", "type In struct { Key any `json:\"-\"` }\nfunc F(in In)", `"in":{"type":"object","properties":{}}`, nil},
		{"a field of a query", "type In struct { Key string `query:\"key\" json:\"-\"` }\nfunc F(in In)", `"in":{"type":"object","properties":{}}`, []string{"in.key"}},
		{"a oneof", "type isIn interface{ isIn() }\ntype InName struct{ Name string }\nfunc (*InName) isIn() {}\ntype In struct { Size isIn `protobuf_oneof:\"size\"` }\nfunc F(in *In)",
			`"in":{"type":"object","properties":{}}`, []string{"in.Name"}},
		{"a definition that may be null", "type In struct { Key any }\nfunc F(in *In)", `"in":{"anyOf":[{"$ref":"#/$defs/In"},{"type":"null"}]}},"$defs":{"In":{"type":"object","properties":{"other":{}}}`, []string{"in.Key"}},
	} {
		f := newFunction(t, test.source)
		var c comparison
		if err := json.Unmarshal([]byte(`{"properties":{`+test.schema+`}}`), &c.root); err != nil {
			t.Fatal(err)
		}
		c.properties = map[string]any{}
		c.readSchema(listedTool{})
		var got []string
		for _, lost := range c.compareParams(f.Signature()) {
			got = append(got, lost.name)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: it loses %q", test.what, got)
		}
	}
}

// TestMentions finds the names of lost arguments in warnings.
func TestMentions(t *testing.T) {
	const warning = "the arguments lose what JSON cannot carry: in.UpdateKey (types.Value) and body (io.Reader)"
	for name, want := range map[string]bool{"update_key": true, "in.UpdateKey": true, "body": true, "Key": false} {
		if got := mentionsName(warning, name); got != want {
			t.Errorf("it mentions %s: %v", name, got)
		}
	}
}

// TestCountedLosses checks that a warning that counts arguments reports as many of them.
func TestCountedLosses(t *testing.T) {
	const text = `x (TODO: only= leaves out query, sort and 1 more of 9 members: choose what the tool needs)`
	var o outcome
	var all []lostArgument
	for _, name := range []string{"in.query", "in.sort", "in.knn", "in.rank"} {
		all = append(all, lostArgument{name, types.Typ[types.String]})
	}
	o.addLosses("F", all, lossTODO.FindString(text), nil)
	if want := []string{"F: in.query string", "F: in.sort string", "F: in.knn string"}; !slices.Equal(o.Lost, want) {
		t.Errorf("it reports %q", o.Lost)
	}
	if want := []string{"F: in.rank string"}; !slices.Equal(o.Silent, want) {
		t.Errorf("it does not report %q", o.Silent)
	}
}

// TestDeclaredName names methods that a draft names by their path from a client.
func TestDeclaredName(t *testing.T) {
	f := newFunction(t, "type Client struct { Chat Chat; Files *Files; N int }\ntype Chat struct { Files Files }\ntype Files struct{}\nfunc (Client) Service() *Files { return nil }\nfunc F()")
	o := &outcome{tried: []function{{"F", f}}}
	for path, want := range map[string]string{
		"Client.Chat.Files.New": "Files.New", "Client.Files.New": "Files.New", "Client.Service.New": "Files.New", "Files.New": "Files.New", "F": "F",
		"Client.Other.New": "Client.Other.New", "Other.Files.New": "Other.Files.New", "Client.N.New": "Client.N.New",
	} {
		if got := o.declaredName(path); got != want {
			t.Errorf("%s is %s", path, got)
		}
	}
}

// TestDraftElement finds the names and functions of tools in a draft, also long ones.
func TestDraftElement(t *testing.T) {
	const draft = "[\n  {\n    name --> \"a\",\n    function --> \"example.com/p.T.A\" --> {}\n  },\n  {\n    name --> \"b\",\n    function --> \"\"\"\n      example.com/p.T.B\n    \"\"\" --> {}\n  }\n]\n"
	var got []string
	for _, found := range draftElement.FindAllStringSubmatch(draft, -1) {
		got = append(got, found[1], found[2])
	}
	if want := []string{"a", "example.com/p.T.A", "b", "example.com/p.T.B"}; !slices.Equal(got, want) {
		t.Errorf("it finds %q", got)
	}
}
