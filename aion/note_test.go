package aion

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/values"
)

// readNote reads a note and returns it in short, with the codes of its faults.
func readNote(text string) string {
	n, list := ParseNote(text)
	var parts []string
	add := func(name string, value any) { parts = append(parts, fmt.Sprintf("%s:%v", name, value)) }
	if n.Type != "" {
		add("type", n.Type)
	}
	if n.Optional {
		parts = append(parts, "optional")
	}
	if n.Open {
		parts = append(parts, "open")
	}
	if n.Default != nil {
		add("default", *n.Default)
	}
	for _, l := range n.Enum {
		add("enum", l)
	}
	if n.Min != nil {
		add("min", *n.Min)
	}
	if n.Max != nil {
		add("max", *n.Max)
	}
	for _, set := range []struct {
		mark bool
		name string
	}{{n.Required, "required"}, {n.Fields, "fields"}, {n.Omit, "omit"}, {n.Ref, "ref"}, {n.Text, "text"}} {
		if set.mark {
			parts = append(parts, set.name)
		}
	}
	for _, s := range n.Shape {
		parts = append(parts, (&Note{Shape: []Shaping{s}}).composeOptions()...)
	}
	if n.Description != "" {
		add("description", n.Description)
	}
	for _, d := range list {
		add(d.Severity.String(), d.Code)
	}
	return strings.Join(parts, " ")
}

func TestNote(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"string", "type:string"},
		{"  int  ", "type:int"},
		{"string (user identifier)", "type:string description:user identifier"},
		{"string(a (b) c)", "type:string description:a (b) c"},
		{"list[string] (tags)", "type:list[string] description:tags"},
		{"dict[string, list[int]]", "type:dict[string, list[int]]"},
		{"map[string][]*pkg.T | x", "type:map[string][]*pkg.T description:x"},
		{"[4]int", "type:[4]int"},
		{"chan int (events)", "type:chan int description:events"},
		{"<-chan pkg.Event", "type:<-chan pkg.Event"},
		{"Page[int]", "type:Page[int]"},
		{"datetime", "type:datetime"},
		{"strng (user)", "type:strng description:user"},
		{"datetim | when", "type:datetim description:when"},
		{"The user to notify", "description:The user to notify"},
		{"The user | to notify", "description:The user | to notify"},
		{"string user id", "description:string user id"},
		{"string (user) id", "description:string (user) id warning:suspicious-note"},
		{"User-ID (the user)", "description:User-ID (the user)"},
		{"str | the user's", "type:str description:the user's"},
		{"str | about a | b", "type:str description:about a | b"},
		{"str | a | b | c", "type:str description:a | b | c"},
		{"int (count) | how many", "type:int description:count | how many"},
		{"string?", "type:string optional"},
		{"string? (user)", "type:string optional description:user"},
		{"str | optional | x", "type:str optional description:x"},
		{"Status | open", "type:Status open"},
		{"str | default='' | Phone", "type:str optional default:'' description:Phone"},
		{"int | default=5 | n", "type:int optional default:5 description:n"},
		{"int | default=5", "type:int optional default:5"},
		{"str | desc | default=x", "type:str optional default:x description:desc"},
		{"float | default=1", "type:float optional default:1"},
		{"float | default=1.5e3", "type:float optional default:1.5e3"},
		{"bool | default=TRUE | x", "type:bool optional default:TRUE description:x"},
		{"str | default=none | x", "type:str optional default:none description:x"},
		{"str | default='None'", "type:str optional default:'None'"},
		{"str | default='none' | x", "type:str optional default:'none' description:x"},
		{"str | Email", "type:str description:Email"},
		{"list", "type:list"},
		{"dict (anything)", "type:dict description:anything"},
		{"Integer | default=5", "type:Integer optional default:5"},
		{"str | default='a|b' | d", "type:str optional default:'a|b' description:d"},
		{"str | default=it's | d", "type:str optional default:it's description:d"},
		{"str | default=a, b | d", "type:str optional default:a, b description:d"},
		{"list | default=[]", "type:list optional default:[]"},
		{"str | enum=a,b, 'c,|d'", "type:str enum:a enum:b enum:'c,|d'"},
		{"str | enum=a,b | open | default=c", "type:str optional open default:c enum:a enum:b"},
		{"int | min=1 | max=10 | default=10", "type:int optional default:10 min:1 max:10"},
		{"float | enum=1,2 | default=1.0", "type:float optional default:1.0 enum:1 enum:2"},
		{"str | min=1 | max=3 | default=äöü", "type:str optional default:äöü min:1 max:3"},
		{"INT | default=abc", "type:INT optional default:abc"},
		{"uint64 | default=x", "type:uint64 optional default:x"},
		{"int | default=18446744073709551615", "type:int optional default:18446744073709551615"},

		{"dict | required", "type:dict required"},
		{"dict | fields | only=a | an order", "type:dict fields only=a description:an order"},
		{"dict | fields=a,b.c | fields", "type:dict fields fields=a,b.c"},
		{"dict | fields | ref", "type:dict fields ref error:note-option"},
		{"dict | text | fields", "type:dict fields text error:note-option"},
		{"dict | fields | omit", "type:dict fields omit error:note-option"},
		{"dict | fields | fields", "type:dict fields error:repeated-option"},
		{"any | omit | not wanted", "type:any omit description:not wanted"},
		{"list | only=a,b.c | optional=a", "type:list only=a,b.c optional=a"},
		{"dict | omit = a", "type:dict description:omit = a warning:suspicious-note"},
		{"dict | omit=a , *.token, b . 'c.d|,e'", "type:dict omit=a,*.token,b.'c.d|,e'"},
		{"dict | omit=*.a.b | ref=c | text=d | required=e | required", "type:dict required omit=*.a.b ref=c text=d required=e"},
		{"dict | omit='true', user's, first name", "type:dict omit='true',user's,first name"},
		{"dict | omit=a | b", "type:dict omit=a description:b"},
		{"dict | required=no", "type:dict description:required=no warning:suspicious-note"},

		{"dict | only=", "type:dict error:bad-path"},
		{"dict | only=a,,b", "type:dict only=a,b error:bad-path"},
		{"dict | only=a.", "type:dict error:bad-path"},
		{"dict | only=*", "type:dict error:bad-path"},
		{"dict | only=a.*.b", "type:dict error:bad-path"},
		{"dict | only=a[].b,/a/b", "type:dict error:bad-path error:bad-path"},
		{"dict | only='a", "type:dict error:bad-path"},
		{"dict | only='a'b", "type:dict error:bad-path"},
		{"dict | only=''", "type:dict error:bad-path"},
		{"dict | only=a, required=b", "type:dict only=a error:bad-path"},
		{"dict | only=a,a", "type:dict only=a error:repeated-option"},
		{"dict | only=a | only=b", "type:dict only=a error:repeated-option"},
		{"dict? | required", "type:dict optional required error:note-option"},
		{"int | required | default=1", "type:int optional default:1 required error:note-option"},
		{"dict | omit | ref", "type:dict omit ref error:note-option"},
		{"dict | text | only=a", "type:dict text only=a error:note-option"},
		{"int | omit | min=1", "type:int min:1 omit error:note-option"},
		{"dict | required=a,b | optional=b", "type:dict required=a,b optional=b error:note-option"},
		{"the user | required", "error:missing-type"},

		{"", "error:missing-type"},
		{"| desc", "error:missing-type"},
		{"default=5 | int", "error:missing-type"},
		{"the user | default=5", "error:missing-type"},
		{"func", "error:bad-type"},
		{"struct { A int }", "error:bad-type"},
		{"interface{}", "error:bad-type"},
		{"foo-bar", "error:bad-type"},
		{"list[", "error:bad-type"},
		{"Record<string, number>", "error:bad-type"},
		{"Array<Record<string, int>>", "error:bad-type"},
		{"a<b is less", "description:a<b is less"},
		{"int | default=", "type:int optional error:bad-literal"},
		{"int | default=abc", "type:int optional default:abc error:bad-default"},
		{"int | default=1.5", "type:int optional default:1.5 error:bad-default"},
		{"int | default=99999999999999999999", "type:int optional default:99999999999999999999 error:bad-default"},
		{"bool | default=2", "type:bool optional default:2 error:bad-default"},
		{"float | default=1e999", "type:float optional default:1e999 error:bad-default"},
		{"dict | default={}", "type:dict optional default:{} error:bad-default"},
		{"int | default=1 | default=2", "type:int optional default:1 error:repeated-option"},
		{"int | enum=1,b", "type:int enum:1 enum:b error:bad-enum"},
		{"int | enum=[1,2]", "type:int error:bad-enum"},
		{"str | enum=[a,b] | x", "type:str description:x error:bad-enum"},
		{"str | enum='[a]',b", "type:str enum:'[a]' enum:b"},
		{"str | enum=a,,b", "type:str enum:a enum:b error:bad-literal"},
		{"int | min=a", "type:int error:bad-literal"},
		{"int | min=5 | default=4", "type:int optional default:4 min:5 error:bad-default"},
		{"str | max=2 | default=abc", "type:str optional default:abc max:2 error:bad-default"},
		{"list | min=1 | default=[]", "type:list optional default:[] min:1 error:bad-default"},
		{"str | min=-1", "type:str min:-1 error:bad-bound"},
		{"str | default='a' b", "type:str optional error:bad-literal"},
		{"string (the user", "description:string (the user warning:suspicious-note"},
		{"int | Default=5", "type:int description:Default=5 warning:suspicious-note"},
		{"int | default = 5", "type:int description:default = 5 warning:suspicious-note"},
	} {
		if got := readNote(test.text); got != test.want {
			t.Errorf("%q\n got %s\nwant %s", test.text, got, test.want)
		}
	}
}

func TestWordOf(t *testing.T) {
	for _, word := range values.TypeWords {
		if values.WordOf(word).Kind == 0 {
			t.Errorf("%q has no kind", word)
		}
	}
	for typ, want := range map[string]values.Word{
		"list":                            {Kind: values.ListKind},
		"list[int]":                       {Kind: values.ListKind, Elem: "int"},
		"array[list[int]]":                {Kind: values.ListKind, Elem: "list[int]"},
		"dict[string, int]":               {Kind: values.DictKind, Key: "string", Elem: "int"},
		"dict[str,dict[string, list[T]]]": {Kind: values.DictKind, Key: "str", Elem: "dict[string, list[T]]"},
		"dict[string]":                    {},
		"int[5]":                          {},
		"Int":                             {},
		"[]int":                           {},
		"":                                {},
	} {
		if got := values.WordOf(typ); got != want {
			t.Errorf("%q: got %v, want %v", typ, got, want)
		}
	}
}
