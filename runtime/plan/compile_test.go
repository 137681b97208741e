package plan_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/tool"
)

// desk contains the tools of the plans in these tests.
var desk = []tool.Definition{
	{
		Name:   "find_customer",
		Input:  json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"],"additionalProperties":false}`),
		Output: json.RawMessage(`{"type":"object","properties":{"customer":{"$ref":"#/$defs/c"},"found":{"type":"integer"}},"required":["customer","found"],"additionalProperties":false,"$defs":{"c":{"type":"object","properties":{"id":{"type":"integer"},"email":{"type":"string"},"phone":{"type":["string","null"]},"a/b":{"type":"string"}},"required":["id","email"],"additionalProperties":false}}}`),
	},
	{
		Name:   "list_orders",
		Input:  json.RawMessage(`{"type":"object","properties":{"customer_id":{"type":"integer"},"limit":{"type":"integer","maximum":100}},"required":["customer_id"],"additionalProperties":false}`),
		Output: json.RawMessage(`{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"total":{"type":"number"},"result":{"type":"string"}},"required":["id","total"],"additionalProperties":false}}`),
	},
	{
		Name:   "send_email",
		Input:  json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"},"body":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},"meta":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}},"required":["to","body"],"additionalProperties":false}`),
		Output: json.RawMessage(`{"type":"object","properties":{"result":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],"additionalProperties":false},"id":{"type":"string"}},"required":["result","id"],"additionalProperties":false}`),
	},
	{Name: "free", Input: json.RawMessage(`{"type":"object"}`)},
}

// steps parses a plan from lines such as: list_orders {"customer_id":7}. The ID of a step is its
// number.
func steps(lines ...string) plan.Plan {
	p := plan.Plan{Goal: "g"}
	for i, line := range lines {
		name, arguments, _ := strings.Cut(line, " ")
		if name == "llm" {
			name = ""
		}
		p.Steps = append(p.Steps, plan.Step{ID: fmt.Sprint(i + 1), Description: "d", Tool: name, Arguments: json.RawMessage(arguments)})
	}
	return p
}

const find = `find_customer {"query":"ada"}`

// TestCompile checks valid plans, some of them in other spellings.
func TestCompile(t *testing.T) {
	for name, test := range map[string]struct {
		lines []string
		want  string // expected arguments of the last step; empty if they do not change
		edits int
	}{
		"a reference":           {[]string{find, `list_orders {"customer_id":"<<step:1/customer/id>>"}`}, "", 0},
		"off its type":          {[]string{find, `list_orders {"limit":"3","customer_id":"{{1.customer.id}}"}`}, `{"limit":3,"customer_id":"<<step:1/customer/id>>"}`, 2},
		"of another name":       {[]string{find, `list_orders {"customerId":7.0,"limit":null}`}, `{"customer_id":7.0}`, 2},
		"in a text":             {[]string{find, `send_email {"to":"<<step:1/customer/email>>","body":"Hi <<step:1/customer/id>>, <<step:1/found>>"}`}, "", 0},
		"may have":              {[]string{find, `send_email {"to":"a","body":"<<step:1/customer/phone>>"}`}, "", 0},
		"in a list":             {[]string{find, `list_orders {"customer_id":7}`, `send_email {"to":"<<step:1/customer/a~1b>>","body":"b","tags":["x","<<step:1/customer/email>>"],"meta":{"n":"<<step:2/0/id>>"}}`}, "", 0},
		"a number that may fit": {[]string{find, `list_orders {"customer_id":7}`, `list_orders {"customer_id":"<<step:2/1/total>>"}`}, "", 0},
		"what a model said":     {[]string{`llm {"about":"x"}`, `send_email {"to":"a","body":"<<step:1>>"}`}, "", 0},
		"missing is asked for":  {[]string{`list_orders {"limit":5}`}, "", 0},
		"nothing is asked for":  {[]string{`list_orders`}, "", 0},
		"null is missing":       {[]string{`list_orders {"customer_id":null,"limit":5}`}, `{"limit":5}`, 1},
		"null for all":          {[]string{`list_orders null`}, `{}`, 1},
		"missing beside one":    {[]string{find, `send_email {"to":"<<step:1/customer/email>>"}`}, "", 0},
		"the literal":           {[]string{`send_email {"to":"<<<step:9>>","body":"b"}`}, "", 0},
		"a variable":            {[]string{`list_orders {"customer_id":"<<var:id>>"}`}, "", 0},
		"nothing known":         {[]string{`free {"a":1}`, `list_orders {"customer_id":"<<step:1/any/0/where>>"}`}, "", 0},
		"markup":                {[]string{`send_email {"to":"[1] and [2]","body":"<p>The result of step 1</p>"}`}, "", 0},
		"a list in a text":      {[]string{`send_email {"to":"[\"results\"]","body":"<ada@example.com>"}`}, "", 0},

		"braces":            {[]string{find, `send_email {"to":"{{step1.result.customer.email}}","body":"is {{ steps[1].customer.id }} and ${1.found}"}`}, `{"to":"<<step:1/customer/email>>","body":"is <<step:1/customer/id>> and <<step:1/found>>"}`, 2},
		"more braces":       {[]string{find, `send_email {"to":"{{step_1.output['customer'][\"email\"]}}","body":"no. {{1/customer/id}}"}`}, `{"to":"<<step:1/customer/email>>","body":"no. <<step:1/customer/id>>"}`, 2},
		"ReWOO":             {[]string{find, `send_email {"to":"a","body":"#E1 and #E7"}`}, `{"to":"a","body":"<<step:1>> and #E7"}`, 1},
		"a template":        {[]string{`send_email {"to":"a","body":"Dear {{name}}"}`}, "", 0},
		"result is a name":  {[]string{find, `send_email {"to":"a","body":"b"}`, `send_email {"to":"{{step2.result.result.id}}","body":"b"}`}, `{"to":"<<step:2/result/id>>","body":"b"}`, 1},
		"result in a list":  {[]string{`list_orders {"customer_id":7}`, `send_email {"to":"{{step1[0].result}}","body":"b"}`}, `{"to":"<<step:1/0/result>>","body":"b"}`, 1},
		"the literal stays": {[]string{find, `send_email {"to":"<<<step:{{step1.customer.id}}>>","body":"b"}`}, `{"to":"<<<step:<<step:1/customer/id>>>>","body":"b"}`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := steps(test.lines...)
			got, edits, err := plan.Compile(p, desk, 5)
			if err != nil || len(edits) != test.edits {
				t.Fatalf("%v, edits %+v", err, edits)
			}
			last := len(p.Steps) - 1
			want := test.want
			if want == "" {
				want = string(p.Steps[last].Arguments)
			}
			if string(got.Steps[last].Arguments) != want {
				t.Errorf("got %s, want %s", got.Steps[last].Arguments, want)
			}
			if again, edits, err := plan.Compile(got, desk, 5); err != nil || len(edits) != 0 || string(again.Steps[last].Arguments) != string(got.Steps[last].Arguments) {
				t.Errorf("again: %v, %v", edits, err)
			}
		})
	}
}

// TestCompileFaults checks that all faults of a plan are reported at once.
func TestCompileFaults(t *testing.T) {
	for name, test := range map[string]struct {
		lines []string
		want  []string
	}{
		"unknown tool":         {[]string{`find_custmer {"query":"x"}`}, []string{"/steps/0/tool: expected the tool find_customer, found \"find_custmer\""}},
		"a circle":             {[]string{`send_email {"to":"<<step:2/customer/email>>"}`, `find_customer {"query":"<<step:1/id>>"}`}, []string{`/steps/0/arguments/to: expected a reference to a step before this one, found "<<step:2/customer/email>>", which comes later`}},
		"forward":              {[]string{`list_orders {"customer_id":"<<step:2/customer/id>>"}`, find}, []string{`/steps/0/arguments/customer_id: expected a reference to a step before this one, found "<<step:2/customer/id>>", which comes later`}},
		"past an effect":       {[]string{`list_orders {"customer_id":"<<step:3/customer/id>>"}`, `send_email {"to":"a","body":"b"}`, find}, []string{`found "<<step:3/customer/id>>", which comes later`}},
		"in braces":            {[]string{`list_orders {"customer_id":"{{step3.result.customer.id}}"}`, `llm`, find}, []string{`found "<<step:3/customer/id>>", which comes later`}},
		"what plans the rest":  {[]string{`llm`, `send_email {"to":"<<step:1>>"}`}, []string{`found "<<step:1>>", which plans the rest`}},
		"nothing near":         {[]string{`fly {}`}, []string{`/steps/0/tool: expected one of the tools find_customer, list_orders, send_email, free, found "fly"`}},
		"itself":               {[]string{`list_orders {"customer_id":"<<step:1/0/id>>"}`}, []string{"which is this step"}},
		"no such step":         {[]string{find, `list_orders {"customer_id":"<<step:7/customer/id>>"}`}, []string{`/steps/1/arguments/customer_id: expected a reference to the step 1, found "<<step:7/customer/id>>"`}},
		"misspelt place":       {[]string{find, `send_email {"to":"<<step:1/customer/emial>>","body":"b"}`}, []string{`/steps/1/arguments/to: expected the key email of <<step:1/customer>>, found "<<step:1/customer/emial>>"`}},
		"no such place":        {[]string{find, `send_email {"to":"<<step:1/zip>>","body":"b"}`}, []string{`expected one of the 2 keys customer, found of <<step:1>>, found "<<step:1/zip>>"`}},
		"into a text":          {[]string{`llm`, `send_email {"to":"<<step:1/mail>>","body":"b"}`}, []string{`expected <<step:1>>, which has no parts, found "<<step:1/mail>>"`}},
		"a name in an array":   {[]string{`list_orders {"customer_id":7}`, `send_email {"to":"<<step:1/last>>","body":"b"}`}, []string{`expected the number of an element of <<step:1>>, as in <<step:1/0>>, found "<<step:1/last>>"`}},
		"an object for a text": {[]string{find, `send_email {"to":"<<step:1/customer>>","body":"b"}`}, []string{`/steps/1/arguments/to: expected a string, found <<step:1/customer>>, which is an object`}},
		"a text for a number":  {[]string{find, `list_orders {"customer_id":"<<step:1/customer/email>>"}`}, []string{`/steps/1/arguments/customer_id: expected an integer, found <<step:1/customer/email>>, which is a string`}},
		"within a text":        {[]string{find, `list_orders {"customer_id":"no. <<step:1/customer/id>>"}`}, []string{`/steps/1/arguments/customer_id: expected an integer, found no. <<step:1/customer/id>>, which is a string`}},
		"wrong argument":       {[]string{`list_orders {"customer_id":"seven"}`}, []string{`/steps/0/arguments/customer_id: expected an integer, found the string "seven"`}},
		"wrong beside one":     {[]string{find, `list_orders {"customer_id":"<<step:1/found>>","limit":101}`}, []string{`/steps/1/arguments/limit: expected an integer of at most 100, found the number 101`}},
		"unknown argument":     {[]string{find, `list_orders {"customer":"<<step:1/found>>"}`}, []string{`/steps/1/arguments/customer: expected one of the 2 keys customer_id, limit, found the key "customer"`}},
		"missing deep down":    {[]string{find, `send_email {"to":"<<step:1/customer/email>>","meta":{}}`}, []string{`/steps/1/arguments/meta/n: expected a value, found nothing`}},
		"deep down":            {[]string{find, `send_email {"meta":{"n":"<<step:1/customer/email>>"},"tags":["<<step:1/found>>"]}`}, []string{`/steps/1/arguments/meta/n: expected an integer, found`, `/steps/1/arguments/tags/0: expected a string, found`}},
		"angle brackets":       {[]string{find, `send_email {"to":"<the email from step 1>","body":"b"}`}, []string{`/steps/1/arguments/to: expected a value, or a reference to a step of the plan, such as <<step:1/customer>>, found "<the email from step 1>"`}},
		"brackets":             {[]string{find, `send_email {"to":"[result_of_search]","body":"b"}`}, []string{`found "[result_of_search]"`}},
		"braces of no step":    {[]string{find, `send_email {"to":"a","body":"is {{step9.result.phone}}"}`}, []string{`/steps/1/arguments/body: expected a reference to a step of the plan, such as <<step:1/customer>>, found "{{step9.result.phone}}"`}},
		"two readings":         {[]string{`send_email {"to":"a","body":"b"}`, `send_email {"to":"{{step1.result.id}}","body":"b"}`}, []string{`/steps/1/arguments/to: expected <<step:1/id>> or <<step:1/result/id>>, found "{{step1.result.id}}", which may be either`}},
		"open":                 {[]string{find, `send_email {"to":"<<step:1/found","body":"b"}`}, []string{`/steps/1/arguments/to: expected a reference as in <<step:1/id>>, found "<<step:1/found"`}},
		"too many":             {[]string{find, find, find, find, find, find}, []string{"/steps: expected at most 5 steps, found 6"}},
		"all at once":          {[]string{`fly {}`, `list_orders {"customer_id":"x","limit":"<<step:9>>"}`, `send_email {"to":[7,8]}`}, []string{"/steps/0/tool:", "/steps/1/arguments/customer_id:", "/steps/1/arguments/limit:", "/steps/2/arguments/to:"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := steps(test.lines...)
			if name == "what plans the rest" {
				p.Steps[0].Agent = plan.AgentReplan
			}
			_, _, err := plan.Compile(p, desk, 5)
			var bad *plan.Error
			if !errors.As(err, &bad) {
				t.Fatal(err)
			}
			if len(bad.Faults) != len(test.want) {
				t.Errorf("%d faults, want %d: %v", len(bad.Faults), len(test.want), err)
			}
			for i, f := range bad.Faults {
				if i < len(test.want) && !strings.Contains(f.String(), test.want[i]) {
					t.Errorf("got %s\nwant %s", f, test.want[i])
				}
			}
		})
	}
}

// TestSorted checks that steps that refer to later ones are sorted, unless an effect would move past
// another one without a reference.
func TestSorted(t *testing.T) {
	reads := slices.Clone(desk)
	for i := range reads[:2] {
		reads[i].Annotations.ReadOnly = true
	}
	const orders = `list_orders {"customer_id":"<<step:%d/customer/id>>"}`
	mail := func(step int) string {
		return fmt.Sprintf(`send_email {"to":"<<step:%d/customer/email>>","body":"b"}`, step)
	}
	for name, test := range map[string]struct {
		lines []string
		tools []tool.Definition
		want  string // "" if the plan is refused
	}{
		"two that read":               {[]string{fmt.Sprintf(orders, 2), find}, reads, "2 1"},
		"an effect and what it needs": {[]string{mail(2), find}, reads, "2 1"},
		"two effects":                 {[]string{mail(2), find}, desk, ""},
		"past one that only reads":    {[]string{fmt.Sprintf(orders, 3), find, find}, reads, "2 3 1"},
		"all need it":                 {[]string{fmt.Sprintf(orders, 3), mail(3), find}, reads, "3 1 2"},
		"before an effect":            {[]string{mail(2), find, `send_email {"to":"a","body":"b"}`}, reads, "2 1 3"},
		"two effects, both need it":   {[]string{mail(3), mail(3), find}, reads, "3 1 2"},
		"an effect that comes first":  {[]string{mail(3), `send_email {"to":"a","body":"b"}`, find}, reads, ""},
		"through others":              {[]string{`send_email {"to":"<<step:2/0/result>>","body":"b"}`, fmt.Sprintf(orders, 3), find}, reads, "3 2 1"},
		"other spellings":             {[]string{`send_email {"to":"{{step2.result.customer.email}}","body":"b"}`, find}, reads, "2 1"},
		"past what a model says":      {[]string{fmt.Sprintf(orders, 3), "llm", find}, reads, "2 3 1"},
		"what a model says moves":     {[]string{`send_email {"to":"<<step:2>>","body":"b"}`, "llm"}, reads, ""},
		"before what a model says":    {[]string{fmt.Sprintf(orders, 2), find, "llm"}, reads, "2 1 3"},
	} {
		got, edits, err := plan.Compile(steps(test.lines...), test.tools, 5)
		var ids []string
		for _, s := range got.Steps {
			ids = append(ids, s.ID)
		}
		order := strings.Join(ids, " ")
		if err != nil {
			order = ""
		}
		if order != test.want || err == nil && !slices.ContainsFunc(edits, func(e tool.Edit) bool { return e.Kind == "order" && e.After == test.want }) {
			t.Errorf("%s: %q, want %q: %v %v", name, order, test.want, edits, err)
		}
	}
}

// TestSortedFaults checks that faults of sorted steps are reported at their original positions.
func TestSortedFaults(t *testing.T) {
	reads := slices.Clone(desk)
	reads[0].Annotations.ReadOnly = true
	_, _, err := plan.Compile(steps(`list_orders {"customer_id":"<<step:2/customer/email>>"}`, `find_customer {"query":"q","x":1}`), reads, 5)
	if err == nil || !strings.Contains(err.Error(), "/steps/0/arguments/customer_id: expected an integer") || !strings.Contains(err.Error(), "/steps/1/arguments/x:") {
		t.Error(err)
	}
}

// TestCompileRest compiles a plan some steps of which are completed. They are not checked again, and
// failed ones have no result.
func TestCompileRest(t *testing.T) {
	p := steps(`gone {"x":"<<step:9>>"}`, `find_customer {}`, `free {"a":"<<step:1/x>>"}`, `free {"a":"<<step:2/found>>"}`)
	p.Steps[0].Status, p.Steps[1].Status = plan.Complete, plan.Failed
	_, _, err := plan.Compile(p, desk, 5)
	if want := `wrong plan: /steps/3/arguments/a: expected a reference to a step that has a result, found "<<step:2/found>>", which failed`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestMissing(t *testing.T) {
	for arguments, want := range map[string][]string{
		``: {"body", "to"}, `null`: {"body", "to"}, `{"to":null,"body":""}`: {"to"}, `{"to":"a","body":"b"}`: nil, `{`: {"body", "to"},
	} {
		if got := (plan.Step{Arguments: json.RawMessage(arguments)}).Missing(desk[2]); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", arguments, got, want)
		}
	}
}

// TestRepeatedKeys checks that a repeated key is reported once, at its position, even for unknown
// tools.
func TestRepeatedKeys(t *testing.T) {
	p := plan.Plan{Goal: "g", Steps: []plan.Step{{ID: "a", Description: "d", Tool: "t", Arguments: json.RawMessage(`{"v":{"a":1,"a":2}}`)}}}
	const want = `wrong plan: /steps/0/arguments/v/a: expected each key once, found the key "a" again`
	_, _, err := plan.Compile(p, []tool.Definition{{Name: "t", Description: "d", Input: json.RawMessage(`{"type":"object"}`)}}, 1)
	for _, err := range []error{err, plan.Validate(p)} {
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
