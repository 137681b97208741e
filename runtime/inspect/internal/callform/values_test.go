package callform_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/inspect/internal/callform"
)

func Example() {
	form := callform.New(json.RawMessage(`{
		"type": "object",
		"properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
		"required": ["city"]
	}`), "")
	for _, in := range form.Inputs(nil, nil) {
		fmt.Println(in.Name, in.Kind)
	}
	arguments, _ := form.Arguments(url.Values{"value/city": {"Oslo"}, "value/days": {"3"}})
	fmt.Println(string(arguments))
	// Output:
	// value/city text
	// value/days number
	// {"city":"Oslo","days":3}
}

// TestNames fills in fields whose names browsers would change, and expects the values in members of their own.
func TestNames(t *testing.T) {
	f := callform.New(json.RawMessage(`{"type":"object","properties":{"a\u0000":{"type":"string"},"a\r":{"type":"string"},"a\n":{"type":"string"},"a%0A":{"type":"string"},"":{"type":"string"},"__proto__":{"type":["string","null"]}}}`), "")
	values := url.Values{}
	for i, in := range f.Inputs(nil, nil) {
		if strings.ContainsAny(in.Name+in.ModeName, "\x00\r\n") || values.Has(in.Name) {
			t.Errorf("the name of %q is %q", in.Label, in.Name)
		}
		values.Set(in.Name, strconv.Itoa(i))
	}
	if got, _ := f.Arguments(values); string(got) != `{"a\u0000":"0","a\r":"1","a\n":"2","a%0A":"3","":"4","__proto__":"5"}` {
		t.Errorf("got %s", got)
	}
}

const everything = `{"type":"object","properties":{
	"name":{"type":"string"}, "nick":{"type":["string","null"]}, "note":{"anyOf":[{"type":"string"},{"type":"null"}]},
	"age":{"type":"integer"}, "weight":{"type":["number","null"]}, "ok":{"type":"boolean"}, "maybe":{"type":["boolean","null"]},
	"color":{"enum":["red","true",1,null]}, "tags":{"type":"array","items":{"type":"string"}}, "sizes":{"type":["array","null"],"items":{"type":"number"}},
	"filter":{"$ref":"#/$defs/filter"}, "always":{"$ref":"#/$defs/filter"}, "tree":{"$ref":"#/$defs/tree"},
	"map":{"type":"object","additionalProperties":{"type":"integer"}}, "either":{"anyOf":[{"type":"string"},{"type":"integer"}]}
},"required":["name","always"],"$defs":{
	"filter":{"type":"object","properties":{"from":{"type":"string"},"to":{"type":"string"}},"required":["from"],"additionalProperties":false},
	"tree":{"type":"object","properties":{"value":{"type":"integer"},"left":{"$ref":"#/$defs/tree"}}}
}}`

func TestArguments(t *testing.T) {
	const always = `"always":{"from":""}`
	for _, tt := range []struct{ form, want string }{
		{"", `{"name":"",` + always + `}`},
		{"value/name=a%0D%0Ab", `{"name":"a\nb",` + always + `}`},
		{"mode/nick=empty", `{"name":"","nick":"",` + always + `}`},
		{"mode/nick=null&value/nick=x", `{"name":"","nick":null,` + always + `}`},
		{"value/age=007&value/weight=1e400", `{"name":"","age":"007","weight":1e400,` + always + `}`},
		{"value/ok=true&value/maybe=null", `{"name":"","ok":true,"maybe":null,` + always + `}`},
		{"value/ok=yes", `{"name":"","ok":"yes",` + always + `}`},
		{`value/color="true"`, `{"name":"","color":"true",` + always + `}`},
		{"value/color=1", `{"name":"","color":1,` + always + `}`},
		{"value/tags=a%0D%0A%0D%0Ab%0D%0A&value/sizes=1%0A2.50%0Ax", `{"name":"","tags":["a","","b"],"sizes":[1,2.50,"x"],` + always + `}`},
		{"mode/tags=empty&mode/sizes=null", `{"name":"","tags":[],"sizes":null,` + always + `}`},
		{`mode/tags=json&value/tags=["a%5Cn"]`, `{"name":"","tags":["a\n"],` + always + `}`},
		{"value/filter/to=2026", `{"name":"","filter":{"from":"","to":"2026"},` + always + `}`},
		{"mode/filter=empty", `{"name":"","filter":{"from":""},` + always + `}`},
		{"value/tree/value=1", `{"name":"",` + always + `,"tree":{"value":1}}`},
		{`value/tree/left={"value":2}`, `{"name":"",` + always + `,"tree":{"left":{"value":2}}}`},
		{`value/map={"a": 1}&value/either=7`, `{"name":"",` + always + `,"map":{"a":1},"either":7}`},
		{"value/unknown=1&value=2", `{"name":"",` + always + `}`},
	} {
		values, err := url.ParseQuery(tt.form)
		if err != nil {
			t.Fatal(err)
		}
		got, faults := callform.New(json.RawMessage(everything), "").Arguments(values)
		if string(got) != tt.want || faults != nil {
			t.Errorf("%s:\n got %s %v\nwant %s", tt.form, got, faults, tt.want)
		}
	}
}

// TestWrongValues checks that values which the schema does not allow can be edited as fields, or else as JSON.
func TestWrongValues(t *testing.T) {
	form := callform.New(json.RawMessage(everything), "")
	for arguments, want := range map[string]bool{
		`{"name":"","always":{"from":""},"age":"many"}`: true, `{"name":"","always":{"from":""},"age":"7"}`: false, `{"name":"","always":{"from":""},"age":[7]}`: false,
		`{"name":"","always":{"from":""},"age":""}`: false, `{"name":"","always":{"from":""},"age":true}`: false, `{"name":"","always":{"from":""},"age":"a\nb"}`: false,
		`{"name":7,"always":{"from":""}}`: false, `{"name":"","always":{}}`: false, `{"name":""}`: false, `{"name":"a\rb","always":{"from":""}}`: false,
		`{"name":"","always":{"from":""},"ok":"x"}`: false, `{"name":"","always":{"from":""},"unknown":1}`: false, `{"name":"","name":"","always":{"from":""}}`: false,
		`{"name":"","always":{"from":""},"tags":[1]}`: true, `{"name":"","always":{"from":""},"tags":{}}`: false, `[]`: false, `{`: false, `null`: false,
	} {
		values, ok := form.Values(json.RawMessage(arguments))
		if ok != want {
			t.Errorf("%s: the form is %v, %v", arguments, values, ok)
		}
		if got, _ := form.Arguments(values); ok && !sameJSON(t, string(got), arguments) {
			t.Errorf("%s became %s", arguments, got)
		}
	}
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	x, err := jsontext.Parse(a, jsontext.Depth)
	if err != nil {
		t.Fatal(err)
	}
	y, err := jsontext.Parse(b, jsontext.Depth)
	if err != nil {
		t.Fatal(err)
	}
	return string(x.AppendCanonical(nil)) == string(y.AppendCanonical(nil))
}

func TestFaults(t *testing.T) {
	form := callform.New(json.RawMessage(everything), "a.")
	values := url.Values{"a.value/map": {"{a:1}"}, "a.value/name": {"x"}}
	_, faults := form.Arguments(values)
	if len(faults) != 1 || faults[0].Pointer != "/map" || !strings.Contains(faults[0].Message, "not JSON") {
		t.Fatalf("faults: %v", faults)
	}
	for _, in := range form.Inputs(values, faults) {
		if (in.Fault != "") != (in.Label == "map") || in.Label == "name" && in.Value != "x" {
			t.Errorf("input %+v", in)
		}
	}
}

// TestJSONOnly checks that schemas without a form are recognized, and the limits.
func TestJSONOnly(t *testing.T) {
	var members, level strings.Builder
	for i := range 300 {
		fmt.Fprintf(&members, `%s"m%d":{"type":"string"}`, strings.Repeat(",", min(i, 1)), i)
	}
	level.WriteString(strings.Repeat(`{"type":"object","properties":{"x":`, 20) + `{"type":"string"}` + strings.Repeat("}}", 20))
	for schema, want := range map[string]bool{
		"": false, `{"type":"object","additionalProperties":false}`: false, level.String(): false, everything: false,
		`{"type":"object"}`: true, `{"type":"string"}`: true, `{"$ref":"#"}`: true, "{": true, "true": true, "false": true,
		`{"anyOf":[{"type":"object","properties":{"a":{}}},{"type":"object","properties":{"b":{}}}]}`: true,
		`{"type":"object","properties":{` + members.String() + `}}`:                                   true,
		`{"type":"object","properties":{"a":{}},"additionalProperties":{"type":"string"}}`:            true,
	} {
		form := callform.New(json.RawMessage(schema), "")
		if form.JSONOnly != want {
			t.Errorf("%.80s: JSONOnly is %v", schema, form.JSONOnly)
		}
		if got, _ := form.Arguments(nil); want && string(got) != "{}" {
			t.Errorf("%.80s: the form means %s", schema, got)
		}
	}
}

// TestRoundTrip checks for random arguments of all tools in the repository: if they have a form, it means the same
// arguments. Most arguments have a form.
func TestRoundTrip(t *testing.T) {
	schemas := readSchemas(t)
	schemas["everything"] = everything
	random := rand.New(rand.NewPCG(1, 2))
	rounds, forms := 0, 0
	for name, text := range schemas {
		schema, err := jsonschema.Parse([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		form := callform.New(json.RawMessage(text), "")
		for range 30 {
			g := generator{random: random, left: 200}
			b := g.appendValue(nil, schema, 0)
			n, err := jsontext.Parse(string(b), jsontext.Depth)
			if err != nil {
				t.Fatalf("%s: %v: %s", name, err, b)
			}
			if len(schema.Check(n, len(b))) > 0 || form.JSONOnly {
				continue
			}
			rounds++
			values, ok := form.Values(b)
			if !ok {
				continue
			}
			forms++
			for key, value := range values { // as a browser does
				values[key] = []string{strings.ReplaceAll(value[0], "\n", "\r\n")}
			}
			got, faults := form.Arguments(values)
			back, err := jsontext.Parse(string(got), jsontext.Depth)
			if err != nil || faults != nil || string(back.AppendCanonical(nil)) != string(n.AppendCanonical(nil)) {
				t.Fatalf("%s:\n%s\nbecame %s, by %v %v", name, b, got, values, faults)
			}
		}
	}
	if len(schemas) < 500 || rounds < 5000 || forms < rounds*8/10 {
		t.Errorf("%d schemas, %d arguments, %d forms: too few", len(schemas), rounds, forms)
	}
}

// readSchemas returns the input schemas in generated files.
func readSchemas(t *testing.T) map[string]string {
	schemas := map[string]string{}
	for _, pattern := range []string{"testdata/golden/*/*.aion.go", "example/gen/*.aion.go", "example/github/*.aion.go"} {
		paths, err := filepath.Glob("../../../../" + pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: no files: %v", pattern, err)
		}
		for _, path := range paths {
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if spec, ok := n.(*ast.ValueSpec); ok && strings.HasSuffix(spec.Names[0].Name, "Input") && len(spec.Values) == 1 {
					if text, ok := spec.Values[0].(*ast.BasicLit); ok && text.Kind == token.STRING {
						schemas[path+":"+spec.Names[0].Name], _ = strconv.Unquote(text.Value)
					}
				}
				return true
			})
		}
	}
	return schemas
}

// generator makes values that fit a schema in most cases.
type generator struct {
	random *rand.Rand
	left   int
}

var strangeTexts = []string{"", "a", "a b", "line\nbreak", "\n", "\nx", "x\n", "null", "1", `"`, "é<b>&", "2026-01-02", " x "}

func (g *generator) appendValue(b []byte, s *jsonschema.Schema, depth int) []byte {
	g.left--
	for s.Ref != nil {
		s = s.Ref
	}
	forms := slices.Concat(s.AnyOf, s.OneOf, s.AllOf)
	switch {
	case s.Values != nil:
		return s.Values.List[g.random.IntN(len(s.Values.List))].Append(b)
	case len(forms) > 0 && s.Types == 0:
		return g.appendValue(b, forms[g.random.IntN(len(forms))], depth)
	}
	var kinds []jsontext.Kind
	for kind := range jsonschema.Integer + 1 {
		if s.Types.Has(kind) {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) == 0 {
		kinds = []jsontext.Kind{jsontext.String}
	}
	switch kinds[g.random.IntN(len(kinds))] {
	case jsontext.Null:
		return append(b, "null"...)
	case jsontext.Bool:
		return strconv.AppendBool(b, g.random.IntN(2) == 0)
	case jsontext.String:
		return jsontext.AppendQuoted(b, strangeTexts[g.random.IntN(len(strangeTexts))])
	case jsontext.Array:
		return g.appendArray(b, s, depth)
	case jsontext.Object:
		return g.appendObject(b, s, depth)
	}
	return append(b, []string{"0", "1", "12", "-3", "1e2", "1.0"}[g.random.IntN(6)]...)
}

func (g *generator) appendArray(b []byte, s *jsonschema.Schema, depth int) []byte {
	b = append(b, '[')
	for i := range g.random.IntN(4) {
		if s.Items == nil || g.left < 0 || depth > 6 {
			break
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = g.appendValue(b, s.Items, depth+1)
	}
	return append(b, ']')
}

func (g *generator) appendObject(b []byte, s *jsonschema.Schema, depth int) []byte {
	b = append(b, '{')
	for _, p := range s.Properties {
		if !slices.Contains(s.Required, p.Name) && (g.random.IntN(2) == 0 || g.left < 0 || depth > 6) {
			continue
		}
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(jsontext.AppendQuoted(b, p.Name), ':')
		b = g.appendValue(b, p.Schema, depth+1)
	}
	return append(b, '}')
}

// FuzzArguments checks that a form of any schema means JSON, whatever is sent, and that a form of these
// arguments means the same.
func FuzzArguments(f *testing.F) {
	f.Add(everything, "value/name=a&mode/tags=json&value/tags=[1]")
	f.Add(`{"type":"object","properties":{"a":{"type":"array","items":{"type":"integer"}}}}`, "value/a=1%0Ax")
	f.Fuzz(func(t *testing.T, schema, query string) {
		values, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		form := callform.New(json.RawMessage(schema), "")
		form.Inputs(values, nil)
		got, _ := form.Arguments(values)
		n, err := jsontext.Parse(string(got), 1000)
		if err != nil || !n.Is(jsontext.Object) {
			t.Fatalf("%s: %v", got, err)
		}
		if values, ok := form.Values(got); ok {
			again, _ := form.Arguments(values)
			back, err := jsontext.Parse(string(again), 1000)
			if err != nil || string(back.AppendCanonical(nil)) != string(n.AppendCanonical(nil)) {
				t.Fatalf("%s became %s", got, again)
			}
		}
	})
}
