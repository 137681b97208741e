package supervisor_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
)

type object = map[string]any

// world creates originals and hostile answers.
type world struct{ *rand.Rand }

func one[T any](w world, all ...T) T { return all[w.IntN(len(all))] }

// word returns a word that no schema contains.
func (w world) word() string {
	return fmt.Sprintf("%c%c%d", 'a'+w.IntN(26), 'a'+w.IntN(26), w.IntN(90))
}

var colours = []any{"dark red", "blue", "green"}

// property returns the schema of a value.
func (w world) property(depth int) object {
	switch w.IntN(9 - depth) {
	case 0:
		return object{"type": "integer", "minimum": 1}
	case 1:
		return object{"type": "string"}
	case 2:
		return object{"enum": colours}
	case 3:
		return object{"type": "boolean"}
	case 4:
		return object{"type": "integer", "default": 10}
	case 5:
		return object{"type": one[any](w, "number", []any{"string", "null"})}
	case 6:
		return object{"type": "array", "items": w.property(depth + 2)}
	case 7:
		return object{"type": "object", "additionalProperties": object{"type": "integer"}}
	}
	return w.schema(depth + 2)
}

// schema returns the schema of an object.
func (w world) schema(depth int) object {
	properties, required := object{}, []any{}
	for _, name := range []string{"alpha", "beta", "gamma", "delta"}[:1+w.IntN(4)] {
		properties[name] = w.property(depth)
		if w.IntN(2) == 0 {
			required = append(required, name)
		}
	}
	s := object{"type": "object", "properties": properties, "required": required}
	if w.IntN(4) > 0 {
		s["additionalProperties"] = false
	}
	return s
}

// value returns a valid value of a schema.
func (w world) value(s object) any {
	if _, ok := s["enum"]; ok {
		return one(w, colours...)
	}
	switch s["type"] {
	case "integer":
		return 1 + w.IntN(1000)
	case "number":
		return one[any](w, w.IntN(1000), float64(w.IntN(100))+0.5)
	case "boolean":
		return w.IntN(2) == 0
	case "array":
		list := []any{}
		for range w.IntN(3) {
			list = append(list, w.value(s["items"].(object)))
		}
		return list
	case "object":
		made := object{}
		if _, ok := s["properties"]; !ok {
			for range w.IntN(3) {
				made[w.word()] = w.IntN(1000)
			}
			return made
		}
		for _, name := range slices.Sorted(maps.Keys(s["properties"].(object))) {
			if slices.Contains(s["required"].([]any), any(name)) || w.IntN(2) == 0 {
				made[name] = w.value(s["properties"].(object)[name].(object))
			}
		}
		return made
	}
	return one(w, w.word(), w.word()+" "+w.word())
}

// spoil returns a value with a fault.
func (w world) spoil(v any) any {
	switch v := v.(type) {
	case object:
		made := object{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			switch w.IntN(9) {
			case 0: // the value is removed
			case 1:
				made[one(w, "the_"+name, w.word())] = v[name]
			case 2:
				made["more"] = object{name: v[name]}
			default:
				made[name] = w.spoil(v[name])
			}
		}
		if w.IntN(6) == 0 {
			made[w.word()] = one[any](w, w.IntN(1000), w.word(), nil, []any{}, object{}, true)
		}
		return made
	case []any:
		made := []any{}
		for _, item := range v {
			made = append(made, w.spoil(item))
		}
		return made
	}
	switch w.IntN(8) {
	case 0:
		return fmt.Sprint(v)
	case 1:
		return one[any](w, nil, -3, "<the id of step 1>", []any{}, []any{v}, object{"value": v}, "RED")
	case 2:
		if text, ok := v.(string); ok {
			return strings.ToUpper(text)
		}
	}
	return v
}

// lie returns the answer of a model, which may contain made-up values.
func (w world) lie(v any, s object) any {
	made, ok := v.(object)
	if !ok || w.IntN(5) == 0 {
		return w.value(s)
	}
	made = maps.Clone(made)
	properties, _ := s["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		p := properties[name].(object)
		switch w.IntN(8) {
		case 0:
			made[name] = w.value(p)
		case 1:
			made[name] = one[any](w, []any{}, object{}, "", nil, 0, false, 10)
		case 2: // the value of another place
			if names := slices.Sorted(maps.Keys(made)); len(names) > 0 {
				made[name] = made[one(w, names...)]
			}
		case 3:
			delete(made, name)
		case 4:
			made[name] = w.lie(made[name], p)
		}
	}
	for name := range made {
		if properties[name] == nil && w.IntN(3) > 0 && properties != nil {
			delete(made, name)
		}
	}
	return made
}

// leaf is a scalar value with its place.
type leaf struct{ at, text string }

// leaves returns the scalars of a value, and the names in it that no schema contains.
func leaves(n *jsontext.Node, at string, into []leaf) []leaf {
	if len(n.Items) == 0 {
		return append(into, leaf{at, n.String()})
	}
	for i, m := range n.Items {
		if n.Kind == jsontext.Array {
			into = leaves(m, jsontext.JoinIndex(at, i), into)
			continue
		}
		if name := m.Name(); !slices.Contains([]string{"alpha", "beta", "gamma", "delta"}, name) {
			into = append(into, leaf{at, m.Key})
		}
		into = leaves(m, jsontext.Join(at, m.Name()), into)
	}
	return into
}

// looseLeaf returns a leaf without its type, case and punctuation.
func looseLeaf(text string) string {
	text = strings.ToLower(strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || c == '.' || c == '-' || c == '[' || c == '{' {
			return c
		}
		return -1
	}, text))
	switch text = strings.TrimSuffix(text, ".0"); text {
	case "1", "yes", "on":
		return "true"
	case "0", "no", "off":
		return "false"
	}
	return text
}

// madeUpLeaves returns the leaves of a repair that the original does not contain, or not as often. It is
// independent of the program's own check.
func madeUpLeaves(t *testing.T, original, repaired string) (all []string) {
	t.Helper()
	before, err := jsontext.Parse(original, 100)
	if err != nil {
		t.Fatal(err)
	}
	after, err := jsontext.Parse(repaired, 100)
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]int{}
	for _, l := range leaves(before, "", nil) {
		there[looseLeaf(l.text)]++
	}
	for _, l := range leaves(after, "", nil) {
		if there[looseLeaf(l.text)]--; there[looseLeaf(l.text)] < 0 && l.text != "10" { // a default
			all = append(all, l.at+": "+l.text)
		}
	}
	return all
}

// movedMembers returns the members that were valid and were changed.
func movedMembers(t *testing.T, form object, original, repaired string) (all []string) {
	t.Helper()
	var before, after map[string]json.RawMessage
	if err := json.Unmarshal([]byte(original), &before); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(repaired), &after); err != nil {
		t.Fatal(err)
	}
	for name, p := range form["properties"].(object) {
		value := before[name]
		if value != nil && value[0] != '{' && value[0] != '[' && schema.Validate(json.RawMessage(text(t, p)), value) == nil && text(t, after[name]) != string(value) {
			all = append(all, name)
		}
	}
	return all
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestNothingIsMadeUp lets hostile models repair 10,000 originals. Accepted repairs must follow the
// schema and contain only values of the original.
func TestNothingIsMadeUp(t *testing.T) {
	w := world{rand.New(rand.NewPCG(1, 2))}
	s := supervisor.New(nil)
	asked, accepted, calls := 0, 0, 10_000
	if testing.Short() {
		calls /= 10
	}
	for range calls {
		form := w.schema(0)
		meant := w.value(form)
		original, input := text(t, w.spoil(meant)), json.RawMessage(text(t, form))
		d := tool.Definition{Name: "f", Input: input}
		r := s.ToolCall(tool.Request{Name: "f", Arguments: json.RawMessage(original)}, d)
		for more := r.Take(r.Local()); more; {
			asked++
			answer := text(t, meant)
			if w.IntN(4) > 0 {
				answer = text(t, w.lie(meant, form))
			}
			more = r.Take(r.Read(llm.Response{Text: answer}))
		}
		repaired, err := r.Result()
		if err != nil {
			if failed := err.(*supervisor.Error); len(failed.Known) > 0 && len(madeUpLeaves(t, original, string(failed.Known))) > 0 && string(failed.Known) != "{}" {
				t.Fatalf("%s: %s is known of %s", input, failed.Known, original)
			}
			continue
		}
		if err := schema.Validate(input, repaired.Arguments); err != nil {
			t.Fatalf("%s: %s: %v", input, repaired.Arguments, err)
		}
		if attempts := r.Actions(); len(attempts) > 1 {
			accepted++
			if all := slices.Concat(madeUpLeaves(t, original, string(repaired.Arguments)), movedMembers(t, form, original, string(repaired.Arguments))); len(all) > 0 {
				t.Fatalf("schema %s\noriginal %s\nrepaired %s\nmade up or lost %s", input, original, repaired.Arguments, strings.Join(all, ", "))
			}
		}
	}
	t.Logf("asked %d times, %d repairs were accepted", asked, accepted)
	if accepted < calls*3/100 || accepted*3 > asked {
		t.Errorf("of %d answers %d were accepted", asked, accepted)
	}
}

// TestMissingArguments checks that arguments that are missing, null or placeholders are not made up.
func TestMissingArguments(t *testing.T) {
	refund := tool.Definition{Name: "refund", Description: "Pays back.", Input: json.RawMessage(`{"type":"object","properties":{
		"order_id":{"type":"integer"},"amount":{"type":"number"},"reason":{"type":"string"},"limit":{"type":"integer"}
	},"required":["order_id","amount","reason"],"additionalProperties":false}`)}
	for name, test := range map[string]struct{ arguments, missing, known string }{
		"TestEmptyArguments":    {`{}`, "/order_id /amount /reason", `{}`},
		"TestNoArguments":       {``, "/order_id /amount /reason", `{}`},
		"TestPartialArguments":  {`{"limit":5}`, "/order_id /amount /reason", `{"limit":5}`},
		"TestNullArguments":     {`{"order_id":null,"amount":50,"reason":"broken","limit":5}`, "/order_id", `{"amount":50,"reason":"broken","limit":5}`},
		"TestPlaceholderInt":    {`{"order_id":"{{step1.result.id}}","amount":50,"reason":"broken"}`, "/order_id", `{"amount":50,"reason":"broken"}`},
		"TestPlaceholderWords":  {`{"order_id":"<the order>","amount":50,"reason":"broken"}`, "/order_id", `{"amount":50,"reason":"broken"}`},
		"TestUnknownIsNoNumber": {`{"order":"the last one","amount":50,"reason":"broken"}`, "/order_id", `{"amount":50,"reason":"broken"}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := &script{answers: []string{`{"order_id":123,"amount":50,"reason":"customer asked"}`}}
			_, _, err := s.supervisor().RepairToolCall(t.Context(), tool.Request{Name: "refund", Arguments: json.RawMessage(test.arguments)}, refund)
			failed, ok := err.(*supervisor.Error)
			if !ok || strings.Join(failed.Missing, " ") != test.missing || string(failed.Known) != test.known {
				t.Fatalf("%#v", err)
			}
			if len(s.asked) > 0 {
				t.Error("a model was asked for what it cannot know")
			}
		})
	}
	// A value that may be present under another name is requested, and a made-up one is refused.
	s := &script{answers: []string{`{"order_id":123,"amount":50,"reason":"broken"}`, `{"order_id":7,"amount":50,"reason":"customer asked"}`}}
	_, _, err := s.supervisor().RepairToolCall(t.Context(), tool.Request{Name: "refund", Arguments: json.RawMessage(`{"order":7,"amount":50}`)}, refund)
	if failed, ok := err.(*supervisor.Error); !ok || strings.Join(failed.Missing, " ") != "/order_id /reason" || len(s.asked) != 2 {
		t.Errorf("%#v", err)
	}
}

// TestRecorded continues from recorded verdicts. The outcome, without the schema, and the next request
// must be the same.
func TestRecorded(t *testing.T) {
	answers := []string{`{"words":"y","limit":2}`, `{"words":"x","limit":2}`}
	request := tool.Request{ID: "1", Name: "find_ticket", Arguments: json.RawMessage(`{"limit":2,"query":"x"}`)}
	s := (&script{}).supervisor()
	r := s.ToolCall(request, find)
	verdicts := []json.RawMessage{r.Local()}
	r.Take(verdicts[0])
	for _, answer := range answers {
		verdict := r.Read(llm.Response{Text: answer})
		verdicts = append(verdicts, verdict)
		again := s.ToolCall(request, find)
		for _, v := range verdicts[:len(verdicts)-1] {
			again.Take(v)
		}
		if a, b := text(t, r.Request()), text(t, again.Request()); a != b {
			t.Errorf("the request was\n%s\nand is\n%s", a, b)
		}
		r.Take(verdict)
	}
	changed := find
	changed.Input = json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`) // since then
	replayed := s.ToolCall(request, changed)
	for i, v := range verdicts {
		if more := replayed.Take(v); more != (i < 2) {
			t.Errorf("after %d verdicts: %t", i+1, more)
		}
	}
	got, err := replayed.Result()
	want, _ := r.Result()
	if err != nil || text(t, got) != text(t, want) || text(t, replayed.Actions()) != text(t, r.Actions()) || string(got.Arguments) != `{"words":"x","limit":2}` {
		t.Errorf("%s, %v", text(t, got), err)
	}
}

// TestNobody checks that the model may answer that no tool can do a step.
func TestNobody(t *testing.T) {
	for _, answer := range []string{`{}`, `{"tool":null}`, `{"step_id":"1","description":"d","agent":"llm"}`} {
		s := &script{answers: []string{answer}}
		step, _, err := s.supervisor().RepairStep(t.Context(), plan.Step{ID: "1", Description: "d", Status: plan.Running, Tool: "send_emial"}, offered, "g")
		if err != nil || step.Tool != "" || step.Agent != plan.AgentLLM || len(s.asked) != 1 {
			t.Errorf("%s: %+v, %v", answer, step, err)
		}
	}
	s := &script{answers: []string{`I would send an email.`, `{"tool":"weather"}`}}
	if _, _, err := s.supervisor().RepairStep(t.Context(), plan.Step{ID: "1", Description: "d", Tool: "send_emial"}, offered, "g"); err == nil || len(s.asked) != 2 {
		t.Errorf("prose is no answer: %v", err)
	}
}

// TestPlanCompiled repairs plans that cannot work. Only invalid arguments change, and required values
// may still be missing.
func TestPlanCompiled(t *testing.T) {
	whole := func(arguments string) string {
		return `{"goal":"g","steps":[{"step_id":"1","description":"d","tool":"find_ticket","arguments":{"words":"x"}},{"step_id":"2","description":"e","tool":"find_ticket","arguments":` + arguments + `}]}`
	}
	for name, test := range map[string]struct {
		arguments string
		answers   []string // arguments
		want      string   // the same
		wrong     string   // pointers
	}{
		"another name":        {`{"query":"y","limit":2}`, []string{`{"words":"z","limit":2}`, `{"words":"y","limit":2}`}, `{"words":"y","limit":2}`, ""},
		"a placeholder":       {`{"words":"<the words of step 1>","limit":2}`, []string{`{"words":"z","limit":2}`, `{"limit":2}`}, `{"limit":2}`, ""},
		"a reference forward": {`{"words":"<<step:3/0>>","limit":2}`, []string{`{"words":"<<step:1>>","limit":2}`, `{"limit":2}`}, `{"limit":2}`, ""},
		"a reference stays":   {`{"words":"<<step:1>>","limit":"many"}`, []string{`{"words":"z"}`, `{"words":"<<step:1>>"}`}, `{"words":"<<step:1>>"}`, ""},
		"made up":             {`{"query":7}`, []string{`{"words":"z"}`, `{"words":"z"}`}, "", "/steps/1/arguments/words"},
	} {
		t.Run(name, func(t *testing.T) {
			r := (&script{}).supervisor().Plan(whole(test.arguments), "r", offered, 10)
			answers := test.answers
			for more := r.Take(r.Local()); more; answers = answers[1:] {
				more = r.Take(r.Read(llm.Response{Text: whole(answers[0])}))
			}
			p, err := r.Result()
			if test.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), test.wrong+": expected a value from the original") {
					t.Errorf("%s, %v", text(t, p), err)
				}
				return
			}
			if err != nil || string(p.Steps[1].Arguments) != test.want || len(answers) > 0 {
				t.Errorf("%s, %v; %d answers are left", text(t, p), err, len(answers))
			}
		})
	}
}
