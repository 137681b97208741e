package toolpage

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "rewrite the expected pages in testdata")

// compareGolden compares a page with a file in testdata.
func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the page differs from %s; run go test -update and read the diff", file)
	}
}

var order = Tool{
	Name:        "place_order",
	Title:       "Place an order",
	Description: "Orders articles for a customer.\n\nAsk before you order.",
	Link:        "https://example.com/orders",
	Package:     "example.com/shop",
	Note:        "shop.aion:3",
	Function:    "shop.go:17",
	Tokens:      120,
	Input: json.RawMessage(`{"type":"object","required":["customer","lines"],"properties":{
		"customer":{"type":"integer","description":"number of the customer","minimum":1},
		"lines":{"type":"array","minItems":1,"items":{"$ref":"#/$defs/Line"}},
		"speed":{"enum":["normal","fast"],"type":"string","default":"normal"},
		"pay":{"anyOf":[{"title":"card","type":"object","properties":{"number":{"type":"string"}},"required":["number"]},{"type":"object","properties":{"iban":{"type":"string","pattern":"^[A-Z]{2}"}}},{"type":"null"}]},
		"labels":{"type":"object","additionalProperties":{"type":"string"}}},
		"$defs":{"Line":{"type":"object","description":"one article","required":["article"],"properties":{"article":{"type":"string"},"bundle":{"type":"array","items":{"$ref":"#/$defs/Line"}}}}}}`),
	Output:      json.RawMessage(`{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"at":{"type":"string","format":"date-time"}}}}`),
	Example:     json.RawMessage(`{"customer":7,"lines":[{"article":"tea"}]}`),
	Variables:   []Variable{{Path: "/session", Type: "*shop.Session"}},
	Annotations: Annotations{Idempotent: true, ClosedWorld: true},
	Forms: []Form{
		{Target: "ollama", Definition: json.RawMessage(`{"type":"function"}`), Tokens: 5},
		{Target: "openai", Definition: json.RawMessage(`{"type":"function"}`), Tokens: 5},
		{Target: "mcp", Failure: "it needs a scope"},
	},
	Findings: []Finding{{Severity: "warning", Code: "target-drops", Message: "openai drops the format", Help: "mention it in the description", Place: "shop.aion:5"}},
	Linted:   true,
}

func TestToolPage(t *testing.T) {
	body, err := ToolBody(order)
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	err = WritePage(&page, Page{
		Title: order.Name, Site: "Tools of example.com/shop", Home: "index.html", Style: "style.css", Body: body,
		Nav: []Link{{Text: "Tools", URL: "index.html", Current: true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	compareGolden(t, "tool.html", page.String())
}

func TestListPage(t *testing.T) {
	plain := Tool{Name: "ping", Package: "example.com/status", Annotations: Annotations{ReadOnly: true}, Input: json.RawMessage(`{"type":"object"}`)}
	list := List{Title: "Tools", Intro: "Tools of example.com.", Tools: []ListedTool{{order, "tool-place_order.html"}, {plain, "tool-ping.html"}}, Findings: order.Findings}
	body, err := ListBody(list)
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	err = WritePage(&page, Page{Title: "Tools", Site: "Tools", Home: "index.html", Style: "style.css", Scripts: []string{"search.js"}, Body: body})
	if err != nil {
		t.Fatal(err)
	}
	compareGolden(t, "list.html", page.String())
}

func TestMatches(t *testing.T) {
	for query, want := range map[string]bool{
		"": true, "ORDER": true, "customer articles": true, "speed?": true, "order zebra": false, "example.com/shop": true,
	} {
		if got := (ListedTool{Tool: order}).Matches(query); got != want {
			t.Errorf("Matches(%q) = %v", query, got)
		}
	}
}

// TestHostileText checks that texts from outside stay texts wherever they are shown: they add no
// elements, no attributes and no links with other schemes, and characters without a shape or
// that change the direction of text do not reach the page.
func TestHostileText(t *testing.T) {
	long := strings.Repeat("w", 10_000)
	for _, text := range []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`, `</pre></details><h1>`,
		"javascript:alert(1)", "{{.Name}}", "<!-- ", "]]>", "&lt;b&gt;", "\x00\x1b[31m\x7f", "a\u202eb\u2066c\u200bd\ufeff", "bad \xff utf-8", long,
	} {
		plain, hostile := renderBoth(t, newHostileTool("x")), renderBoth(t, newHostileTool(text))
		if want, got := listTags(plain), listTags(hostile); got != want {
			t.Errorf("%.40q changes the elements of the page:\n%s\nwant\n%s", text, got, want)
		}
		if strings.ContainsAny(hostile, "\u202e\u2066\u200b\ufeff\x1b\x7f\x00") {
			t.Errorf("%.40q: invisible characters reach the page", text)
		}
		if strings.Contains(hostile, `href="javascript:`) {
			t.Errorf("%.40q becomes a link", text)
		}
		if !utf8.ValidString(hostile) {
			t.Errorf("%.40q: the page is not UTF-8", text)
		}
	}
}

// TestDeepJSON shows JSON that is not indented, in a form that means the same.
func TestDeepJSON(t *testing.T) {
	deep := strings.Repeat("[", maxIndent+1) + "\r\n\"a\u202e\u200b\U000e0001b\"\t" + strings.Repeat("]", maxIndent+1)
	shown := showJSON(json.RawMessage(deep))
	var got, want any
	if err := errors.Join(json.Unmarshal([]byte(shown), &got), json.Unmarshal([]byte(deep), &want)); err != nil || !reflect.DeepEqual(got, want) || !utf8.ValidString(shown) {
		t.Errorf("it is shown as %q: %v", shown, err)
	}
	if strings.ContainsAny(shown, "\u202e\u200b\r") {
		t.Errorf("invisible characters in %q", shown)
	}
}

// newHostileTool returns a tool with the same text in every place.
func newHostileTool(text string) Tool {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	input := `{"type":"object","properties":{` + string(quoted) + `:{"type":"string","description":` + string(quoted) + `,"enum":[` + string(quoted) +
		`],"pattern":` + string(quoted) + `,"default":` + string(quoted) + `},"u":{"anyOf":[{"title":` + string(quoted) + `,"properties":{}},{"properties":{}}]}}}`
	return Tool{
		Name: text, Title: text, Description: text, Link: text, Package: text, Note: text, Function: text, Tokens: 1,
		Input: json.RawMessage(input), Output: json.RawMessage(input), Example: json.RawMessage(quoted),
		Variables: []Variable{{Path: text, Type: text}},
		Forms:     []Form{{Target: text, Definition: json.RawMessage(quoted)}, {Target: text, Failure: text}},
		Findings:  []Finding{{Severity: text, Code: text, Message: text, Help: text, Place: text}},
		Linted:    true,
	}
}

// renderBoth renders the page of a tool and a list with it.
func renderBoth(t *testing.T, tool Tool) string {
	t.Helper()
	one, err := ToolBody(tool)
	if err != nil {
		t.Fatal(err)
	}
	list, err := ListBody(List{Title: tool.Name, Intro: tool.Name, Query: tool.Name, Tools: []ListedTool{{tool, "tool.html"}}, Findings: tool.Findings})
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	if err := WritePage(&page, Page{Title: tool.Name, Site: tool.Name, Home: "index.html", Style: "style.css", Body: one + list}); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

// attribute is one attribute of a tag, whose value is in double quotes as in all templates.
var attribute = regexp.MustCompile(`([a-z-]+)="[^"]*"`)

// listTags lists the tags of a page with the names of their attributes.
func listTags(page string) string {
	var tags []string
	for tag := range strings.SplitSeq(page, "<") {
		tag, _, _ = strings.Cut(attribute.ReplaceAllString(tag, "$1"), ">")
		tags = append(tags, tag)
	}
	return strings.Join(tags[1:], "\n")
}

// TestLargeSchemas checks that tables of deep, wide and recursive schemas are cut.
func TestLargeSchemas(t *testing.T) {
	wide := `{"type":"object","properties":{"p0":{}`
	for i := range 2 * maxRows {
		wide += `,"q` + strconv.Itoa(i) + `":{"type":"string"}`
	}
	for name, text := range map[string]string{
		"wide":      wide + `}}`,
		"recursive": `{"$defs":{"a":{"properties":{"x":{"$ref":"#/$defs/a"},"y":{"items":{"$ref":"#/$defs/a"}}}}},"$ref":"#/$defs/a"}`,
		"cycle":     `{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}`,
		"bush":      `{"$defs":{"a":{"properties":{"l":{"$ref":"#/$defs/b"},"r":{"$ref":"#/$defs/b"}}},"b":{"properties":{"l":{"$ref":"#/$defs/c"},"r":{"$ref":"#/$defs/c"}}},"c":{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"},{"$ref":"#/$defs/c"}]}},"$ref":"#/$defs/a"}`,
		"branches":  `{"$defs":{"a":{"allOf":[` + strings.Repeat(`{"$ref":"#/$defs/b"},`, 99) + `{}]},"b":{"anyOf":[` + strings.Repeat(`{"allOf":[{"$ref":"#/$defs/c"}]},`, 99) + `{}]},"c":{"oneOf":[` + strings.Repeat(`{"anyOf":[{}]},`, 99) + `{}]}},"$ref":"#/$defs/a"}`,
		"deep":      strings.Repeat(`{"items":`, 900) + `{}` + strings.Repeat(`}`, 900),
	} {
		table := newTable("Arguments", "required", json.RawMessage(text))
		if len(table.Rows) > maxRows || (name == "wide" || name == "branches") && !table.Cut {
			t.Errorf("%s: %d rows, cut %v", name, len(table.Rows), table.Cut)
		}
	}
	for _, text := range []string{"", "null", "true", "[1]", "{", `{"properties":[],"items":7,"anyOf":{},"type":7,"$ref":7}`} {
		if table := newTable("Arguments", "required", json.RawMessage(text)); len(table.Rows) > 0 {
			t.Errorf("%q has %d rows", text, len(table.Rows))
		}
	}
}
