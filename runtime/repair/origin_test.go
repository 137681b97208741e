package repair_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// refund is a tool whose arguments must not be made up.
const refund = `{"type":"object","properties":{
	"order_id":{"type":"integer"},
	"message":{"type":"string"},
	"limit":{"type":"integer","minimum":1,"default":10},
	"priority":{"enum":["low","normal","high"]},
	"tags":{"type":"array","items":{"type":"string"}},
	"counts":{"type":"object","additionalProperties":{"type":"integer"}},
	"meta":{"type":"object"},
	"when":{"type":["string","null"]},
	"customer":{"type":"object","properties":{"name":{"type":"string"},"vip":{"type":"boolean"}},"required":["name"],"additionalProperties":false}
},"additionalProperties":false}`

// open is a tool that accepts members with any names.
var open = strings.TrimSuffix(refund, `,"additionalProperties":false}`) + "}"

var origins = []struct {
	name, original, value string
	schema                string // refund by default
	bad                   string // pointers of the faults
}{
	{name: "the same", original: `{"order_id":7,"message":"x"}`, value: `{"message":"x","order_id":7.0}`},
	{name: "another value", original: `{"order_id":7}`, value: `{"order_id":8}`, bad: "/order_id /order_id"},
	{name: "a value from nowhere", original: `{}`, value: `{"order_id":123}`, bad: "/order_id"},
	{name: "an empty list from nowhere", original: `{"order_id":7}`, value: `{"order_id":7,"tags":[]}`, bad: "/tags"},
	{name: "an empty object from nowhere", original: `{"order_id":7}`, value: `{"order_id":7,"meta":{}}`, bad: "/meta"},
	{name: "an empty text from nowhere", original: `{"order_id":7}`, value: `{"order_id":7,"message":""}`, bad: "/message"},
	{name: "true from nowhere", original: `{"customer":{"name":"Ada"}}`, value: `{"customer":{"name":"Ada","vip":true}}`, bad: "/customer/vip"},
	{name: "lost", original: `{"order_id":7,"message":"x"}`, value: `{"order_id":7}`, bad: "/message"},
	{name: "lost within", original: `{"customer":{"name":"Ada","vip":"maybe"}}`, value: `{"customer":{"vip":true}}`, bad: "/customer/name /customer/vip"},
	{name: "another name", original: `{"msg":"x"}`, value: `{"message":"x"}`},
	{name: "another name, open", schema: open, original: `{"msg":"x"}`, value: `{"message":"x"}`},
	{name: "another name stays, open", schema: open, original: `{"msg":"x"}`, value: `{"msg":"x"}`},
	{name: "another name is lost, open", schema: open, original: `{"msg":"x","order_id":7}`, value: `{"order_id":7}`, bad: "/msg"},
	{name: "a name that is new, open", schema: open, original: `{"msg":"x"}`, value: `{"mesg":"x"}`, bad: "/mesg /mesg /msg"},
	{name: "what is unknown may go", original: `{"order_id":7,"foo":1}`, value: `{"order_id":7}`},
	{name: "used twice", original: `{"msg":"x"}`, value: `{"message":"x","tags":["x"]}`, bad: "/tags/0"},
	{name: "there twice, used twice", original: `{"msg":"x","tag":"x"}`, value: `{"message":"x","tags":["x"]}`},
	{name: "a known one may not move", original: `{"message":"7"}`, value: `{"order_id":7}`, bad: "/message /order_id"},
	{name: "nor a wrong one", original: `{"limit":0}`, value: `{"order_id":0}`, bad: "/order_id"},
	{name: "a wrong one may go", original: `{"limit":0,"order_id":7}`, value: `{"order_id":7}`},
	{name: "not all of it", original: `{"limit":0}`, value: `{}`, bad: "/"},
	{name: "or become the default", original: `{"limit":0}`, value: `{"limit":10}`},
	{name: "not another", original: `{"limit":0}`, value: `{"limit":1}`, bad: "/limit"},
	{name: "a default does not replace", original: `{"limit":3}`, value: `{"limit":10}`, bad: "/limit"},
	{name: "its one reading", original: `{"id":"7","tags":"a"}`, value: `{"order_id":7,"tags":["a"]}`},
	{name: "number as text", original: `{"msg":7}`, value: `{"message":"7"}`},
	{name: "no reading", original: `{"id":"seven"}`, value: `{"order_id":7}`, bad: "/order_id"},
	{name: "enum in another spelling", original: `{"prio":"HIGH"}`, value: `{"priority":"high"}`},
	{name: "enum by one letter", original: `{"priority":"hgih"}`, value: `{"priority":"high"}`},
	{name: "another of the enum", original: `{"priority":"urgent"}`, value: `{"priority":"high"}`, bad: "/priority"},
	{name: "an enum from nowhere", original: `{"order_id":7}`, value: `{"order_id":7,"priority":"low"}`, bad: "/priority"},
	{name: "names of a map are data", original: `{"counts":{"apples":"x"}}`, value: `{"counts":{"pears":1}}`, bad: "/counts/pears /counts/pears"},
	{name: "a map moves", original: `{"cnts":{"apples":3}}`, value: `{"counts":{"apples":3}}`},
	{name: "a map moves, other names", original: `{"cnts":{"apples":3}}`, value: `{"counts":{"pears":3}}`, bad: "/counts/pears"},
	{name: "what is free stays", original: `{"meta":{"a":1,"b":2},"limit":0}`, value: `{"meta":{"a":2,"b":1}}`, bad: "/meta/a /meta/a /meta/b /meta/b"},
	{name: "without a schema", schema: `{}`, original: `{"a":1,"b":[2,3]}`, value: `{"a":1,"b":[2,3]}`},
	{name: "without a schema, moved", schema: `{}`, original: `{"a":1,"b":2}`, value: `{"a":2,"b":1}`, bad: "/a /a /b /b"},
	{name: "without a schema, another kind", schema: `{}`, original: `{"a":1,"b":2}`, value: `[1,2]`, bad: "/ /0 /1"},
	{name: "out of an object", original: `{"order_id":{"id":7}}`, value: `{"order_id":7}`},
	{name: "into an object", original: `{"name":"Ada"}`, value: `{"customer":{"name":"Ada"}}`},
	{name: "JSON in a text", original: `{"customer":"{\"name\":\"Ada\",\"age\":3}"}`, value: `{"customer":{"name":"Ada"}}`},
	{name: "JSON in a text, invented", original: `{"customer":"{\"nam\":\"Ada\"}"}`, value: `{"customer":{"name":"Eve"}}`, bad: "/customer/name"},
	{name: "all of it in a text", original: `"{\"msg\":\"x\"}"`, value: `{"message":"x"}`},
	{name: "a list grows", original: `{"tags":["a"]}`, value: `{"tags":["a","b"]}`, bad: "/tags/1"},
	{name: "a list shrinks", original: `{"tags":["a","b"]}`, value: `{"tags":["a"]}`, bad: "/tags/1"},
	{name: "a list is in another order", original: `{"tags":["a","b"],"limit":0}`, value: `{"tags":["b","a"]}`, bad: "/tags/0 /tags/0 /tags/1 /tags/1"},
	{name: "null is a leaf", original: `{"order_id":7}`, value: `{"order_id":7,"when":null}`, bad: "/when"},
	{name: "null is filled", original: `{"order_id":null}`, value: `{"order_id":7}`, bad: "/order_id"},
	{name: "null that is right", original: `{"when":null,"limit":0}`, value: `{"when":"today"}`, bad: "/when /when"},
	{name: "null where there has to be one", schema: `{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"type":"string"}},"required":["a","b"]}`, original: `{"b":"x"}`, value: `{"a":null,"b":"x"}`, bad: "/a"},
	{name: "twice in what comes back", original: `{"message":"x"}`, value: `{"message":"y","message":"x"}`, bad: "/message"},

	{name: "twice in the original, the last counts", original: `{"message":"x","message":"y","limit":0}`, value: `{"message":"y"}`},
	{name: "twice in the original, the first", original: `{"message":"x","message":"y","limit":0}`, value: `{"message":"x"}`, bad: "/message /message"},
	{name: "out of what is free", original: `{"meta":{"k":"v","j":"w"},"limit":0}`, value: `{"meta":{"j":"w"},"message":"v"}`, bad: "/message /meta/k"},
	{name: "near to two of an enum", schema: `{"properties":{"pet":{"enum":["cat","bat"]}}}`, original: `{"pet":"rat"}`, value: `{"pet":"bat"}`, bad: "/pet"},
	{name: "what applies then", schema: `{"properties":{"kind":{"type":"string"}},"if":{"properties":{"kind":{"const":"a"}}},"then":{"properties":{"x":{"type":"integer"}}}}`,
		original: `{"kind":"a","x":"z","y":7}`, value: `{"kind":"a","x":7}`},
	{name: "what applies else", schema: `{"properties":{"kind":{"type":"string"}},"if":{"properties":{"kind":{"const":"a"}}},"then":{"properties":{"x":{"type":"integer"}}}}`,
		original: `{"kind":"b","x":"z","y":7}`, value: `{"kind":"b","x":7}`, bad: "/x /x /y"},

	{name: "prose", original: `Please refund order 7 for Ada, it is high time.`, value: `{"order_id":7,"customer":{"name":"Ada"},"priority":"high"}`},
	{name: "prose, parts of words", original: `Order 4711-XYZ of 7.5 at ada@example.org`, value: `{"order_id":4711,"message":"ada","tags":["example.org","5"]}`, bad: "/message /order_id /tags/0 /tags/1"},
	{name: "prose, a sign", original: `minus -7`, value: `{"order_id":7}`, bad: "/order_id"},
	{name: "prose, twice", original: `Tell Ada`, value: `{"message":"Ada","customer":{"name":"Ada"}}`, bad: "/message"},
	{name: "prose, a reading", original: `it costs 12,111 in all`, value: `{"order_id":12111}`},
	{name: "prose, nothing", original: `I can't.`, value: `{"order_id":1,"tags":[],"meta":{}}`, bad: "/meta /order_id /tags"},
	{name: "nothing", original: ` `, value: `{"order_id":1}`, bad: "/order_id"},

	{name: "cut off", original: `{"order_id":7,"message":"the pri`, value: `{"order_id":7,"message":"the printer"}`, bad: "/message"},
	{name: "cut off, as it is", original: `{"order_id":7,"message":"the pri`, value: `{"order_id":7,"message":"the pri"}`, bad: "/message"},
	{name: "cut off, without", original: `{"order_id":7,"message":"the pri`, value: `{"order_id":7}`},
	{name: "cut off in a number", original: `{"message":"x","order_id":7`, value: `{"message":"x","order_id":71}`, bad: "/order_id"},
	{name: "cut off behind a value", original: `{"order_id":7,"customer":{"name":"Ada"}`, value: `{"order_id":7,"customer":{"name":"Ada"}}`},
	{name: "cut off before a value", original: `{"order_id":7,"when":`, value: `{"order_id":7,"when":"today"}`, bad: "/when"},

	{name: "of several schemas, one", schema: `{"oneOf":[{"type":"object","properties":{"kind":{"const":"mail"},"to":{"type":"string"}},"required":["kind","to"],"additionalProperties":false},{"type":"object","properties":{"kind":{"const":"sms"},"phone":{"type":"string"}},"required":["kind","phone"],"additionalProperties":false}]}`,
		original: `{"kind":"sms","to":"1"}`, value: `{"kind":"sms","phone":"1"}`},
	{name: "of several schemas, the other", schema: `{"oneOf":[{"type":"object","properties":{"kind":{"const":"mail"},"to":{"type":"string"}},"required":["kind","to"],"additionalProperties":false},{"type":"object","properties":{"kind":{"const":"sms"},"phone":{"type":"string"}},"required":["kind","phone"],"additionalProperties":false}]}`,
		original: `{"kind":"sms","to":"1"}`, value: `{"kind":"mail","to":"1"}`, bad: "/kind"},
}

// TestOrigin checks which repairs of a text are accepted.
func TestOrigin(t *testing.T) {
	for _, test := range origins {
		t.Run(test.name, func(t *testing.T) {
			schema := test.schema
			if schema == "" {
				schema = refund
			}
			err := repair.Origin{Text: test.original, Schema: json.RawMessage(schema)}.Check(json.RawMessage(test.value))
			if got := strings.Join(pointers(err), " "); got != test.bad {
				t.Errorf("wrong is %q, want %q: %v", got, test.bad, err)
			}
			if err != nil && tool.Code(err) != "invented" {
				t.Errorf("the code is %s", tool.Code(err))
			}
		})
	}
}

func pointers(err error) (all []string) {
	if err != nil {
		for _, f := range err.(*repair.Error).Faults {
			all = append(all, cmp.Or(f.Pointer, "/"))
		}
	}
	return all
}

// TestOriginRefused checks repairs with values that are wrong although the schema allows them, with
// values in new places, and with texts that replace values.
func TestOriginRefused(t *testing.T) {
	o := repair.Origin{
		Text: `{"order_id":"<<step:1/id>>","message":"x","limit":3}`, Schema: json.RawMessage(refund),
		Refused: []string{"/limit"},
		Free:    func(pointer string) bool { return pointer == "/message" },
		Stands:  func(text string) bool { return strings.HasPrefix(text, "<<") },
	}
	for value, want := range map[string]string{
		`{"order_id":"<<step:1/id>>","message":"y"}`:            "",
		`{"order_id":"<<step:1/id>>","message":"y","limit":4}`:  "/limit",
		`{"order_id":"<<step:1/id>>","message":"y","limit":10}`: "",
		`{"message":"y"}`: "/order_id",
	} {
		if got := strings.Join(pointers(o.Check(json.RawMessage(value))), " "); got != want {
			t.Errorf("%s: wrong is %q, want %q", value, got, want)
		}
	}
	o = repair.Origin{Text: `{"order_id":7,"message":"the pri"}`, Truncated: true, Schema: json.RawMessage(refund)}
	if err := o.Check(json.RawMessage(`{"order_id":7,"message":"the pri"}`)); err == nil {
		t.Error("what was cut off is a value")
	}
}

// TestMissing finds required values for which a text contains no candidate.
func TestMissing(t *testing.T) {
	schema := strings.TrimSuffix(refund, `,"additionalProperties":false}`) + `,"required":["order_id","message"],"additionalProperties":false}`
	for _, test := range []struct {
		original, missing, rest string
		refused                 []string
		absent                  string
	}{
		{original: `{}`, missing: "/order_id /message", rest: `{}`, absent: "/order_id /message"},
		{original: ` `, missing: "/order_id /message", rest: `{}`, absent: "/order_id /message"},
		{original: `null`, missing: "/order_id /message", rest: `{}`, absent: "/order_id /message"},
		{original: `{"limit":5}`, missing: "/order_id /message", rest: `{"limit":5}`, absent: "/order_id /message"},
		{original: `{"order_id":null,"limit":5,"message":"x"}`, missing: "/order_id", rest: `{"limit":5,"message":"x"}`, absent: "/order_id"},
		{original: `{"order_id":"{{step1.result.id}}","message":"x"}`, missing: "/order_id", rest: `{"message":"x"}`},
		{original: `{"order_id":"7","message":"x","limit":0}`, rest: `{"order_id":7,"message":"x"}`},
		{original: `{"id":7,"message":"x"}`, rest: `{"message":"x"}`, absent: "/order_id"},
		{original: `{"id":"seven","message":"x"}`, missing: "/order_id", rest: `{"message":"x"}`, absent: "/order_id"},
		{original: `{"id":"seven","order_id":7}`, rest: `{"order_id":7}`, absent: "/message"},
		{original: `{"order_id":7,"message":"x","customer":{}}`, rest: `{"order_id":7,"message":"x","customer":{}}`},
		{original: `{"order_id":7,"message":"x"}`, refused: []string{"/order_id"}, missing: "/order_id", rest: `{"message":"x"}`},
		{original: `refund order 7`},
	} {
		m := repair.Origin{Text: test.original, Schema: json.RawMessage(schema), Refused: test.refused}.Missing()
		if got := strings.Join(m.Nowhere, " "); got != test.missing || strings.Join(m.Absent, " ") != test.absent || string(m.Rest) != test.rest {
			t.Errorf("%s: missing is %q, want %q; absent %q, the rest is %s, want %s", test.original, got, test.missing, m.Absent, m.Rest, test.rest)
		}
	}
	if !slices.Contains(pointers(repair.Origin{Text: `{}`, Schema: json.RawMessage(schema)}.Check(json.RawMessage(`{"order_id":1}`))), "/order_id") {
		t.Error("what is missing may be made up")
	}
}

// TestOriginHostile limits the time for long texts, and for answers that are expensive to compare with
// them.
func TestOriginHostile(t *testing.T) {
	members := func(value string) string {
		var b strings.Builder
		for i := range 6_000 {
			fmt.Fprintf(&b, `,"m%d":`+value, i, i)
		}
		return `{` + b.String()[1:] + `}`
	}
	const numbers = `{"type":"object","additionalProperties":{"type":"integer"}}`
	for name, test := range map[string]struct{ original, value, schema string }{
		"members":  {members(`"x%d"`), members(`%d`), numbers},
		"moved":    {`{"tagged":` + members(`"x%d"`) + `}`, `{"counts":` + members(`%d`) + `}`, refund},
		"list":     {`{"tags":[` + strings.Repeat(`7,`, 20_000) + `7]}`, `{"tags":[` + strings.Repeat(`"8",`, 20_000) + `"8"]}`, refund},
		"prose":    {strings.Repeat("lorem ipsum 7 ", 8_000), members(`"lorem%d"`), `{}`},
		"one word": {strings.Repeat("a", 250_000), `{"tags":[` + strings.Repeat(`"aaaa",`, 10_000) + `"b"]}`, refund},
		"deep":     {strings.Repeat(`{"a":`, 900) + `1` + strings.Repeat(`}`, 900), strings.Repeat(`{"a":`, 900) + `2` + strings.Repeat(`}`, 900), `{"$defs":{"n":{"properties":{"a":{"anyOf":[{"$ref":"#/$defs/n"},{"type":"string"}]}},"additionalProperties":false}},"$ref":"#/$defs/n"}`},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			o := repair.Origin{Text: test.original, Schema: json.RawMessage(test.schema)}
			if err := o.Check(json.RawMessage(test.value)); tool.Code(err) != "invented" {
				t.Errorf("got %.200v", err)
			}
			o.Missing()
			t.Log(time.Since(began))
		})
	}
}

// TestOriginDeep checks that the memory for the pointers of deeply nested values is not quadratic.
func TestOriginDeep(t *testing.T) {
	text := strings.Repeat(`{"a name that is long":`, 9000) + "1" + strings.Repeat("}", 9000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	o := repair.Origin{Text: text, Schema: json.RawMessage(`{}`)}
	if err := o.Check(json.RawMessage(text)); err != nil {
		t.Error(err)
	}
	o.Missing()
	runtime.ReadMemStats(&after)
	if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 200 {
		t.Errorf("it takes %d MiB for %d KiB", mib, len(text)>>10)
	}
}

// FuzzOrigin checks accepted repairs: their order does not matter, a value that was read may be
// repeated unless it was truncated, and words consist of letters of the original or of the schema.
func FuzzOrigin(f *testing.F) {
	for _, test := range origins {
		f.Add(test.original, test.value, cmp.Or(test.schema, refund))
	}
	for _, e := range outputs()[:200] {
		if e.Expect != nil {
			f.Add(e.Input, string(e.Expect), `{}`)
		}
	}
	f.Fuzz(func(t *testing.T, original, value, schema string) {
		if len(original)+len(value)+len(schema) > 1<<14 || !json.Valid([]byte(value)) {
			return
		}
		o := repair.Origin{Text: original, Schema: json.RawMessage(schema)}
		if m := o.Missing(); m.Rest != nil && !json.Valid(m.Rest) {
			t.Fatalf("%q: the rest is %s", original, m.Rest)
		}
		err := o.Check(json.RawMessage(value))
		if code := tool.Code(err); code == "schema" || code == "unreadable" {
			return
		}
		n, bad := jsontext.Parse(value, 10_000)
		if bad != nil {
			t.Fatalf("%q was taken: %v", value, bad)
		}
		if other := o.Check(backwards(n).Append(nil)); (other == nil) != (err == nil) {
			t.Fatalf("%q, %s: %s is %v, backwards %v", original, schema, value, err, other)
		}
		if read, bad := repair.JSON(original, o.Schema); bad == nil && !read.Truncated && read.Value[0] == '{' {
			if itself := o.Check(read.Value); itself != nil && tool.Code(itself) != "unreadable" && !strings.Contains(itself.Error(), "each key once") {
				t.Fatalf("%q, %s: it is not itself: %v", original, schema, itself)
			}
		}
		if err != nil || strings.Contains(original+value+schema, `\`) {
			return
		}
		letters := folded(original) + folded(schema)
		for _, said := range leaves(decode([]byte(value))) {
			if strings.ContainsFunc(said, unicode.IsLetter) && !strings.Contains(letters, folded(said)) && !number.MatchString(said) {
				t.Fatalf("%q, %s: %q of %s is made up", original, schema, said, value)
			}
		}
	})
}

var number = regexp.MustCompile(`^[-+.0-9eE]+$`)

// folded returns the letters and digits of a text.
func folded(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, text)
}

// backwards returns a value with all members in reverse order.
func backwards(n *jsontext.Node) *jsontext.Node {
	made := *n
	made.Items = nil
	for _, m := range n.Items {
		made.Items = append(made.Items, backwards(m))
	}
	if n.Kind == jsontext.Object {
		slices.Reverse(made.Items)
	}
	return &made
}
