package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A shape is a kind of input that can be made in any size.
type shape struct {
	name string
	file string
	text func(size int) string
}

// goSource is the package whose functions the inputs name.
const goSource = `package m

import "context"

// T has fields.
type T struct {
	A, B string
	C    []T
	D    map[string]T
}

// F returns its argument.
func F(ctx context.Context, a string) (string, error) { return a, nil }

// G returns its argument.
func G(t T) T { return t }

// H returns its argument.
func H(d map[string]any) map[string]any { return d }

// I returns its argument.
func I(n int) int { return n }

// L returns its argument.
func L(l []string) []string { return l }
`

// plainTool is a file with nothing special in it.
const plainTool = "[ { name --> \"f\", function --> \"F\" --> {} } ]\n"

// repeated makes texts of a head, as many units as there is room for, and a tail. A verb
// in the unit stands for its number.
func repeated(head, unit, tail string) func(size int) string {
	numbered := strings.Contains(unit, "%")
	return func(size int) string {
		var b strings.Builder
		b.WriteString(head)
		for i := 0; b.Len()+len(unit)+len(tail) <= size; i++ {
			if numbered {
				fmt.Fprintf(&b, unit, i)
			} else {
				b.WriteString(unit)
			}
		}
		b.WriteString(tail)
		return b.String()
	}
}

// nested makes texts in which an opening text is nested, with a closing one for each.
func nested(head, open, middle, end, tail string) func(size int) string {
	return func(size int) string {
		n := max(0, size-len(head)-len(middle)-len(tail)) / (len(open) + len(end))
		return head + strings.Repeat(open, n) + middle + strings.Repeat(end, n) + tail
	}
}

// halves makes texts of two repeated units, all of the first before all of the second.
func halves(head, first, second, tail string) func(size int) string {
	return func(size int) string {
		one, two := repeated(head, first, ""), repeated("", second, tail)
		return one(size/2) + two(size/2)
	}
}

// The places of a file in which a text can stand.
const (
	noteHead  = `[ { name --> "f", function --> "F" --> { arg-1 --> "`
	noteTail  = `" } } ]`
	dictHead  = `[ { name --> "f", function --> "H" --> { arg-1 --> "`
	typeHead  = `[ { name --> "f", function --> "G" --> { arg-1 --> "`
	intHead   = `[ { name --> "f", function --> "I" --> { arg-1 --> "`
	listHead  = `[ { name --> "f", function --> "L" --> { arg-1 --> "`
	queryHead = `[ wrapped_query --> "`
	textTail  = `" ]`
	descHead  = `[ { name --> "f", function --> "F" --> {}, description --> "`
	descTail  = `" } ]`
	funcHead  = `[ { name --> "f", function --> """`
	funcTail  = `""" --> {} } ]`
	argTail   = `""" --> { arg-1 --> "string", arg-2 --> "list[string]" } } ]`
	blockHead = `[ { name --> "f", function --> "F" --> {`
	blockTail = `} } ]`
	fieldHead = `[ { name --> "f", function --> "H" --> {}, args_schema --> {`
	deepTail  = ` ]`
)

// shapes returns all inputs.
func shapes() []shape {
	var all []shape
	add := func(file string, texts map[string]func(int) string) {
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			all = append(all, shape{name, file, texts[name]})
		}
	}
	add(inputFile, punctuation())
	add(inputFile, notes())
	add(inputFile, texts())
	add(inputFile, documents())
	add(inputFile, expressions())
	add(goFile, goFiles())
	add(snapshotFile, snapshots())
	return all
}

// punctuation is files of one token or a few, repeated.
func punctuation() map[string]func(int) string {
	group := map[string]func(int) string{
		"punct json elements":    repeated("[", `{name:"x",function:"F",description:"d"},`, "]"),
		"punct open braces":      nested("[", "{", "", "", "]"),
		"punct nested braces":    nested("[", "{", "", "}", "]"),
		"punct nested brackets":  nested("", "[", "", "]", ""),
		"punct nested mixed":     nested("", "[{", "", "}]", ""),
		"punct crossed":          halves("", "[{", "]}", ""),
		"punct crlf":             repeated("", "\r\n", ""),
		"punct cr":               repeated("", "\r", ""),
		"punct lines":            repeated("", "x\n", ""),
		"punct one long line":    repeated("", "x ", ""),
		"punct long word":        repeated("", "x", ""),
		"punct long word dashes": repeated("", "x-", ""),
		"punct dashes":           repeated("", "-", ""),
		"punct dashes blanks":    repeated("x ", "- ", ""),
		"punct arrows names":     repeated("[", "a --> b --> ", "]"),
		"punct bom":              repeated("", "\ufeff", ""),
		"punct nul":              repeated("[", "\x00", "]"),
		"punct nul lines":        repeated("[", "\x00\n", "]"),
		"punct bad utf-8":        repeated("[", "\xff", "]"),
		"punct bad utf-8 apart":  repeated("[", "\xff a", "]"),
		"punct utf-16":           repeated("\xff\xfe", "a\x00", ""),
		"punct comments":         repeated("", "// x\n", ""),
		"punct comments in":      repeated("[ { // a\n", "// x\n", "} ]"),
		"punct c comments":       repeated("", "/* x */\n", ""),
		"punct c open":           repeated("", "/* ", ""),
		"punct c stars":          repeated("/*\n", " * x\n", "*/"),
		"punct html comments":    repeated("", "<!-- x -->\n", ""),
		"punct unicode arrows":   repeated("[", `a → "x", `, "]"),
		"punct urls":             repeated("[", "https://x ", "]"),
		"punct emoji":            repeated("[", "😀 ", "]"),
		"punct keys":             repeated("[", `"a" --> `, "]"),
		"punct fences":           repeated("", "```aion\n", ""),
		"punct fenced":           repeated("```aion\n[\n", "{ name --> 'x', link --> 'https://x.org/' },\n", "]\n```\n"),
		"punct triple single":    repeated("[", "{ name --> '''x%d''', link --> '''https://x.org/''' },\n", "]"),
		"punct open fences":      repeated("[", "a --> ```\n", "]"),
		"punct slashes":          repeated("[", "/ ", "]"),
		"punct dollar":           repeated("[", "$ --> ", "]"),
	}
	for _, unit := range []string{"a-->", "]}", "{},", "'", "{name}", "# x\n", "'''", `"`, `"""`, `" `, `""" `, "{", "[", "}", "]", ",", "-->", "--> ", `"a"`, `"a",`, `"a"-->`, "a,", "a:", "a=1,", "'a'", "'a',", "“", "`", "``` ", "[],", "[{", "]{", "}{", `{"`, `\"`, "a-->\"", "a-->'", "a-->{", "a-->[", "name-->{", "function-->{", "function-->\"F\"{", "function-->F-->{", "}-->{", "rules-->[", "name", "name ", "name,", "name-->", "<a>", "# ", "/*", "*/", "> ", "= ", ": ", "a\n-->\n", "\"\n", "\"a\nb-->"} {
		group["punct "+fmt.Sprintf("%q", unit)] = repeated("[", unit, "]")
	}
	return group
}

// notes is files with one long note, or with many.
func notes() map[string]func(int) string {
	return map[string]func(int) string{
		"note only one":           repeated(dictHead+"dict | only=a", ",a", noteTail),
		"note only many":          repeated(dictHead+"dict | only=a", ",a%d", noteTail),
		"note only fields":        repeated(typeHead+"T | only=a", ",a%d", noteTail),
		"note only deep":          repeated(typeHead+"T | only=a,c", ".c", noteTail),
		"note only chain":         repeated(typeHead+"T | omit=a", ",c.d.c.d.b", noteTail),
		"note only quoted":        repeated(dictHead+"dict | only=a", ",'a%d'", noteTail),
		"note only unclosed":      repeated(dictHead+"dict | only=a", ",'", noteTail),
		"note only bad":           repeated(dictHead+"dict | only=a", ",a[%d]", noteTail),
		"note only empty":         repeated(dictHead+"dict | only=", ",", noteTail),
		"note only dots":          repeated(dictHead+"dict | only=", ".", noteTail),
		"note only stars":         repeated(typeHead+"T | omit=a", ",*.b%d", noteTail),
		"note only and omit":      halves(dictHead+"dict | only=a", ",a1%d", ",b", noteTail),
		"note required optional":  halves(dictHead+"dict | required=a", ",a", " | optional=a", noteTail),
		"note bars":               repeated(noteHead+"string", " | x", noteTail),
		"note bars only":          repeated(noteHead+"string", "|", noteTail),
		"note bars numbered":      repeated(noteHead+"string", " | x%d", noteTail),
		"note options unknown":    repeated(noteHead+"string", " | minimum=1", noteTail),
		"note options repeated":   repeated(noteHead+"string", " | min=1", noteTail),
		"note options enum":       repeated(noteHead+"string", " | enum=a|b", noteTail),
		"note options misspelt":   repeated(noteHead+"string", " | requird", noteTail),
		"note options row":        repeated(noteHead+"string | min=1", ", max=%d", noteTail),
		"note enum":               repeated(noteHead+"string | enum=a", ",a%d", noteTail),
		"note enum same":          repeated(noteHead+"string | enum=a", ",a", noteTail),
		"note enum ints":          repeated(intHead+"int | enum=1", ",%d", noteTail),
		"note enum zeros":         repeated(intHead+"int | enum=1", ",0%d", noteTail),
		"note enum words":         repeated(intHead+"int | enum=1", ",x%d", noteTail),
		"note enum quotes":        repeated(noteHead+"string | enum=a", ",'", noteTail),
		"note enum barred":        repeated(noteHead+"string | enum=a", "|b%d", noteTail),
		"note enum brackets":      repeated(noteHead+"string | enum=[", "[", "]"+noteTail),
		"note default long":       repeated(noteHead+"string | default=", "x", noteTail),
		"note default digits":     repeated(intHead+"int | default=1", "0", noteTail),
		"note default exponent":   repeated(intHead+"int | default=1e", "9", noteTail),
		"note default list":       repeated(listHead+"list[string] | default=[", "'a',", "]"+noteTail),
		"note default nested":     nested(listHead+"list | default=", "[", "", "]", noteTail),
		"note max digits":         repeated(intHead+"int | max=", "9", noteTail),
		"note type long":          repeated(noteHead, "x", noteTail),
		"note type dots":          repeated(noteHead+"a", ".a", noteTail),
		"note type stars":         repeated(noteHead, "*", "T"+noteTail),
		"note type slices":        repeated(noteHead, "[]", "T"+noteTail),
		"note type list":          nested(noteHead, "list[", "int", "]", noteTail),
		"note type map":           nested(noteHead, "map[string]", "int", "", noteTail),
		"note type arrays":        nested(noteHead, "[3]", "int", "", noteTail),
		"note type arguments":     repeated(noteHead+"T[int", ",int", "]"+noteTail),
		"note type angle":         nested(noteHead, "list<", "int", ">", noteTail),
		"note type func":          nested(noteHead, "func(", "", ")", noteTail),
		"note parentheses":        nested(noteHead+"string ", "(", "", ")", noteTail),
		"note parenthesis open":   repeated(noteHead+"string (", "(", noteTail),
		"note parenthesis bars":   repeated(noteHead+"string (a", "|", ")"+noteTail),
		"note prose":              repeated(noteHead+"the ", "word ", noteTail),
		"note prose list of":      repeated(noteHead, "list of ", "string"+noteTail),
		"note prose colon":        repeated(noteHead+"string", ": x", noteTail),
		"note prose bars":         repeated(noteHead+"the word", " | max length: %d", noteTail),
		"note blanks":             repeated(noteHead+"string", " ", "x"+noteTail),
		"note lines":              repeated(noteHead+"string (", "x\n", ")"+noteTail),
		"note many":               repeated(blockHead, `arg-%d --> "string (x)", `, blockTail),
		"note many one":           repeated(blockHead, `arg-1 --> "string (x)", `, blockTail),
		"note many gaps":          repeated(blockHead, `arg-%d7 --> "string (x)", `, blockTail),
		"note many zero":          repeated(blockHead, `arg-0%d --> "string (x)", `, blockTail),
		"note many words":         repeated(blockHead, `argument%d --> "string (x)", `, blockTail),
		"note many bad":           repeated(blockHead, `arg-%d --> "strng | requird | minimum=1", `, blockTail),
		"note many returns":       repeated(blockHead, `return-%d --> "string", `, blockTail),
		"note many nested":        nested(blockHead, `arg-1 --> { `, "", "}", blockTail),
		"note number long":        repeated(blockHead+"arg-1", "0", ` --> "string" `+blockTail),
		"fields many":             repeated(fieldHead, `f%d --> "string (x)", `, blockTail),
		"fields many one":         repeated(fieldHead, `f --> "string (x)", `, blockTail),
		"fields many unused":      repeated(strings.Replace(fieldHead, `"H"`, `"G"`, 1), `f%d --> "string (x)", `, blockTail),
		"fields shaped":           repeated(fieldHead, `f%d --> "dict | only=a,b", `, blockTail),
		"fields none":             repeated(fieldHead, `f%d --> "none", `, blockTail),
		"fields json schema":      nested(fieldHead, `properties --> { `, "", "}", blockTail),
		"fields lambda":           repeated(`[ { name --> "f", function --> "lambda f0: f0" --> {}, args_schema --> {`, `f%d --> "string (x)", `, blockTail),
		"schema name long":        repeated(`[ { name --> "f", function --> "G" --> {}, args_schema --> "`, "x", descTail),
		"schema name stars":       repeated(`[ { name --> "f", function --> "G" --> {}, args_schema --> "`, "*", `T`+descTail),
		"schema without function": repeated("[", `{ name --> "f%d", args_schema --> { a --> "int" }, link --> "https://x.org" },`, "]"),
	}
}

// texts is files with one long text, or with many.
func texts() map[string]func(int) string {
	return map[string]func(int) string{
		"text query":             repeated(queryHead, "{query}", textTail),
		"text query payload":     repeated(queryHead, "{query}{payload}", textTail),
		"text query misspelt":    repeated(queryHead, "{qury}", textTail),
		"text query braces":      repeated(queryHead, "{", textTail),
		"text query lines":       repeated(queryHead, "{pay_load}\n", textTail),
		"text query names":       repeated(queryHead, "{x%d}", textTail),
		"text query long name":   repeated(queryHead+"{", "x", "}"+textTail),
		"text system":            repeated(`[ system_prompt --> "`, "line\n", textTail),
		"text system crlf":       repeated(`[ system_prompt --> """`, " line\r\n", `""" ]`),
		"text system indents":    repeated(`[ system_prompt --> """`, "\n  a\n\t\n", `""" ]`),
		"text rules":             repeated(`[ rules --> [`, `"rule %d",`, "] ]"),
		"text rules nested":      nested(`[ rules --> `, "[", "", "]", deepTail),
		"text rules words":       repeated(`[ rules --> [`, `rule,`, "] ]"),
		"text rules twice":       repeated(`[`, `rules --> ["x"],`, "]"),
		"text prompts twice":     repeated(`[`, `system_prompt --> "x",`, "]"),
		"text description":       repeated(descHead, "word ", descTail),
		"text description lines": repeated(descHead, "a\n\n", descTail),
		"text description bad":   repeated(descHead, "\x01\u202e", descTail),
		"text description quote": repeated(descHead, `\"a\" `, descTail),
		"text single quotes":     repeated(`[ { name --> '`, "it's ", `' } ]`),
		"text triple quotes":     repeated("[ { name --> '''", "line\n", "''' } ]"),
		"text name long":         repeated(`[ { name --> "`, "x", `", function --> "F" --> {} } ]`),
		"text name bad":          repeated(`[ { name --> "`, "größe ", `", function --> "F" --> {} } ]`),
		"text link long":         repeated(`[ { name --> "f", link --> "https://x.org/`, "a/", descTail),
		"text link bad":          repeated(`[ { name --> "f", link --> "`, "a ", descTail),
		"text link percent":      repeated(`[ { name --> "f", link --> "https://x.org/`, "%%", descTail),
		"text link markdown":     repeated(`[ { name --> "f", link --> "`, "[a](", descTail),
		"text function long":     repeated(`[ { name --> "f", function --> "`, "F", `" --> {} } ]`),
		"text function dots":     repeated(`[ { name --> "f", function --> "F`, ".F", `" --> {} } ]`),
		"text function slashes":  repeated(`[ { name --> "f", function --> "a`, "/a", `.F" --> {} } ]`),
		"text function generic":  nested(`[ { name --> "f", function --> "`, "F[", "int", "]", `" --> {} } ]`),
		"text function types":    repeated(`[ { name --> "f", function --> "F[int`, ",int", `]" --> {} } ]`),
		"text function words":    repeated(`[ { name --> "f", function --> "`, "F x ", `" --> {} } ]`),
		"text unclosed":          repeated(`[ { name --> "f", description --> "`, "word ", ""),
		"text unclosed block":    repeated(`[ { name --> "f", description --> """`, "word\n", ""),
		"text unclosed arrows":   repeated(`[ { name --> "f`, "\n --> ", ""),
		"text unclosed props":    repeated(`[`, "{ name --> \"x%d,\n link --> \"https://x.org\" },\n", "]"),
		"text unquoted":          repeated(`[`, "{ name --> x%d, link --> some text },\n", "]"),
		"text unquoted long":     repeated(`[ { name --> `, "word ", "} ]"),
		"text blocks":            repeated(`[`, `{ name --> """x%d""", link --> """https://x.org""" },`, "]"),
		"text quotes at end":     repeated(`[`, `{ name --> """x"""", link --> "https://x.org" },`, "]"),
		"text quotes inside":     repeated(`[`, `{ name --> "x "y" z", link --> "https://x.org" },`, "]"),
	}
}

// documents is files of many elements or properties.
func documents() map[string]func(int) string {
	return map[string]func(int) string{
		"doc tools":               repeated("[", "{ name --> \"f%d\", function --> \"F\" --> {} },\n", "]"),
		"doc tools bound":         repeated("[", "{ name --> \"f%d\", function --> \"F\" --> { arg-1 --> \"string (x)\", return-1 --> \"string (y)\" }, description --> \"d\" },\n", "]"),
		"doc tools one name":      repeated("[", "{ name --> \"f\", function --> \"F\" --> {} },\n", "]"),
		"doc tools ghosts":        repeated("[", "{ name --> \"f%[1]d\", function --> \"Gost%[1]d\" --> {} },\n", "]"),
		"doc tools bad names":     repeated("[", "{ name --> \"größe %d\", function --> \"F\" --> {} },\n", "]"),
		"doc tools same bad name": repeated("[", "{ name --> \"a b\", function --> \"F\" --> {} },\n", "]"),
		"doc tools no block":      repeated("[", "{ name --> \"f%d\", function --> \"F\" },\n", "]"),
		"doc tools no comma":      repeated("[", "{ name --> \"f%d\" function --> \"F\" --> {} }\n", "]"),
		"doc tools no array":      repeated("", "{ name --> \"f%d\", function --> \"F\" --> {} },\n", ""),
		"doc tools arrays":        repeated("", "[ { name --> \"f%d\", function --> \"F\" --> {} } ]\n", ""),
		"doc tools unclosed":      repeated("[", "{ name --> \"f%d\", function --> \"F\" --> {\n", "]"),
		"doc tools closed twice":  repeated("[", "{ name --> \"f%d\" }, link --> \"https://x.org\" },\n", "]"),
		"doc tools links":         repeated("[", "{ name --> \"f%d\", link --> \"https://x.org/%[1]d\" },\n", "]"),
		"doc tools wrong type":    repeated("[", "{ name --> \"f%d\", function --> \"F\" --> { arg-1 --> \"int\" } },\n", "]"),
		"doc tools too many":      repeated("[", "{ name --> \"f%d\", function --> \"F\" --> { arg-1 --> \"string\", arg-2 --> \"int\" } },\n", "]"),
		"doc tools todo":          repeated("[", "{ name --> \"f%d\", description --> \"TODO: x\", link --> \"https://x.org\" },\n", "]"),
		"doc tools json":          repeated("[", "{ \"name\": \"f%d\", \"function\": \"F\", \"description\": \"d\" },\n", "]"),
		"doc tools python":        repeated("[", "{ 'name': 'f%d', 'function': 'F' },\n", "]"),
		"doc tools commented":     repeated("[", "// c\n{ // d\n name --> \"f%d\", // e\n link --> \"https://x.org\" }, // f\n", "]"),
		"doc tools hash":          repeated("[", "# c\n{ name --> \"f%d\", link --> \"https://x.org\" },\n", "]"),
		"doc tools desc":          repeated("[", "{ name --> \"f%d\", desc --> \"d\", link --> \"https://x.org\" },\n", "]"),
		"doc tools unknown":       repeated("[", "{ name --> \"f%d\", foo --> \"d\", link --> \"https://x.org\" },\n", "]"),
		"doc tools arg_1":         repeated("[", "{ name --> \"f%d\", function --> \"F\" --> { arg_1 --> \"string\" } },\n", "]"),
		"doc tools lambda":        repeated("[", "{ name --> \"f%d\", function --> \"lambda a: f(a) + 'x'\" --> { arg-1 --> \"string\" } },\n", "]"),
		"doc tools literal":       repeated("[", "{ name --> \"f%d\", function --> \"func(a string) string { return a + `x` }\" --> {} },\n", "]"),
		"doc properties":          repeated("[ {", `p%d --> "x",`, "} ]"),
		"doc properties one":      repeated("[ {", `name --> "x",`, "} ]"),
		"doc properties two":      repeated("[ {", `nam --> "x", name --> "y",`, "} ]"),
		"doc properties loose":    repeated("[", `name --> "x", link --> "y",`, "]"),
		"doc properties outside":  repeated(`[ { name --> "x" },`, `p%d --> "x",`, "]"),
		"doc properties behind":   repeated(`[ { name --> "x" } ]`, ` name --> "x",`, ""),
		"doc blocks":              repeated("[ {", `function --> "F" --> {},`, "} ]"),
		"doc blocks open":         repeated("[ {", `function --> "F" --> `, "} ]"),
		"doc blocks released":     repeated("[ {", `function --> "F" --> { arg-1 --> "x", name --> "y", `, "} ]"),
		"doc schema gap":          repeated("[ {", `args_schema --> a --> "int", `, "} ]"),
		"doc element in element":  repeated("[ {", ` name --> "x", { `, "} ]"),
	}
}

// expressions is files with one long lambda or Go literal.
func expressions() map[string]func(int) string {
	group := map[string]func(int) string{
		"lambda parameters":     repeated(funcHead+"lambda a", ", a%d", ": a"+argTail),
		"lambda parameters one": repeated(funcHead+"lambda a", ", a", ": a"+argTail),
		"lambda many args":      repeated(funcHead+"lambda a, b: f(a", ", a", ")"+argTail),
		"lambda unknown names":  repeated(funcHead+"lambda a, b: [a", ", x%d", "]"+argTail),
		"lambda unknown calls":  repeated(funcHead+"lambda a, b: [a", ", g%d(a)", "]"+argTail),
		"lambda list":           repeated(funcHead+"lambda a, b: [a", ", 'x%d'", "]"+argTail),
		"lambda list mixed":     repeated(funcHead+"lambda a, b: [a", ", %d, 'x'", "]"+argTail),
		"lambda dict":           repeated(funcHead+"lambda a, b: {'a': 1", ", 'x%d': 2", "}"+argTail),
		"lambda dict one":       repeated(funcHead+"lambda a, b: {'a': 1", ", 'a': 2", "}"+argTail),
		"lambda sum":            repeated(funcHead+"lambda a, b: a", " + a", argTail),
		"lambda and":            repeated(funcHead+"lambda a, b: a", " and a", argTail),
		"lambda compare":        repeated(funcHead+"lambda a, b: a", " < a", argTail),
		"lambda power":          repeated(funcHead+"lambda a, b: 2", " ** 2", argTail),
		"lambda if":             repeated(funcHead+"lambda a, b: a", " if a else a", argTail),
		"lambda methods":        repeated(funcHead+"lambda a, b: a", ".strip()", argTail),
		"lambda attributes":     repeated(funcHead+"lambda a, b: a", ".x", argTail),
		"lambda index":          repeated(funcHead+"lambda a, b: a", "[0]", argTail),
		"lambda not":            repeated(funcHead+"lambda a, b: ", "not ", "a"+argTail),
		"lambda minus":          repeated(funcHead+"lambda a, b: ", "-", "1"+argTail),
		"lambda parentheses":    nested(funcHead+"lambda a, b: ", "(", "a", ")", argTail),
		"lambda lists":          nested(funcHead+"lambda a, b: ", "[", "a", "]", argTail),
		"lambda dicts":          nested(funcHead+"lambda a, b: ", "{'x':", "a", "}", argTail),
		"lambda calls":          nested(funcHead+"lambda a, b: ", "f(", "a", ")", argTail),
		"lambda comprehensions": nested(funcHead+"lambda a, b: ", "[", "a", " for x in b]", argTail),
		"lambda lambdas":        repeated(funcHead, "lambda a: ", "a"+argTail),
		"lambda open":           repeated(funcHead+"lambda a, b: ", "(", argTail),
		"lambda close":          repeated(funcHead+"lambda a, b: a", ")", argTail),
		"lambda text":           repeated(funcHead+"lambda a, b: '", "x", "'"+argTail),
		"lambda escapes":        repeated(funcHead+"lambda a, b: '", `\x41\n`, "'"+argTail),
		"lambda bad escapes":    repeated(funcHead+"lambda a, b: '", `\xzz`, "'"+argTail),
		"lambda adjacent":       repeated(funcHead+"lambda a, b: 'a'", ` 'x'`, argTail),
		"lambda unclosed":       repeated(funcHead+"lambda a, b: '", "x", argTail),
		"lambda triple":         repeated(funcHead+"lambda a, b: '''", "x\n", "'''"+argTail),
		"lambda f-string":       repeated(funcHead+"lambda a, b: f'", "{a}", "'"+argTail),
		"lambda f-string deep":  nested(funcHead+"lambda a, b: f'", "{", "a", "}", "'"+argTail),
		"lambda f-string text":  repeated(funcHead+"lambda a, b: f'", "{{x}}", "'"+argTail),
		"lambda f-strings":      repeated(funcHead+"lambda a, b: f'a'", " + f'{a} x'", argTail),
		"lambda format":         repeated(funcHead+"lambda a, b: '", "{}", "'.format(a)"+argTail),
		"lambda digits":         repeated(funcHead+"lambda a, b: ", "9", argTail),
		"lambda exponent":       repeated(funcHead+"lambda a, b: 1e", "9", argTail),
		"lambda junk":           repeated(funcHead+"lambda a, b: ", "? ", argTail),
		"lambda unicode":        repeated(funcHead+"lambda a, b: ", "größe ", argTail),
		"lambda newlines":       repeated(funcHead+"lambda a, b: [", "\na,", "]"+argTail),
		"lambda long name":      repeated(funcHead+"lambda a, b: ", "a", argTail),
		"lambda stars":          repeated(funcHead+"lambda a, b: f(", "*b, ", ")"+argTail),
		"lambda keywords":       repeated(funcHead+"lambda a, b: f(a", ", x%d=a", ")"+argTail),
		"literal statements":    repeated(funcHead+"func(a string) string {\n", "a += `x`\n", "return a }"+funcTail),
		"literal variables":     repeated(funcHead+"func(a string) string {\n", "x%[1]d := a; _ = x%[1]d\n", "return a }"+funcTail),
		"literal bad":           repeated(funcHead+"func(a string) string {\n", "x%d = b\n", "return a }"+funcTail),
		"literal sum":           repeated(funcHead+"func(a string) string { return a", " + a", "}"+funcTail),
		"literal calls":         nested(funcHead+"func(a string) string { return ", "string(", "a", ")", "}"+funcTail),
		"literal parentheses":   nested(funcHead+"func(a string) string { return ", "(", "a", ")", "}"+funcTail),
		"literal blocks":        nested(funcHead+"func(a string) string { ", "{", "", "}", "return a }"+funcTail),
		"literal ifs":           nested(funcHead+"func(a string) string { ", "if true {", "", "}", "return a }"+funcTail),
		"literal funcs":         nested(funcHead+"func(a string) string { ", "func() {", "", "}()", "; return a }"+funcTail),
		"literal parameters":    repeated(funcHead+"func(a string", ", a%d string", ") string { return a }"+funcTail),
		"literal results":       repeated(funcHead+"func(a string) (r string", ", a%d string", ") { return }"+funcTail),
		"literal struct":        nested(funcHead+"func(a ", "struct{A ", "int", "}", ") string { return `` }"+funcTail),
		"literal fields":        repeated(funcHead+"func(a struct{", "A%d string;", "}) string { return `` }"+funcTail),
		"literal map":           repeated(funcHead+"func(a ", "map[string]", "int) string { return `` }"+funcTail),
		"literal slices":        repeated(funcHead+"func(a ", "[]", "int) string { return `` }"+funcTail),
		"literal pointers":      repeated(funcHead+"func(a ", "*", "int) string { return `` }"+funcTail),
		"literal composite":     repeated(funcHead+"func(a string) string { _ = []int{", "1,", "}; return a }"+funcTail),
		"literal composites":    nested(funcHead+"func(a string) string { _ = ", "[]any{", "", "}", "; return a }"+funcTail),
		"literal text":          repeated(funcHead+"func(a string) string { return `", "x\n", "` }"+funcTail),
		"literal comments":      repeated(funcHead+"func(a string) string {\n", "// x\n", "return a }"+funcTail),
		"literal c comments":    repeated(funcHead+"func(a string) string {\n", "/* x */ ", "return a }"+funcTail),
		"literal constants":     repeated(funcHead+"func(a string) string {\n", "const c%d = 1\n", "return a }"+funcTail),
		"literal shifts":        repeated(funcHead+"func(a string) string { const c = 1", "<<1", "; return a }"+funcTail),
		"literal open":          repeated(funcHead+"func(a string) string ", "{", funcTail),
		"literal junk":          repeated(funcHead+"func(a string) string { ", "? ", "}"+funcTail),
		"literal long name":     repeated(funcHead+"func(a string) string { return ", "x", "}"+funcTail),
	}
	for _, unit := range []string{"func", "func(", "lambda", "lambda:", "lambda a:", "(*T).", "T[", "é", "$"} {
		group["function "+fmt.Sprintf("%q", unit)] = repeated(funcHead, unit, funcTail)
	}
	return group
}

// goFiles is Go source that a plain .aion file stands next to.
func goFiles() map[string]func(int) string {
	return map[string]func(int) string{
		"go functions":  repeated("package m\n", "// F%[1]d is a function.\nfunc F%[1]d(a string) string { return a }\n", ""),
		"go comment":    repeated("package m\n// F0 is long.\n", "// It goes on.\n", "func F0(a string) string { return a }\n"),
		"go comment at": repeated("package m\n// F0 is long.\n", "//aion:x\n", "func F0(a string) string { return a }\n"),
		"go constants":  repeated("package m\ntype E string\nconst (\n", "E%[1]d E = `e%[1]d`\n", ")\nfunc F0(e E) E { return e }\n"),
		"go fields":     repeated("package m\ntype S struct {\n", "A%d string\n", "}\nfunc F0(s S) S { return s }\n"),
		"go methods":    repeated("package m\ntype S struct{}\n", "func (S) M%d(a string) string { return a }\n", ""),
		"go types":      repeated("package m\n", "type S%d struct{ A string }\n", ""),
		"go tag":        repeated("package m\ntype S struct { A string `jsonschema:\"enum=a", ",enum=a", "\"` }\nfunc F0(s S) S { return s }\n"),
		"go generate":   repeated("package m\n", "//go:generate aiongen -tags x%d\n", ""),
	}
}

// snapshots is files to compare tools with.
func snapshots() map[string]func(int) string {
	return map[string]func(int) string{
		"snapshot tools":    repeated("[", `{"name":"f%d","inputSchema":{"type":"object"}},`, `{"name":"f","inputSchema":{"type":"object"}}]`),
		"snapshot one name": repeated("[", `{"name":"f","inputSchema":{"type":"object"}},`, `{"name":"f","inputSchema":{"type":"object"}}]`),
		"snapshot nested":   nested(`[{"name":"f","inputSchema":`, `{"type":"object","properties":{"a":`, "{}", "}}", "}]"),
		"snapshot arrays":   nested("", "[", "", "]", ""),
		"snapshot enum":     repeated(`[{"name":"f","inputSchema":{"type":"object","properties":{"a":{"type":"string","enum":["a"`, `,"x%d"`, `]}}}}]`),
		"snapshot keys":     repeated(`[{"name":"f","inputSchema":{"type":"object","properties":{"a":{"type":"string"}`, `,"x%d":{"type":"string"}`, `}}}]`),
		"snapshot text":     repeated(`[{"name":"f","description":"`, `word `, `","inputSchema":{"type":"object"}}]`),
	}
}
