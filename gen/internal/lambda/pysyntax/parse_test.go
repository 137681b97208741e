package pysyntax_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// inText returns the span of a place in the text alone.
func inText(p pysyntax.Place) diag.Span {
	pos := func(offset int) diag.Pos { return diag.Pos{Offset: offset, Line: 1, Column: offset + 1} }
	return diag.Span{Start: pos(p.From), End: pos(p.To)}
}

// showLoop returns a loop of a comprehension as text.
func showLoop(l pysyntax.Loop) string {
	var names []string
	for _, p := range l.Names() {
		names = append(names, p.Name)
	}
	text := " for " + strings.Join(names, ", ") + " in " + show(l.In)
	if l.If != nil {
		text += " if " + show(l.If)
	}
	return text
}

// show writes an expression with brackets around every operation.
func show(e pysyntax.Expr) string {
	list := func(elems []pysyntax.Expr) string {
		var shown []string
		for _, e := range elems {
			shown = append(shown, show(e))
		}
		return strings.Join(shown, ", ")
	}
	bound := func(e pysyntax.Expr) string {
		if e == nil {
			return ""
		}
		return show(e)
	}
	switch e := e.(type) {
	case *pysyntax.Name:
		return e.Name
	case *pysyntax.Int:
		return e.Value.String()
	case *pysyntax.Float:
		return strconv.FormatFloat(e.Value, 'g', -1, 64)
	case *pysyntax.Str:
		return strconv.Quote(e.Value)
	case *pysyntax.FString:
		text := ""
		for _, part := range e.Parts {
			if part.Value == nil {
				text += part.Text
				continue
			}
			text += "{" + show(part.Value)
			if part.Conversion != 0 {
				text += "!" + string(rune(part.Conversion))
			}
			if part.Spec != nil {
				text += ":" + show(part.Spec)
			}
			text += "}"
		}
		return "f" + strconv.Quote(text)
	case *pysyntax.Bool:
		return fmt.Sprint(e.Value)
	case *pysyntax.None:
		return "none"
	case *pysyntax.List:
		return enclose(e.Brackets, list(e.Elems))
	case *pysyntax.Dict:
		var items []string
		for _, item := range e.Items {
			if item.Key == nil {
				items = append(items, "**"+show(item.Value))
			} else {
				items = append(items, show(item.Key)+": "+show(item.Value))
			}
		}
		return "{" + strings.Join(items, ", ") + "}"
	case *pysyntax.Star:
		return "*" + show(e.X)
	case *pysyntax.Attr:
		return show(e.X) + "." + e.Name.Name
	case *pysyntax.Call:
		var args []string
		for _, a := range e.Args {
			text := show(a.Value)
			if a.Star {
				text = "*" + text
			}
			if a.Name != "" {
				text = a.Name + "=" + text
			}
			args = append(args, text)
		}
		return show(e.Func) + "(" + strings.Join(args, ", ") + ")"
	case *pysyntax.Index:
		return show(e.X) + "[" + show(e.Index) + "]"
	case *pysyntax.Slice:
		return show(e.X) + "[" + bound(e.Start) + ":" + bound(e.Stop) + ":" + bound(e.Step) + "]"
	case *pysyntax.Cond:
		return "(" + show(e.Then) + " if " + show(e.If) + " else " + show(e.Else) + ")"
	case *pysyntax.Unary:
		return "(" + e.Op.Text + " " + show(e.X) + ")"
	case *pysyntax.Binary:
		return "(" + show(e.X) + " " + e.Op.Text + " " + show(e.Y) + ")"
	case *pysyntax.Compare:
		text := "(" + show(e.X)
		for _, c := range e.Rest {
			text += " " + c.Op.Text + " " + show(c.Y)
		}
		return text + ")"
	case *pysyntax.Comp:
		text := show(e.Elem)
		for _, l := range e.Loops {
			text += showLoop(l)
		}
		if e.Key != nil {
			return "{" + show(e.Key) + ": " + text + "}"
		}
		return enclose(e.Brackets, text)
	case *pysyntax.Lambda:
		var names []string
		for _, p := range e.Params {
			names = append(names, p.Name)
		}
		return "lambda " + strings.Join(names, ", ") + ": " + show(e.Body)
	}
	return "?"
}

// enclose returns a text in brackets.
func enclose(b pysyntax.Brackets, text string) string {
	pair := [...]string{"[]", "()", "{}"}[b]
	return pair[:1] + text + pair[1:]
}

func TestParse(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"1 + 2 * 3 - 4", "((1 + (2 * 3)) - 4)"},
		{"-2 ** -x", "(- (2 ** (- x)))"},
		{"2 ** 3 ** 2", "(2 ** (3 ** 2))"},
		{"a // b % c / d", "(((a // b) % c) / d)"},
		{"not a == b", "(not (a == b))"},
		{"a or b and not c", "(a or (b and (not c)))"},
		{"a < b <= c != d", "(a < b <= c != d)"},
		{"a not in b", "(a not in b)"},
		{"a is not None", "(a is not none)"},
		{"a is None or b in c", "((a is none) or (b in c))"},
		{"x if a else y if b else z", "(x if a else (y if b else z))"},
		{"f(1, *xs, user_id=2)", "f(1, *xs, user_id=2)"},
		{"f(a)(b).c[0][1:]", "f(a)(b).c[0][1::]"},
		{"x[:], x"[:4], "x[::]"},
		{"x[::-1] + x[1:2:3] + x[:2]", "((x[::(- 1)] + x[1:2:3]) + x[:2:])"},
		{"[a for a in b if a]", "[a for a in b if a]"},
		{"[a if b else c for a in d or e]", "[(a if b else c) for a in (d or e)]"},
		{"{'a': 1, 'b': [2], }", `{"a": 1, "b": [2]}`},
		{"[1, 2.5, .5, 1e3, 0x1F, 0b11, 0o17, 1_000, 1., 00]", "[1, 2.5, 0.5, 1000, 31, 3, 15, 1000, 1, 0]"},
		{`'a' "b" 'c'`, `"abc"`},
		{`'\n\t\\\'\"\x41\u00e9\U0001F600\101\d\0'`, `"\n\t\\'\"Aé😀A\\d\x00"`},
		{"f'{a}-{b.c:.2f}-{d(1)[2]:d}-{{x}}'", `f"{a}-{b.c:\".2f\"}-{d(1)[2]:\"d\"}-{x}"`},
		{"f'{a!r:>{b}.{c:d}}' '%s'", `f"{a!r:f\">{b}.{c:\\\"d\\\"}\"}%s"`},
		{"'%s: %-5d|%%%.2f' % (a, b, c)", `f"{a}: {b!d:\"<5d\"}|%{c!f:\".2f\"}"`},
		{"[*a, b, *c]", "[*a, b, *c]"},
		{"{**a, 'b': c | d, **e}", `{**a, "b": (c | d), **e}`},
		{"{a: b for a, b in c if d}", "{a: b for a, b in c if d}"},
		{"'%s' % a % b", `(f"{a}" % b)`},
		{"f'{a=}|{b = :>5}{c=!s}{d==a}'", `f"a={a!r}|b = {b:\">5\"}c={c!s}{(d == a)}"`},
		{`f'a' 'b' f'{c}'`, `f"ab{c}"`},
		{"f'{a[\"x\"]}{b != c}{ d }'", `f"{a[\"x\"]}{(b != c)}{d}"`},
		{"sorted(xs, key=lambda x: x.y, reverse=True)", "sorted(xs, key=lambda x: x.y, reverse=true)"},
		{"(\n  a # the first\n  + b)", "(a + b)"},
		{"a\n+ b", "(a + b)"},
		{"(a, b, ) + (c,)", "((a, b) + (c))"},
		{"()", "()"},
		{"{a, 'b', }", `{a, "b"}`},
		{"{a for a in b}", "{a for a in b}"},
		{"sum(a for a, b in c if a if b or c)", "sum((a for a, b in c if (a and (b or c))))"},
		{"sum((a for (a, b) in c), 1)", "sum((a for a, b in c), 1)"},
		{"map(lambda a: a + 1, b)", "map(lambda a: (a + 1), b)"},
		{"True and None", "(true and none)"},
		{"'é'.upper()", `"é".upper()`},
		{"größe + 1", "(größe + 1)"},
	} {
		l, faults := pysyntax.Parse("lambda x: "+tt.src, inText)
		if err := faults.Err(); err != nil {
			t.Errorf("%s: %v", tt.src, err)
		} else if got := show(l.Body); got != tt.want {
			t.Errorf("%s is\n%s, want\n%s", tt.src, got, tt.want)
		}
	}
}

func TestParams(t *testing.T) {
	for src, want := range map[string]string{
		"lambda: 1": "", "lambda a: 1": "a", "lambda a, b,: 1": "a b", "lambda\nuser_id :1": "user_id",
	} {
		l, faults := pysyntax.Parse(src, inText)
		var names []string
		for _, p := range l.Params {
			names = append(names, p.Name)
			if src[p.From:p.To] != p.Name {
				t.Errorf("%s: %s is at %v", src, p.Name, p.Place)
			}
		}
		if got := strings.Join(names, " "); got != want || faults.Err() != nil {
			t.Errorf("%s has the parameters %q, %v", src, got, faults.Err())
		}
	}
}

// TestFaults checks that every fault is found at its position, without follow-up faults.
func TestFaults(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"lambda", "7: expected : after the parameters, found the end of the text"},
		{"lambda x:", "10: expected a value, found the end of the text"},
		{"lambda x, x: x", "11: duplicate parameter x"},
		{"lambda x=1, *y, **z: x", "8: lambdas do not support a default|13: lambdas do not support a starred parameter|17: lambdas do not support a starred parameter"},
		{"lambda 5: x", "8: expected the name of a parameter, found 5"},
		{"lambda x, /: x", "11: lambdas do not support a marker such as * or / among the parameters"},
		{"lambda x: x y", "13: expected an operator, found y"},
		{"lambda x: (x", "11: the bracket ( is not closed"},
		{"lambda x: x)", "12: unmatched )"},
		{"lambda x: f(x y, *, z", "12: the bracket ( is not closed|15: a comma is missing before y|19: expected a value, found ,"},
		{"lambda x: [1, , 2, ]", "15: expected a value, found ,"},
		{"lambda x: x++", "12: Python has no operator ++"},
		{"lambda x: [x--, -x]", "13: Python has no operator --"},
		{"lambda x: x+", "13: expected a value, found the end of the text"},
		{"lambda x: x ? 1 : 2", "13: Python has no operator ?"},
		{"lambda x: int: x", "14: a lambda has one colon, after its parameters"},
		{"lambda x: x && !x", "13: && is not an operator in Python"},
		{"lambda x: x = 1", "13: an expression cannot assign"},
		{"lambda x: (y := x)", "14: lambdas do not support an assignment"},
		{"lambda x: sum(a for a in x, 1)", "15: a generator next to other arguments needs parentheses"},
		{"lambda x: [a for (a, in x]", "18: the bracket ( is not closed"},
		{"lambda x: {a, b: 1}", "11: the bracket { is not closed|16: expected an operator, found :"},
		{"lambda x: 1, 2", "12: lambdas do not support a tuple without brackets"},
		{"lambda x: {**x for a in x}", "16: lambdas do not support a generator"},
		{"lambda x: [a for a in x async for b in a]", "25: lambdas do not support async in a comprehension"},
		{"lambda x: [a for a in x for 1 in a]", "29: expected a name after for, found 1"},
		{"lambda x: ~x @ x", "11: lambdas do not support the operator ~|14: lambdas do not support the operator @"},
		{"lambda x: x is 5", "13: lambdas do not support the operator is with anything but None"},
		{"lambda x: f(**x)", "13: lambdas do not support an argument with two stars"},
		{"lambda x: f(*x, *x)", "17: lambdas do not support a second starred argument"},
		{"lambda x: f(a=1, 2, a=3)", "18: a positional argument follows a keyword argument|21: the keyword argument a is given twice"},
		{"lambda x: [*x for y in x]", "12: a comprehension cannot have a starred element"},
		{"lambda x: (*x, 1)", "12: lambdas do not support a star outside the arguments of a call"},
		{"lambda x: x[1, 2] + x[] + x[1:2:3:4]", "14: lambdas do not support a tuple as an index|23: there is no index between the brackets|34: a slice has at most two colons"},
		{"lambda x: 1j + 012 + 1__0 + 5x", "11: lambdas do not support a complex number|16: 012 starts with a zero|22: 1__0 is not a valid number|29: 5x is not a valid number"},
		{"lambda x: 'a' + b'c' + r'd' + u'e' + '''f'''", "17: lambdas do not support a bytes literal|24: lambdas do not support a raw string|31: lambdas do not support the prefix u of a string|38: lambdas do not support a string in triple quotes"},
		{"lambda x: 'abc", "11: the string that starts here is not closed"},
		{`lambda x: '\x4 \u12 \N{DASH} \ud800 \U00110000'`, `12: \x is followed by 2 hexadecimal digits|16: \u is followed by 4 hexadecimal digits|21: lambdas do not support a character by its name, \N{…}|30: lambdas do not support half of a surrogate pair|37: \U00110000 is not a Unicode character`},
		{"lambda x: f'{x!x} {x!a:5} {} } {x'", "15: the conversions are !r and !s|21: lambdas do not support the conversion !a|27: there is no value between the braces|30: a single } in a formatted string|32: the brace that opens here is not closed"},
		{"lambda x: f'{x:{x:{x}}}'", "19: expressions in a formatted string nest at most two levels deep"},
		{"lambda x: '%d %d' % (x, 'a')[0]", "11: not enough arguments for format string: it takes more than 1"},
		{"lambda x: '%(a)s' % x", "11: lambdas do not support the format %( in a text"},
		{"lambda x: ['%5' % x, '%d' % (x, x), '%s %s' % x, '%c' % x, '%.3d' % x]", "12: the template ends inside the format %5|22: not all arguments converted during string formatting: there are 2, but the template takes 1|37: not enough arguments for format string: it takes more than 1|50: lambdas do not support the format %c|60: lambdas do not support a precision of an integer, %.3d"},
		{"lambda x: f'{x +}'", "17: expected a value, found the end of the text"},
		{"lambda x: f'{x << 2}'", "16: lambdas do not support the operator <<"},
		{"lambda x: f'{x y}'", "16: expected an operator, found y"},
		{"lambda x: f'{return x}'", "14: return is a Python keyword, not a value"},
		{"lambda x: for y in x: \"a\"", "11: for begins a statement here, and a lambda is one expression"},
		{"lambda x: x.5 + x.(y)", "12: expected an operator, found .5"},
		{"lambda x: x. + 1", "14: expected a name after the dot, found +"},
		{"lambda x: import os", "11: import is a Python keyword, not a value"},
		{"lambda x: x if y", "17: expected else after the condition, found the end of the text"},
		{"lambda x: x not y", "17: expected in after not, found y"},
		{"lambda x: …", "11: unexpected character '…'"},
		{"lambda x: “a”", "11: '“' is not a quote in Python"},
		{"lambda x: {'a' 1}", "16: expected : after the key, found 1"},
		{"lambda x: await x", "11: lambdas do not support the keyword await"},
		{"lambda x: ...", "11: lambdas do not support the ellipsis"},
		{"lambda x: " + strings.Repeat("(", 200), "111: the expression nests deeper than 100 levels"},
		{"lambda x: " + strings.Repeat("- ", 200) + "1", "209: the expression nests deeper than 100 levels"},
		{"lambda x: " + strings.Repeat("x", 9000), "1: the lambda has 9010 bytes; the limit is 8192"},
	} {
		_, faults := pysyntax.Parse(tt.src, inText)
		var got []string
		for _, d := range faults {
			got = append(got, fmt.Sprintf("%d: %s", d.Span.Start.Column, d.Message))
		}
		if d := cmp.Diff(tt.want, strings.Join(got, "|")); d != "" {
			t.Errorf("%s\n%s", tt.src[:min(80, len(tt.src))], d)
		}
	}
}

func TestBareTuple(t *testing.T) {
	for src, want := range map[string]string{"lambda x: x, 1": "write (x, 1)", "lambda x: f'{x, 1}'": "write (x, 1)"} {
		if _, faults := pysyntax.Parse(src, inText); len(faults) != 1 || !slices.Equal(faults[0].Help, []string{want}) {
			t.Errorf("%s: %v", src, faults)
		}
	}
}

func ExampleParse() {
	l, faults := pysyntax.Parse("lambda user: find(user, limit=10)[0]", inText)
	if err := faults.Err(); err != nil {
		fmt.Println(err)
		return
	}
	index := l.Body.(*pysyntax.Index)
	call := index.X.(*pysyntax.Call)
	fmt.Println(len(call.Args), call.Args[1].Name, call.Func.(*pysyntax.Name).Name)
	// Output: 2 limit find
}

func FuzzParse(f *testing.F) {
	for _, src := range []string{
		"lambda user: send_output(user)", "lambda params: admin_signup(*params.split('|'))",
		"lambda a, b: a // b if b else None", "lambda x: [y.z for y in x[1:-1:2] if y is not None]",
		"lambda x: f'{x.y(1):.2f} {{}} {x[\"a\"]}' '\\x41\\u00e9\\N{x}' + \"\\101\"",
		"lambda x: {'a': 1, 'b': [2, *x]} | {1, 2} @ ~x ** -2", "lambda *x, y=1, /: (yield x, y := 2)",
		"lambda x: sorted(x, key=lambda y: -y, reverse=True) not in x", "lambda: 0x_ff + 1_0.5e-3j + 09 + '''a'''",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		l, faults := pysyntax.Parse(src, inText)
		last := -1
		for _, d := range faults {
			if d.Span.Start.Offset < last || d.Span.Start.Offset > d.Span.End.Offset || d.Span.End.Offset > len(src) {
				t.Errorf("%q: %v at %v", src, d.Message, d.Span)
			}
			last = d.Span.Start.Offset
		}
		if l.From < 0 || l.From > l.To || l.To > len(src) {
			t.Errorf("%q: the lambda is at %v", src, l.Place)
		}
		if faults.Err() == nil {
			checkPlaces(t, src, l.Place, l.Body)
		}
		if shown := show(l.Body); faults.Err() == nil && strings.Contains(shown, "?") && !strings.Contains(src, "?") {
			t.Errorf("%q became %s without a fault", src, shown)
		}
	})
}

// checkPlaces checks that an expression is inside the expression that contains it.
func checkPlaces(t *testing.T, src string, outer pysyntax.Place, e pysyntax.Expr) {
	t.Helper()
	if e == nil {
		return
	}
	at := e.Location()
	if at.From < outer.From || at.To > outer.To || at.From > at.To {
		t.Errorf("%q: %T at %v is not within %v", src, e, at, outer)
	}
	for _, part := range pysyntax.Parts(e) {
		checkPlaces(t, src, at, part)
	}
}
