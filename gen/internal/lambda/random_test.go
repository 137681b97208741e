package lambda_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// maker generates random expressions of given types.
type maker struct{ *rand.Rand }

var randomParams = []param{{"a", "int"}, {"b", "int"}, {"x", "float"}, {"s", "str"}, {"t", "str"}, {"p", "bool"}, {"xs", "list[int]"}, {"ws", "list[str]"}, {"v", "any"}}

// randomExpressions generates expressions with calls. The result is the same for the same random
// source.
func randomExpressions(r *rand.Rand, n int) []expression {
	m := maker{r}
	var list []expression
	for len(list) < n {
		types := []string{"int", "float", "str", "bool", "ints", "strs", "any"}
		e := expression{params: randomParams, text: m.expr(types[m.IntN(len(types))], 4)}
		if len(e.text) > 400 {
			continue
		}
		for range 4 {
			e.calls = append(e.calls, m.arguments())
		}
		list = append(list, e)
	}
	return list
}

func (m maker) arguments() []any {
	ints := []any{0, 1, -1, 2, 3, 5, -7, 10, 100}
	strs := []any{"", "a", "ab", "abc", "b a", "é", "12", "-3", "a,b", "Ab c"}
	list := func(from []any) []any {
		values := []any{}
		for range m.IntN(4) {
			values = append(values, from[m.IntN(len(from))])
		}
		return values
	}
	pick := func(from ...any) any { return from[m.IntN(len(from))] }
	dynamic := pick(pick(ints...), pick(strs...), 1.5, true, nil, list(ints), list(strs), map[string]any{"a": 1})
	return []any{pick(ints...), pick(ints...), pick(0.0, 1.0, -1.5, 2.25, 1e3, 0.5), pick(strs...), pick(strs...), m.IntN(2) == 0, list(ints), list(strs), dynamic}
}

// pick fills in a random template. Each «type» stands for an expression of that type.
func (m maker) pick(depth int, templates ...string) string {
	text := templates[m.IntN(len(templates))]
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "«")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		kind, after, _ := strings.Cut(rest, "»")
		b.WriteString(m.expr(kind, depth-1))
		text = after
	}
}

// expr returns an expression of a type with limited nesting.
func (m maker) expr(kind string, depth int) string {
	if depth <= 0 {
		return m.leaf(kind)
	}
	switch kind {
	case "int":
		return m.pick(depth, "(«int» + «int»)", "(«int» - «int»)", "(«int» * «int»)", "(«int» // «int»)", "(«int» % «int»)", "(-«int»)", "abs(«int»)",
			"len(«str»)", "len(«ints»)", "len(«strs»)", "«ints»[«int»]", "sum(«ints»)", "min(«ints»)", "max(«int», «int»)", "(«int» if «bool» else «int»)",
			"(«int» or «int»)", "(«int» and «int»)", "(«bool» and «int» or «int»)", "(«str» and «int» or «int»)", "«any».count(«any»)", "int(«str»)", "int(«float»)", "«str».find(«str»)", "«str».count(«str»)", "round(«float»)", "(«int» + «bool»)",
			"half(«int»)", "trace('x', «int»)", "sum([y * «int» for y in «ints» if y])", "(«int» ** 2)", "«int»")
	case "float":
		return m.pick(depth, "(«float» + «float»)", "(«float» - «int»)", "(«float» * «float»)", "(«int» / «int»)", "(«float» / «float»)", "(«float» // «float»)",
			"(«float» % «float»)", "(-«float»)", "abs(«float»)", "float(«int»)", "(«float» if «bool» else «float»)", "round(«float», 1)", "mean(«int», «float»)",
			"sum([«float», «float»])", "min(«float», «float»)", "(«float» or «float»)", "«float»")
	case "str":
		return m.pick(depth, "(«str» + «str»)", "«str»[«int»:«int»]", "«str»[::«int»]", "«str»[«any»:«any»]", "«str».strip(«any»)", "«str».replace(«str», «any»)", "«str»[«int»]", "«str».upper()", "«str».strip()", "«str».replace(«str», «str»)",
			"str(«int»)", "str(«float»)", "str(«bool»)", "str(«ints»)", "(«str» if «bool» else «str»)", "(«str» or «str»)", "(«str» and «str»)", "«str».join(«strs»)",
			"«strs»[«int»]", "(«str» * «int»)[:20]", "'{}-{}'.format(«int», «str»)", "«str».title()", "join3(«str», «str», «str»)", "str(«any»)", "'{:05d}'.format(«int»)", "'{:,.2f}|{!r}'.format(«float», «str»)", "('%s:%d' % («str», «int»))", "('%.1f|%-6s' % («float», «any»))", "format(«int», 'x')", "«str»")
	case "bool":
		return m.pick(depth, "(«int» < «int»)", "(«int» <= «float» < «int»)", "(«str» < «str»)", "(«str» == «str»)", "(«int» == «float»)", "(«int» in «ints»)",
			"(«str» in «str»)", "(«str» not in «strs»)", "(not «bool»)", "(«bool» and «bool»)", "(«bool» or «bool»)", "«str».startswith(«str»)", "bool(«ints»)",
			"any(«ints»)", "any(y > z for y in «ints» for z in «ints»)", "all(y // z for z in «ints» for y in «ints» if «bool»)", "all([y > «int» for y in «ints»])", "(«ints» == «ints»)", "(not «any»)", "(«any» is None)", "(«any» == «any»)", "(«int» != «int»)",
			"(«bool» if «int» else «bool»)", "(«any» in «strs»)", "bool(«any»)", "«bool»")
	case "ints":
		return m.pick(depth, "(«ints» + «ints»)", "«ints»[«int»:«int»]", "«ints»[::«int»]", "[«int», «int»]", "[y + «int» for y in «ints»]", "[y for y in «ints» if y > «int»]", "[y + z for y in «ints» for z in «ints» if y]", "[len(c) for y in «strs» for c in y]",
			"sorted(«ints»)", "sorted(«ints», reverse=«bool»)", "sorted(«ints», reverse=«int»)", "«ints»[«any»:]", "sorted(«ints», key=lambda y: y % 3)", "[len(w) for w in «strs»]", "(«ints» if «bool» else «ints»)", "(«ints» or «ints»)", "[*«ints», «int», *«ints»]", "[*«ints»]", "«ints»")
	case "strs":
		return m.pick(depth, "(«strs» + «strs»)", "«strs»[«int»:]", "«str».split()", "«str».split(',')", "«str».split(«any»)", "[w.upper() for w in «strs»]", "[w for w in «strs» if w]",
			"sorted(«strs»)", "sorted(«strs», key=len)", "[c for c in «str»]", "[c for y in «strs» if y for c in y]", "[str(y) for y in «ints»]", "[*«strs», «str»]", "[*«str»]", "«strs»")
	}
	return m.pick(depth, "(«any» + «int»)", "(«any» if «bool» else «any»)", "(«any» or «int»)", "(«int» if «bool» else «str»)", "[«int», «str», «any»][«int»]",
		"«any»[«int»]", "«any»['a']", "(«any» + «any»)", "{'a': «any», 'b': «int»}['a']", "[{w: «int» for w in «strs»}, v][0]", "[{**{'a': «any»}, 'b': «int»}, v][0]", "[{'a': «int»} | {'a': «str»}, v][0]", "([«any», v][0] | {'b': «int»})", "([«any», v][0] | [«any», v][1])", "[[*«any», «int»], v][0]", "(«any» and «str»)", "[y for y in «any»][0]", "(«any» * 2)", "min(«int», «float»)",
		"(«str» + «any»)", "«any»[1:]", "[len(«any»), «any»][«bool»]", "(-«any»)", "(«int» // «any»)", "(«any» and «any» or «any»)", "round(«any», «any»)", "«any»")
}

func (m maker) leaf(kind string) string {
	pick := func(from ...string) string { return from[m.IntN(len(from))] }
	switch kind {
	case "int":
		return pick("a", "b", "a", "b", fmt.Sprint(m.IntN(10)), "limit", "len(s)")
	case "float":
		return pick("x", "x", "0.5", "2.0", "1e2", "-1.25")
	case "str":
		return pick("s", "t", "s", "t", "'a'", "''", "'b,c'", "word")
	case "bool":
		return pick("p", "p", "True", "False", "a > b")
	case "ints":
		return pick("xs", "xs", "[1, 2, 3]", "numbers")
	case "strs":
		return pick("ws", "ws", "['a', 'b']")
	}
	return "v"
}
