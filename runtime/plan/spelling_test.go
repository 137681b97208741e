package plan_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/tool"
)

const customerSchema = `{"type":"object","properties":{"id":{"type":"string"},"email":{"type":"string"},"address":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false},"tags":{"type":"array","items":{"type":"string"}}},"required":["id","email","address"],"additionalProperties":false}`

// shopTools are a tool with a closed result, a read-only one, and one that is not read-only.
var shopTools = []tool.Definition{
	{Name: "find_customer", Annotations: tool.Annotations{ReadOnly: true}, Input: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"],"additionalProperties":false}`), Output: json.RawMessage(customerSchema)},
	{Name: "search", Annotations: tool.Annotations{ReadOnly: true}, Input: json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"}},"additionalProperties":false}`)},
	{Name: "send_email", Input: json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"},"more":{},"kind":{"enum":["unknown","TBD","<none>"]},"state":{"type":"string","default":"unknown"}},"additionalProperties":false}`)},
}

// readSpelling returns how a text in the arguments of a second step is read: its reference, "fault",
// "suspect" or "text".
func readSpelling(t *testing.T, name, text string) string {
	t.Helper()
	value, _ := json.Marshal(text)
	p := steps(`find_customer {"query":"ada"}`, name+` {"to":`+string(value)+`}`)
	compiled, _, err := plan.Compile(p, shopTools, 5)
	if err != nil {
		return "fault"
	}
	var arguments struct{ To string }
	if err := json.Unmarshal(compiled.Steps[1].Arguments, &arguments); err != nil {
		t.Fatal(err)
	}
	suspects := plan.Suspects(compiled, shopTools)
	switch {
	case len(suspects) > 0:
		return "suspect"
	case len(compiled.Steps[1].References()) > 0:
		return arguments.To
	case arguments.To != text:
		t.Errorf("%q became %q", text, arguments.To)
	}
	return "text"
}

// TestSpellings checks how texts in the arguments of a step are read, for a tool with effects and for
// a read-only one. Each line of testdata/spellings.txt contains a text as JSON and both outcomes.
func TestSpellings(t *testing.T) {
	lines := table(t)
	counts := map[string]int{}
	for _, line := range lines {
		for i, name := range []string{"send_email", "search"} {
			got := readSpelling(t, name, line[0])
			if got != line[i+1] {
				t.Errorf("%q before %s: %s, want %s", line[0], name, got, line[i+1])
			}
			counts[got]++
		}
	}
	if len(lines) < 220 || counts["fault"] < 30 || counts["suspect"] < 110 || counts["text"] < 150 {
		t.Errorf("%d spellings: %v", len(lines), counts)
	}
}

// table returns the lines of testdata/spellings.txt.
func table(t *testing.T) (lines [][3]string) {
	t.Helper()
	data, err := os.ReadFile("testdata/spellings.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		var text string
		if len(columns) != 3 || json.Unmarshal([]byte(columns[0]), &text) != nil {
			t.Fatalf("not a line of the table: %q", line)
		}
		lines = append(lines, [3]string{text, columns[1], columns[2]})
	}
	return lines
}

// TestSpellingsNested checks the same texts in lists, in objects, and as keys. A text that is not
// plain at the top level must not be plain inside, either.
func TestSpellingsNested(t *testing.T) {
	for _, line := range table(t) {
		text, _ := json.Marshal(line[0])
		for where, form := range map[string]string{
			"a list":    `{"more":["ada",%s]}`,
			"an object": `{"more":{"a":{"b":%s}}}`,
			"both":      `{"more":[{"a":[[%s]]},7]}`,
		} {
			p := steps(`find_customer {"query":"ada"}`, "send_email "+strings.Replace(form, "%s", string(text), 1))
			compiled, _, err := plan.Compile(p, shopTools, 5)
			got := "fault"
			if err == nil {
				if got = "text"; len(plan.Suspects(compiled, shopTools)) > 0 {
					got = "suspect"
				} else if len(compiled.Steps[1].References()) > 0 {
					got = "reference"
				}
			}
			want := line[1]
			if strings.Contains(want, "<<step:") {
				want = "reference"
			}
			if got != want && line[0] != "#E1" { // fits a place of any type
				t.Errorf("%q in %s: %s, want %s", line[0], where, got, want)
			}
		}
		if !strings.Contains(line[1], "<<step:") {
			continue
		}
		p := steps(`find_customer {"query":"ada"}`, `send_email {"more":{`+string(text)+`:1}}`)
		if compiled, _, err := plan.Compile(p, shopTools, 5); err == nil && len(plan.Suspects(compiled, shopTools)) == 0 {
			t.Errorf("%q is a key", line[0])
		}
	}
}

// TestElements checks that a number with an index and a name refers to an element of a step's result,
// and that an unreadable path is suspect.
func TestElements(t *testing.T) {
	list := tool.Definition{Name: "list", Annotations: tool.Annotations{ReadOnly: true}, Output: json.RawMessage(`{"type":"array","items":{"type":"object","properties":{"email":{"type":"string"}}}}`)}
	for text, want := range map[string]string{
		"$1[0].email": "reference", "#E1[0].email": "reference", `$1[0]["email"]`: "reference", "1[0].email": "reference", "hello $1[0].email there": "reference",
		"customers[0].email": "suspect", "$1[*].email": "suspect", "$1[-1].email": "suspect", "$1->0->email": "suspect", "[0].email": "suspect",
		"$1.50": "text", "$1.50abc": "text", "1.0.2": "text", "$1[0]": "text",
	} {
		value, _ := json.Marshal(text)
		compiled, _, err := plan.Compile(steps(`list {}`, `send_email {"to":`+string(value)+`}`), append(shopTools, list), 5)
		if err != nil {
			t.Fatal(text, err)
		}
		got := "text"
		if len(plan.Suspects(compiled, append(shopTools, list))) > 0 {
			got = "suspect"
		} else if len(compiled.Steps[1].References()) > 0 {
			got = "reference"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestAfterUnknown checks that text after a value of unknown type is allowed unless it can only be a
// path.
func TestAfterUnknown(t *testing.T) {
	for text, valid := range map[string]bool{
		"https://a.example/<<step:1/id>>#top": true, "|<<step:1/id>>|total|": true, "<<step:1>>kg": true, "<<step:1>>-<<step:1>>": true, "(<<step:1>>): done": true,
		"<<step:1>>?.email": false, "<<step:1>>::email": false, "<<step:1>> .email": false,
	} {
		value, _ := json.Marshal(text)
		if _, _, err := plan.Compile(steps(`search {}`, `send_email {"to":`+string(value)+`}`), shopTools, 5); (err == nil) != valid {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestListed checks that a value that the schema lists is never suspect.
func TestListed(t *testing.T) {
	for arguments, want := range map[string]int{
		`{"kind":"unknown"}`: 0, `{"kind":"<none>"}`: 0, `{"state":"unknown"}`: 0, `{"state":"TBD"}`: 1, `{"to":"unknown","more":["TBD",{"a":""}]}`: 3,
	} {
		if got := plan.Suspects(steps(`find_customer {"query":"ada"}`, "send_email "+arguments), shopTools); len(got) != want {
			t.Errorf("%s: %+v", arguments, got)
		}
	}
	got := plan.Suspects(steps(`send_email {"more":[{"a":"TBD"}]}`), shopTools)
	if len(got) != 1 || got[0] != (plan.Suspect{Step: 0, Pointer: "/more/0/a", Text: "TBD"}) {
		t.Errorf("%+v", got)
	}
}

// TestNumbering checks plans whose IDs are not numbers, or not those of their positions.
func TestNumbering(t *testing.T) {
	for name, test := range map[string]struct {
		ids  [2]string
		text string
		want string // the referenced step; "" for a fault or a suspect text
	}{
		"a word":                    {[2]string{"find", "mail"}, "{{find.email}}", "find"},
		"a word in capitals":        {[2]string{"find", "mail"}, "${FIND.result.email}", "find"},
		"the number of a place":     {[2]string{"find", "mail"}, "#E1.email", "find"},
		"the index of a place":      {[2]string{"find", "mail"}, "$.steps[0].email", "find"},
		"step_1":                    {[2]string{"step_1", "step_2"}, "{{step1.email}}", "step_1"},
		"step-01":                   {[2]string{"step-01", "step-02"}, "<<step:1/email>>", "step-01"},
		"S1":                        {[2]string{"S1", "S2"}, "{{1.email}}", "S1"},
		"itself":                    {[2]string{"1", "2"}, "{{step2.email}}", ""},
		"no step has the number":    {[2]string{"10", "20"}, "{{step1.email}}", ""},
		"an ID with a dot":          {[2]string{"1.1", "1.2"}, "{{1.1.email}}", "1.1"},
		"an ID with a space":        {[2]string{"find her", "mail"}, "{{find her.email}}", "find her"},
		"a tool that two call":      {[2]string{"a", "b"}, "{{find_customer.email}}", "a"},
		"a word of the path":        {[2]string{"a", "b"}, "{{email}}", ""},
		"a number is not an ID":     {[2]string{"a", "b"}, "$1.50", ""},
		"a number and its decimals": {[2]string{"1", "2"}, "$1.50", ""},
	} {
		p := steps(`find_customer {"query":"ada"}`, `send_email {}`)
		text, _ := json.Marshal(test.text)
		p.Steps[0].ID, p.Steps[1].ID, p.Steps[1].Arguments = test.ids[0], test.ids[1], json.RawMessage(`{"to":`+string(text)+`}`)
		compiled, _, err := plan.Compile(p, shopTools, 5)
		got := ""
		if references := compiled.Steps[1].References(); err == nil && len(references) == 1 && references[0].Pointer == "/email" {
			got = references[0].Step
		}
		if got != test.want {
			t.Errorf("%s: %s goes to %q, want %q: %v", name, test.text, got, test.want, err)
		}
	}
	p := steps(`find_customer {"query":"ada"}`, `find_customer {"query":"bob"}`, `send_email {"to":"{{find_customer.email}}"}`)
	if _, _, err := plan.Compile(p, shopTools, 5); err == nil || !strings.Contains(err.Error(), "<<step:1/email>> or <<step:2/email>>") {
		t.Error(err)
	}
}

// TestSpellingsLong compiles hostile texts. Faults must quote only a part of them.
func TestSpellingsLong(t *testing.T) {
	for _, piece := range longPieces {
		if _, _, err := plan.Compile(longPlan(piece, 1<<14), shopTools, 5); err != nil && len(err.Error()) > 1<<12 {
			t.Errorf("%q: the error has %d bytes", piece, len(err.Error()))
		}
	}
}

// BenchmarkSpellingsLong compiles long texts of two sizes, for which the time must grow linearly.
func BenchmarkSpellingsLong(b *testing.B) {
	for _, piece := range longPieces {
		for _, size := range []int{1 << 15, 1 << 17} {
			p := longPlan(piece, size)
			b.Run(fmt.Sprintf("%q-%d", piece, size), func(b *testing.B) {
				for b.Loop() {
					_, _, _ = plan.Compile(p, shopTools, 5)
				}
			})
		}
	}
}

// longPieces are repeated to create texts that look like references everywhere.
var longPieces = []string{"{{", "<<", "<", "{{step1.email}} ", "&lt;&lt;", "x", "step 1 ", ".a", ".a[0]", "!", "<<step:1>>'s "}

// longPlan returns a plan with an argument of about size bytes that repeats a piece.
func longPlan(piece string, size int) plan.Plan {
	text, _ := json.Marshal("<<step:1>>" + strings.Repeat(piece, size/len(piece)))
	return steps(`find_customer {"query":"ada"}`, `send_email {"to":`+string(text)+`}`)
}

// FuzzSpelling checks that compiling a compiled text changes nothing, and that it has no unresolved
// reference.
func FuzzSpelling(f *testing.F) {
	pieces := strings.Split("{{,}},<<,>>,step,1,.email,[0],#E,$,@, ,'s ,<,>,{,},step:,/id,«,é,find_customer,(),TBD,\\,%,_,-,->,:,|,\",<<step:1/email>>,<<<step:,\n,2,result,address,city,tags", ",")
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		text := ""
		for range 1 + r.IntN(9) {
			text += pieces[r.IntN(len(pieces))]
		}
		f.Add(text)
	}
	for _, seed := range []string{"{{step1.email}}", "<<1.email>>.x", "#E1[0].x'", "$.steps[0].result.email", "<<<step:{{1.id}}>>", "Dear [Name], {{ find_customer().email | x }}", "«step1.email»", "step 1's %step1.id%"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		value, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"send_email", "search"} {
			p := steps(`find_customer {"query":"ada"}`, name+` {"to":`+string(value)+`}`)
			compiled, _, err := plan.Compile(p, shopTools, 5)
			if err != nil {
				continue
			}
			again, edits, err := plan.Compile(compiled, shopTools, 5)
			if err != nil || len(edits) > 0 || string(again.Steps[1].Arguments) != string(compiled.Steps[1].Arguments) {
				t.Errorf("%q became %s, then %s: %v %v", text, compiled.Steps[1].Arguments, again.Steps[1].Arguments, edits, err)
			}
			for _, r := range compiled.Steps[1].References() {
				if r.Step != "1" {
					t.Errorf("%q goes to %v", text, r)
				}
			}
		}
	})
}
