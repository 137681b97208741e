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

// repeatedText makes texts of a head, as many units as there is room for, and a tail. A
// formatting verb in the unit is replaced by the number of the unit.
func repeatedText(head, unit, tail string) func(size int) string {
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

// nestedText makes texts in which an opening text is nested, with a closing one for each.
func nestedText(head, open, middle, end, tail string) func(size int) string {
	return func(size int) string {
		n := max(0, size-len(head)-len(middle)-len(tail)) / (len(open) + len(end))
		return head + strings.Repeat(open, n) + middle + strings.Repeat(end, n) + tail
	}
}

// halvesText makes texts of two repeated units, all of the first before all of the second.
func halvesText(head, first, second, tail string) func(size int) string {
	return func(size int) string {
		one, two := repeatedText(head, first, ""), repeatedText("", second, tail)
		return one(size/2) + two(size/2)
	}
}

// The beginnings and ends of files around a text in a note, a type, a list and so on.
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

// allShapes returns all inputs.
func allShapes() []shape {
	var all []shape
	add := func(file string, texts map[string]func(int) string) {
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			all = append(all, shape{name, file, texts[name]})
		}
	}
	add(inputFile, punctuationShapes())
	add(inputFile, noteShapes())
	add(inputFile, textShapes())
	add(inputFile, documentShapes())
	add(inputFile, expressionShapes())
	add(goFile, goFiles())
	add(snapshotFile, snapshotShapes())
	return all
}

// punctuationShapes is files of one token or a few, repeated.
func punctuationShapes() map[string]func(int) string {
	group := map[string]func(int) string{
		"punct json elements":    repeatedText("[", `{name:"x",function:"F",description:"d"},`, "]"),
		"punct open braces":      nestedText("[", "{", "", "", "]"),
		"punct nested braces":    nestedText("[", "{", "", "}", "]"),
		"punct nested brackets":  nestedText("", "[", "", "]", ""),
		"punct nested mixed":     nestedText("", "[{", "", "}]", ""),
		"punct crossed":          halvesText("", "[{", "]}", ""),
		"punct crlf":             repeatedText("", "\r\n", ""),
		"punct cr":               repeatedText("", "\r", ""),
		"punct lines":            repeatedText("", "x\n", ""),
		"punct one long line":    repeatedText("", "x ", ""),
		"punct long word":        repeatedText("", "x", ""),
		"punct long word dashes": repeatedText("", "x-", ""),
		"punct dashes":           repeatedText("", "-", ""),
		"punct dashes blanks":    repeatedText("x ", "- ", ""),
		"punct arrows names":     repeatedText("[", "a --> b --> ", "]"),
		"punct bom":              repeatedText("", "\ufeff", ""),
		"punct nul":              repeatedText("[", "\x00", "]"),
		"punct nul lines":        repeatedText("[", "\x00\n", "]"),
		"punct bad utf-8":        repeatedText("[", "\xff", "]"),
		"punct bad utf-8 apart":  repeatedText("[", "\xff a", "]"),
		"punct utf-16":           repeatedText("\xff\xfe", "a\x00", ""),
		"punct comments":         repeatedText("", "// x\n", ""),
		"punct comments in":      repeatedText("[ { // a\n", "// x\n", "} ]"),
		"punct c comments":       repeatedText("", "/* x */\n", ""),
		"punct c open":           repeatedText("", "/* ", ""),
		"punct c stars":          repeatedText("/*\n", " * x\n", "*/"),
		"punct html comments":    repeatedText("", "<!-- x -->\n", ""),
		"punct unicode arrows":   repeatedText("[", `a → "x", `, "]"),
		"punct urls":             repeatedText("[", "https://x ", "]"),
		"punct emoji":            repeatedText("[", "😀 ", "]"),
		"punct keys":             repeatedText("[", `"a" --> `, "]"),
		"punct fences":           repeatedText("", "```aion\n", ""),
		"punct fenced":           repeatedText("```aion\n[\n", "{ name --> 'x', link --> 'https://x.org/' },\n", "]\n```\n"),
		"punct triple single":    repeatedText("[", "{ name --> '''x%d''', link --> '''https://x.org/''' },\n", "]"),
		"punct open fences":      repeatedText("[", "a --> ```\n", "]"),
		"punct slashes":          repeatedText("[", "/ ", "]"),
		"punct dollar":           repeatedText("[", "$ --> ", "]"),
	}
	for _, unit := range []string{"<!-- ", "a /* b\n */", "-- a\n", "\u00a0", "\u200ba", `"a";`, "，", `a-->("x"`, `a-->"x" "y" `, "a-->\"x\"\n\"y\"\n", "a-->null,", "* {},", `a-->"F"-->[],`, "a=[{},", `{"tools":[`, `{name-->"a",args_schema-->{properties-->{a-->{type-->"int"}}}},`, `{function-->"F"-->{x-->"int"}},`, "a-->", "]}", "{},", "'", "{name}", "# x\n", "'''", `"`, `"""`, `" `, `""" `, "{", "[", "}", "]", ",", "-->", "--> ", `"a"`, `"a",`, `"a"-->`, "a,", "a:", "a=1,", "'a'", "'a',", "“", "`", "``` ", "[],", "[{", "]{", "}{", `{"`, `\"`, "a-->\"", "a-->'", "a-->{", "a-->[", "name-->{", "function-->{", "function-->\"F\"{", "function-->F-->{", "}-->{", "rules-->[", "name", "name ", "name,", "name-->", "<a>", "# ", "/*", "*/", "> ", "= ", ": ", "a\n-->\n", "\"\n", "\"a\nb-->"} {
		group["punct "+fmt.Sprintf("%q", unit)] = repeatedText("[", unit, "]")
	}
	return group
}

// noteShapes is files with one long note, or with many.
func noteShapes() map[string]func(int) string {
	return map[string]func(int) string{
		"note only one":           repeatedText(dictHead+"dict | only=a", ",a", noteTail),
		"note only many":          repeatedText(dictHead+"dict | only=a", ",a%d", noteTail),
		"note only fields":        repeatedText(typeHead+"T | only=a", ",a%d", noteTail),
		"note only deep":          repeatedText(typeHead+"T | only=a,c", ".c", noteTail),
		"note only chain":         repeatedText(typeHead+"T | omit=a", ",c.d.c.d.b", noteTail),
		"note only quoted":        repeatedText(dictHead+"dict | only=a", ",'a%d'", noteTail),
		"note only unclosed":      repeatedText(dictHead+"dict | only=a", ",'", noteTail),
		"note only bad":           repeatedText(dictHead+"dict | only=a", ",a[%d]", noteTail),
		"note only empty":         repeatedText(dictHead+"dict | only=", ",", noteTail),
		"note only dots":          repeatedText(dictHead+"dict | only=", ".", noteTail),
		"note only stars":         repeatedText(typeHead+"T | omit=a", ",*.b%d", noteTail),
		"note only and omit":      halvesText(dictHead+"dict | only=a", ",a1%d", ",b", noteTail),
		"note required optional":  halvesText(dictHead+"dict | required=a", ",a", " | optional=a", noteTail),
		"note bars":               repeatedText(noteHead+"string", " | x", noteTail),
		"note bars only":          repeatedText(noteHead+"string", "|", noteTail),
		"note bars numbered":      repeatedText(noteHead+"string", " | x%d", noteTail),
		"note options unknown":    repeatedText(noteHead+"string", " | minimum=1", noteTail),
		"note options repeated":   repeatedText(noteHead+"string", " | min=1", noteTail),
		"note options enum":       repeatedText(noteHead+"string", " | enum=a|b", noteTail),
		"note options misspelt":   repeatedText(noteHead+"string", " | requird", noteTail),
		"note options row":        repeatedText(noteHead+"string | min=1", ", max=%d", noteTail),
		"note enum":               repeatedText(noteHead+"string | enum=a", ",a%d", noteTail),
		"note enum same":          repeatedText(noteHead+"string | enum=a", ",a", noteTail),
		"note enum ints":          repeatedText(intHead+"int | enum=1", ",%d", noteTail),
		"note enum zeros":         repeatedText(intHead+"int | enum=1", ",0%d", noteTail),
		"note enum words":         repeatedText(intHead+"int | enum=1", ",x%d", noteTail),
		"note enum quotes":        repeatedText(noteHead+"string | enum=a", ",'", noteTail),
		"note enum barred":        repeatedText(noteHead+"string | enum=a", "|b%d", noteTail),
		"note enum brackets":      repeatedText(noteHead+"string | enum=[", "[", "]"+noteTail),
		"note default long":       repeatedText(noteHead+"string | default=", "x", noteTail),
		"note default digits":     repeatedText(intHead+"int | default=1", "0", noteTail),
		"note default exponent":   repeatedText(intHead+"int | default=1e", "9", noteTail),
		"note default list":       repeatedText(listHead+"list[string] | default=[", "'a',", "]"+noteTail),
		"note default nested":     nestedText(listHead+"list | default=", "[", "", "]", noteTail),
		"note max digits":         repeatedText(intHead+"int | max=", "9", noteTail),
		"note type long":          repeatedText(noteHead, "x", noteTail),
		"note type dots":          repeatedText(noteHead+"a", ".a", noteTail),
		"note type stars":         repeatedText(noteHead, "*", "T"+noteTail),
		"note type slices":        repeatedText(noteHead, "[]", "T"+noteTail),
		"note type list":          nestedText(noteHead, "list[", "int", "]", noteTail),
		"note type map":           nestedText(noteHead, "map[string]", "int", "", noteTail),
		"note type arrays":        nestedText(noteHead, "[3]", "int", "", noteTail),
		"note type arguments":     repeatedText(noteHead+"T[int", ",int", "]"+noteTail),
		"note type angle":         nestedText(noteHead, "list<", "int", ">", noteTail),
		"note type func":          nestedText(noteHead, "func(", "", ")", noteTail),
		"note parentheses":        nestedText(noteHead+"string ", "(", "", ")", noteTail),
		"note parenthesis open":   repeatedText(noteHead+"string (", "(", noteTail),
		"note parenthesis bars":   repeatedText(noteHead+"string (a", "|", ")"+noteTail),
		"note prose":              repeatedText(noteHead+"the ", "word ", noteTail),
		"note prose list of":      repeatedText(noteHead, "list of ", "string"+noteTail),
		"note prose colon":        repeatedText(noteHead+"string", ": x", noteTail),
		"note prose bars":         repeatedText(noteHead+"the word", " | max length: %d", noteTail),
		"note blanks":             repeatedText(noteHead+"string", " ", "x"+noteTail),
		"note lines":              repeatedText(noteHead+"string (", "x\n", ")"+noteTail),
		"note many":               repeatedText(blockHead, `arg-%d --> "string (x)", `, blockTail),
		"note many one":           repeatedText(blockHead, `arg-1 --> "string (x)", `, blockTail),
		"note many gaps":          repeatedText(blockHead, `arg-%d7 --> "string (x)", `, blockTail),
		"note many zero":          repeatedText(blockHead, `arg-0%d --> "string (x)", `, blockTail),
		"note many words":         repeatedText(blockHead, `argument%d --> "string (x)", `, blockTail),
		"note many bad":           repeatedText(blockHead, `arg-%d --> "strng | requird | minimum=1", `, blockTail),
		"note many returns":       repeatedText(blockHead, `return-%d --> "string", `, blockTail),
		"note many nested":        nestedText(blockHead, `arg-1 --> { `, "", "}", blockTail),
		"note number long":        repeatedText(blockHead+"arg-1", "0", ` --> "string" `+blockTail),
		"fields many":             repeatedText(fieldHead, `f%d --> "string (x)", `, blockTail),
		"fields many one":         repeatedText(fieldHead, `f --> "string (x)", `, blockTail),
		"fields many unused":      repeatedText(strings.Replace(fieldHead, `"H"`, `"G"`, 1), `f%d --> "string (x)", `, blockTail),
		"fields shaped":           repeatedText(fieldHead, `f%d --> "dict | only=a,b", `, blockTail),
		"fields none":             repeatedText(fieldHead, `f%d --> "none", `, blockTail),
		"fields json schema":      nestedText(fieldHead, `properties --> { `, "", "}", blockTail),
		"fields lambda":           repeatedText(`[ { name --> "f", function --> "lambda f0: f0" --> {}, args_schema --> {`, `f%d --> "string (x)", `, blockTail),
		"schema name long":        repeatedText(`[ { name --> "f", function --> "G" --> {}, args_schema --> "`, "x", descTail),
		"schema name stars":       repeatedText(`[ { name --> "f", function --> "G" --> {}, args_schema --> "`, "*", `T`+descTail),
		"schema without function": repeatedText("[", `{ name --> "f%d", args_schema --> { a --> "int" }, link --> "https://x.org" },`, "]"),
	}
}

// textShapes is files with one long text, or with many.
func textShapes() map[string]func(int) string {
	return map[string]func(int) string{
		"text query":             repeatedText(queryHead, "{query}", textTail),
		"text query payload":     repeatedText(queryHead, "{query}{payload}", textTail),
		"text query misspelt":    repeatedText(queryHead, "{qury}", textTail),
		"text query braces":      repeatedText(queryHead, "{", textTail),
		"text query lines":       repeatedText(queryHead, "{pay_load}\n", textTail),
		"text query names":       repeatedText(queryHead, "{x%d}", textTail),
		"text query long name":   repeatedText(queryHead+"{", "x", "}"+textTail),
		"text system":            repeatedText(`[ system_prompt --> "`, "line\n", textTail),
		"text system crlf":       repeatedText(`[ system_prompt --> """`, " line\r\n", `""" ]`),
		"text system indents":    repeatedText(`[ system_prompt --> """`, "\n  a\n\t\n", `""" ]`),
		"text rules":             repeatedText(`[ rules --> [`, `"rule %d",`, "] ]"),
		"text rules nested":      nestedText(`[ rules --> `, "[", "", "]", deepTail),
		"text rules words":       repeatedText(`[ rules --> [`, `rule,`, "] ]"),
		"text rules twice":       repeatedText(`[`, `rules --> ["x"],`, "]"),
		"text prompts twice":     repeatedText(`[`, `system_prompt --> "x",`, "]"),
		"text description":       repeatedText(descHead, "word ", descTail),
		"text description lines": repeatedText(descHead, "a\n\n", descTail),
		"text description bad":   repeatedText(descHead, "\x01\u202e", descTail),
		"text description quote": repeatedText(descHead, `\"a\" `, descTail),
		"text single quotes":     repeatedText(`[ { name --> '`, "it's ", `' } ]`),
		"text triple quotes":     repeatedText("[ { name --> '''", "line\n", "''' } ]"),
		"text name long":         repeatedText(`[ { name --> "`, "x", `", function --> "F" --> {} } ]`),
		"text name bad":          repeatedText(`[ { name --> "`, "größe ", `", function --> "F" --> {} } ]`),
		"text link long":         repeatedText(`[ { name --> "f", link --> "https://x.org/`, "a/", descTail),
		"text link bad":          repeatedText(`[ { name --> "f", link --> "`, "a ", descTail),
		"text link percent":      repeatedText(`[ { name --> "f", link --> "https://x.org/`, "%%", descTail),
		"text link markdown":     repeatedText(`[ { name --> "f", link --> "`, "[a](", descTail),
		"text function long":     repeatedText(`[ { name --> "f", function --> "`, "F", `" --> {} } ]`),
		"text function dots":     repeatedText(`[ { name --> "f", function --> "F`, ".F", `" --> {} } ]`),
		"text function slashes":  repeatedText(`[ { name --> "f", function --> "a`, "/a", `.F" --> {} } ]`),
		"text function generic":  nestedText(`[ { name --> "f", function --> "`, "F[", "int", "]", `" --> {} } ]`),
		"text function types":    repeatedText(`[ { name --> "f", function --> "F[int`, ",int", `]" --> {} } ]`),
		"text function words":    repeatedText(`[ { name --> "f", function --> "`, "F x ", `" --> {} } ]`),
		"text unclosed":          repeatedText(`[ { name --> "f", description --> "`, "word ", ""),
		"text unclosed block":    repeatedText(`[ { name --> "f", description --> """`, "word\n", ""),
		"text unclosed arrows":   repeatedText(`[ { name --> "f`, "\n --> ", ""),
		"text unclosed props":    repeatedText(`[`, "{ name --> \"x%d,\n link --> \"https://x.org\" },\n", "]"),
		"text unquoted":          repeatedText(`[`, "{ name --> x%d, link --> some text },\n", "]"),
		"text unquoted long":     repeatedText(`[ { name --> `, "word ", "} ]"),
		"text blocks":            repeatedText(`[`, `{ name --> """x%d""", link --> """https://x.org""" },`, "]"),
		"text quotes at end":     repeatedText(`[`, `{ name --> """x"""", link --> "https://x.org" },`, "]"),
		"text quotes inside":     repeatedText(`[`, `{ name --> "x "y" z", link --> "https://x.org" },`, "]"),
	}
}

// documentShapes is files of many elements or properties.
func documentShapes() map[string]func(int) string {
	return map[string]func(int) string{
		"doc tools":               repeatedText("[", "{ name --> \"f%d\", function --> \"F\" --> {} },\n", "]"),
		"doc tools bound":         repeatedText("[", "{ name --> \"f%d\", function --> \"F\" --> { arg-1 --> \"string (x)\", return-1 --> \"string (y)\" }, description --> \"d\" },\n", "]"),
		"doc tools one name":      repeatedText("[", "{ name --> \"f\", function --> \"F\" --> {} },\n", "]"),
		"doc tools ghosts":        repeatedText("[", "{ name --> \"f%[1]d\", function --> \"Gost%[1]d\" --> {} },\n", "]"),
		"doc tools bad names":     repeatedText("[", "{ name --> \"größe %d\", function --> \"F\" --> {} },\n", "]"),
		"doc tools same bad name": repeatedText("[", "{ name --> \"a b\", function --> \"F\" --> {} },\n", "]"),
		"doc tools no block":      repeatedText("[", "{ name --> \"f%d\", function --> \"F\" },\n", "]"),
		"doc tools no comma":      repeatedText("[", "{ name --> \"f%d\" function --> \"F\" --> {} }\n", "]"),
		"doc tools no array":      repeatedText("", "{ name --> \"f%d\", function --> \"F\" --> {} },\n", ""),
		"doc tools arrays":        repeatedText("", "[ { name --> \"f%d\", function --> \"F\" --> {} } ]\n", ""),
		"doc tools unclosed":      repeatedText("[", "{ name --> \"f%d\", function --> \"F\" --> {\n", "]"),
		"doc tools closed twice":  repeatedText("[", "{ name --> \"f%d\" }, link --> \"https://x.org\" },\n", "]"),
		"doc tools links":         repeatedText("[", "{ name --> \"f%d\", link --> \"https://x.org/%[1]d\" },\n", "]"),
		"doc tools wrong type":    repeatedText("[", "{ name --> \"f%d\", function --> \"F\" --> { arg-1 --> \"int\" } },\n", "]"),
		"doc tools too many":      repeatedText("[", "{ name --> \"f%d\", function --> \"F\" --> { arg-1 --> \"string\", arg-2 --> \"int\" } },\n", "]"),
		"doc tools todo":          repeatedText("[", "{ name --> \"f%d\", description --> \"TODO: x\", link --> \"https://x.org\" },\n", "]"),
		"doc tools json":          repeatedText("[", "{ \"name\": \"f%d\", \"function\": \"F\", \"description\": \"d\" },\n", "]"),
		"doc tools python":        repeatedText("[", "{ 'name': 'f%d', 'function': 'F' },\n", "]"),
		"doc tools commented":     repeatedText("[", "// c\n{ // d\n name --> \"f%d\", // e\n link --> \"https://x.org\" }, // f\n", "]"),
		"doc tools hash":          repeatedText("[", "# c\n{ name --> \"f%d\", link --> \"https://x.org\" },\n", "]"),
		"doc tools desc":          repeatedText("[", "{ name --> \"f%d\", desc --> \"d\", link --> \"https://x.org\" },\n", "]"),
		"doc tools unknown":       repeatedText("[", "{ name --> \"f%d\", foo --> \"d\", link --> \"https://x.org\" },\n", "]"),
		"doc tools arg_1":         repeatedText("[", "{ name --> \"f%d\", function --> \"F\" --> { arg_1 --> \"string\" } },\n", "]"),
		"doc tools lambda":        repeatedText("[", "{ name --> \"f%d\", function --> \"lambda a: f(a) + 'x'\" --> { arg-1 --> \"string\" } },\n", "]"),
		"doc tools literal":       repeatedText("[", "{ name --> \"f%d\", function --> \"func(a string) string { return a + `x` }\" --> {} },\n", "]"),
		"doc properties":          repeatedText("[ {", `p%d --> "x",`, "} ]"),
		"doc properties one":      repeatedText("[ {", `name --> "x",`, "} ]"),
		"doc properties two":      repeatedText("[ {", `nam --> "x", name --> "y",`, "} ]"),
		"doc properties loose":    repeatedText("[", `name --> "x", link --> "y",`, "]"),
		"doc properties outside":  repeatedText(`[ { name --> "x" },`, `p%d --> "x",`, "]"),
		"doc properties behind":   repeatedText(`[ { name --> "x" } ]`, ` name --> "x",`, ""),
		"doc blocks":              repeatedText("[ {", `function --> "F" --> {},`, "} ]"),
		"doc blocks open":         repeatedText("[ {", `function --> "F" --> `, "} ]"),
		"doc blocks released":     repeatedText("[ {", `function --> "F" --> { arg-1 --> "x", name --> "y", `, "} ]"),
		"doc schema gap":          repeatedText("[ {", `args_schema --> a --> "int", `, "} ]"),
		"doc element in element":  repeatedText("[ {", ` name --> "x", { `, "} ]"),
	}
}

// expressionShapes is files with one long lambda or Go literal.
func expressionShapes() map[string]func(int) string {
	group := map[string]func(int) string{
		"lambda parameters":     repeatedText(funcHead+"lambda a", ", a%d", ": a"+argTail),
		"lambda parameters one": repeatedText(funcHead+"lambda a", ", a", ": a"+argTail),
		"lambda many args":      repeatedText(funcHead+"lambda a, b: f(a", ", a", ")"+argTail),
		"lambda unknown names":  repeatedText(funcHead+"lambda a, b: [a", ", x%d", "]"+argTail),
		"lambda unknown calls":  repeatedText(funcHead+"lambda a, b: [a", ", g%d(a)", "]"+argTail),
		"lambda list":           repeatedText(funcHead+"lambda a, b: [a", ", 'x%d'", "]"+argTail),
		"lambda list mixed":     repeatedText(funcHead+"lambda a, b: [a", ", %d, 'x'", "]"+argTail),
		"lambda dict":           repeatedText(funcHead+"lambda a, b: {'a': 1", ", 'x%d': 2", "}"+argTail),
		"lambda dict one":       repeatedText(funcHead+"lambda a, b: {'a': 1", ", 'a': 2", "}"+argTail),
		"lambda sum":            repeatedText(funcHead+"lambda a, b: a", " + a", argTail),
		"lambda and":            repeatedText(funcHead+"lambda a, b: a", " and a", argTail),
		"lambda compare":        repeatedText(funcHead+"lambda a, b: a", " < a", argTail),
		"lambda power":          repeatedText(funcHead+"lambda a, b: 2", " ** 2", argTail),
		"lambda if":             repeatedText(funcHead+"lambda a, b: a", " if a else a", argTail),
		"lambda methods":        repeatedText(funcHead+"lambda a, b: a", ".strip()", argTail),
		"lambda attributes":     repeatedText(funcHead+"lambda a, b: a", ".x", argTail),
		"lambda index":          repeatedText(funcHead+"lambda a, b: a", "[0]", argTail),
		"lambda not":            repeatedText(funcHead+"lambda a, b: ", "not ", "a"+argTail),
		"lambda minus":          repeatedText(funcHead+"lambda a, b: ", "-", "1"+argTail),
		"lambda parentheses":    nestedText(funcHead+"lambda a, b: ", "(", "a", ")", argTail),
		"lambda lists":          nestedText(funcHead+"lambda a, b: ", "[", "a", "]", argTail),
		"lambda dicts":          nestedText(funcHead+"lambda a, b: ", "{'x':", "a", "}", argTail),
		"lambda calls":          nestedText(funcHead+"lambda a, b: ", "f(", "a", ")", argTail),
		"lambda comprehensions": nestedText(funcHead+"lambda a, b: ", "[", "a", " for x in b]", argTail),
		"lambda lambdas":        repeatedText(funcHead, "lambda a: ", "a"+argTail),
		"lambda open":           repeatedText(funcHead+"lambda a, b: ", "(", argTail),
		"lambda close":          repeatedText(funcHead+"lambda a, b: a", ")", argTail),
		"lambda text":           repeatedText(funcHead+"lambda a, b: '", "x", "'"+argTail),
		"lambda escapes":        repeatedText(funcHead+"lambda a, b: '", `\x41\n`, "'"+argTail),
		"lambda bad escapes":    repeatedText(funcHead+"lambda a, b: '", `\xzz`, "'"+argTail),
		"lambda adjacent":       repeatedText(funcHead+"lambda a, b: 'a'", ` 'x'`, argTail),
		"lambda unclosed":       repeatedText(funcHead+"lambda a, b: '", "x", argTail),
		"lambda triple":         repeatedText(funcHead+"lambda a, b: '''", "x\n", "'''"+argTail),
		"lambda f-string":       repeatedText(funcHead+"lambda a, b: f'", "{a}", "'"+argTail),
		"lambda f-string deep":  nestedText(funcHead+"lambda a, b: f'", "{", "a", "}", "'"+argTail),
		"lambda f-string text":  repeatedText(funcHead+"lambda a, b: f'", "{{x}}", "'"+argTail),
		"lambda f-strings":      repeatedText(funcHead+"lambda a, b: f'a'", " + f'{a} x'", argTail),
		"lambda format":         repeatedText(funcHead+"lambda a, b: '", "{}", "'.format(a)"+argTail),
		"lambda digits":         repeatedText(funcHead+"lambda a, b: ", "9", argTail),
		"lambda exponent":       repeatedText(funcHead+"lambda a, b: 1e", "9", argTail),
		"lambda junk":           repeatedText(funcHead+"lambda a, b: ", "? ", argTail),
		"lambda unicode":        repeatedText(funcHead+"lambda a, b: ", "größe ", argTail),
		"lambda newlines":       repeatedText(funcHead+"lambda a, b: [", "\na,", "]"+argTail),
		"lambda long name":      repeatedText(funcHead+"lambda a, b: ", "a", argTail),
		"lambda stars":          repeatedText(funcHead+"lambda a, b: f(", "*b, ", ")"+argTail),
		"lambda keywords":       repeatedText(funcHead+"lambda a, b: f(a", ", x%d=a", ")"+argTail),
		"literal statements":    repeatedText(funcHead+"func(a string) string {\n", "a += `x`\n", "return a }"+funcTail),
		"literal variables":     repeatedText(funcHead+"func(a string) string {\n", "x%[1]d := a; _ = x%[1]d\n", "return a }"+funcTail),
		"literal bad":           repeatedText(funcHead+"func(a string) string {\n", "x%d = b\n", "return a }"+funcTail),
		"literal sum":           repeatedText(funcHead+"func(a string) string { return a", " + a", "}"+funcTail),
		"literal calls":         nestedText(funcHead+"func(a string) string { return ", "string(", "a", ")", "}"+funcTail),
		"literal parentheses":   nestedText(funcHead+"func(a string) string { return ", "(", "a", ")", "}"+funcTail),
		"literal blocks":        nestedText(funcHead+"func(a string) string { ", "{", "", "}", "return a }"+funcTail),
		"literal ifs":           nestedText(funcHead+"func(a string) string { ", "if true {", "", "}", "return a }"+funcTail),
		"literal funcs":         nestedText(funcHead+"func(a string) string { ", "func() {", "", "}()", "; return a }"+funcTail),
		"literal parameters":    repeatedText(funcHead+"func(a string", ", a%d string", ") string { return a }"+funcTail),
		"literal results":       repeatedText(funcHead+"func(a string) (r string", ", a%d string", ") { return }"+funcTail),
		"literal struct":        nestedText(funcHead+"func(a ", "struct{A ", "int", "}", ") string { return `` }"+funcTail),
		"literal fields":        repeatedText(funcHead+"func(a struct{", "A%d string;", "}) string { return `` }"+funcTail),
		"literal map":           repeatedText(funcHead+"func(a ", "map[string]", "int) string { return `` }"+funcTail),
		"literal slices":        repeatedText(funcHead+"func(a ", "[]", "int) string { return `` }"+funcTail),
		"literal pointers":      repeatedText(funcHead+"func(a ", "*", "int) string { return `` }"+funcTail),
		"literal composite":     repeatedText(funcHead+"func(a string) string { _ = []int{", "1,", "}; return a }"+funcTail),
		"literal composites":    nestedText(funcHead+"func(a string) string { _ = ", "[]any{", "", "}", "; return a }"+funcTail),
		"literal text":          repeatedText(funcHead+"func(a string) string { return `", "x\n", "` }"+funcTail),
		"literal comments":      repeatedText(funcHead+"func(a string) string {\n", "// x\n", "return a }"+funcTail),
		"literal c comments":    repeatedText(funcHead+"func(a string) string {\n", "/* x */ ", "return a }"+funcTail),
		"literal constants":     repeatedText(funcHead+"func(a string) string {\n", "const c%d = 1\n", "return a }"+funcTail),
		"literal shifts":        repeatedText(funcHead+"func(a string) string { const c = 1", "<<1", "; return a }"+funcTail),
		"literal open":          repeatedText(funcHead+"func(a string) string ", "{", funcTail),
		"literal junk":          repeatedText(funcHead+"func(a string) string { ", "? ", "}"+funcTail),
		"literal long name":     repeatedText(funcHead+"func(a string) string { return ", "x", "}"+funcTail),
	}
	for _, unit := range []string{"func", "func(", "lambda", "lambda:", "lambda a:", "(*T).", "T[", "é", "$"} {
		group["function "+fmt.Sprintf("%q", unit)] = repeatedText(funcHead, unit, funcTail)
	}
	return group
}

// goFiles is Go source of packages that also have a plain .aion file.
func goFiles() map[string]func(int) string {
	return map[string]func(int) string{
		"go functions":  repeatedText("package m\n", "// F%[1]d is a function.\nfunc F%[1]d(a string) string { return a }\n", ""),
		"go comment":    repeatedText("package m\n// F0 is long.\n", "// It goes on.\n", "func F0(a string) string { return a }\n"),
		"go comment at": repeatedText("package m\n// F0 is long.\n", "//aion:x\n", "func F0(a string) string { return a }\n"),
		"go constants":  repeatedText("package m\ntype E string\nconst (\n", "E%[1]d E = `e%[1]d`\n", ")\nfunc F0(e E) E { return e }\n"),
		"go fields":     repeatedText("package m\ntype S struct {\n", "A%d string\n", "}\nfunc F0(s S) S { return s }\n"),
		"go methods":    repeatedText("package m\ntype S struct{}\n", "func (S) M%d(a string) string { return a }\n", ""),
		"go types":      repeatedText("package m\n", "type S%d struct{ A string }\n", ""),
		"go tag":        repeatedText("package m\ntype S struct { A string `jsonschema:\"enum=a", ",enum=a", "\"` }\nfunc F0(s S) S { return s }\n"),
		"go generate":   repeatedText("package m\n", "//go:generate aiongen -tags x%d\n", ""),
	}
}

// snapshotShapes is files to compare tools with.
func snapshotShapes() map[string]func(int) string {
	return map[string]func(int) string{
		"snapshot tools":    repeatedText("[", `{"name":"f%d","inputSchema":{"type":"object"}},`, `{"name":"f","inputSchema":{"type":"object"}}]`),
		"snapshot one name": repeatedText("[", `{"name":"f","inputSchema":{"type":"object"}},`, `{"name":"f","inputSchema":{"type":"object"}}]`),
		"snapshot nested":   nestedText(`[{"name":"f","inputSchema":`, `{"type":"object","properties":{"a":`, "{}", "}}", "}]"),
		"snapshot arrays":   nestedText("", "[", "", "]", ""),
		"snapshot enum":     repeatedText(`[{"name":"f","inputSchema":{"type":"object","properties":{"a":{"type":"string","enum":["a"`, `,"x%d"`, `]}}}}]`),
		"snapshot keys":     repeatedText(`[{"name":"f","inputSchema":{"type":"object","properties":{"a":{"type":"string"}`, `,"x%d":{"type":"string"}`, `}}}]`),
		"snapshot text":     repeatedText(`[{"name":"f","description":"`, `word `, `","inputSchema":{"type":"object"}}]`),
	}
}
