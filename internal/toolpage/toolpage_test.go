package toolpage

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
