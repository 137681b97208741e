package syntax_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// inText is the span of a place in the text alone.
func inText(p syntax.Place) diag.Span {
	pos := func(offset int) diag.Pos { return diag.Pos{Offset: offset, Line: 1, Column: offset + 1} }
	return diag.Span{Start: pos(p.From), End: pos(p.To)}
}

// show writes an expression with brackets around every operation.
func show(e syntax.Expr) string {
	list := func(elems []syntax.Expr) string {
		var shown []string
		for _, e := range elems {
			shown = append(shown, show(e))
		}
		return strings.Join(shown, ", ")
	}
	bound := func(e syntax.Expr) string {
		if e == nil {
			return ""
		}
		return show(e)
	}
	switch e := e.(type) {
	case *syntax.Name:
		return e.Name
	case *syntax.Int:
		return e.Value.String()
	case *syntax.Float:
		return strconv.FormatFloat(e.Value, 'g', -1, 64)
	case *syntax.Str:
		return strconv.Quote(e.Value)
	case *syntax.FString:
		text := ""
		for _, part := range e.Parts {
			if part.Value == nil {
				text += part.Text
				continue
			}
			text += "{" + show(part.Value)
			if f := part.Format; f.Verb != 0 {
				text += fmt.Sprintf(":%c%d", f.Verb, f.Precision)
			}
			text += "}"
		}
		return "f" + strconv.Quote(text)
	case *syntax.Bool:
		return fmt.Sprint(e.Value)
	case *syntax.None:
		return "none"
	case *syntax.List:
		return "[" + list(e.Elems) + "]"
	case *syntax.Dict:
		var items []string
		for _, item := range e.Items {
			items = append(items, show(item.Key)+": "+show(item.Value))
		}
		return "{" + strings.Join(items, ", ") + "}"
	case *syntax.Attr:
		return show(e.X) + "." + e.Name.Name
	case *syntax.Call:
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
	case *syntax.Index:
		return show(e.X) + "[" + show(e.Index) + "]"
	case *syntax.Slice:
		return show(e.X) + "[" + bound(e.Start) + ":" + bound(e.Stop) + ":" + bound(e.Step) + "]"
	case *syntax.Cond:
		return "(" + show(e.Then) + " if " + show(e.If) + " else " + show(e.Else) + ")"
	case *syntax.Unary:
		return "(" + e.Op.Text + " " + show(e.X) + ")"
	case *syntax.Binary:
		return "(" + show(e.X) + " " + e.Op.Text + " " + show(e.Y) + ")"
	case *syntax.Compare:
		text := "(" + show(e.X)
		for _, c := range e.Rest {
			text += " " + c.Op.Text + " " + show(c.Y)
		}
		return text + ")"
	case *syntax.Comp:
		text := "[" + show(e.Elem) + " for " + e.Var.Name + " in " + show(e.In)
		if e.If != nil {
			text += " if " + show(e.If)
		}
		return text + "]"
	case *syntax.Lambda:
		var names []string
		for _, p := range e.Params {
			names = append(names, p.Name)
		}
		return "lambda " + strings.Join(names, ", ") + ": " + show(e.Body)
	}
	return "?"
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
		{"f'{a}-{b.c:.2f}-{d(1)[2]:d}-{{x}}'", `f"{a}-{b.c:f2}-{d(1)[2]:d0}-{x}"`},
		{`f'a' 'b' f'{c}'`, `f"ab{c}"`},
		{"f'{a[\"x\"]}{b != c}{ d }'", `f"{a[\"x\"]}{(b != c)}{d}"`},
		{"sorted(xs, key=lambda x: x.y, reverse=True)", "sorted(xs, key=lambda x: x.y, reverse=true)"},
		{"(\n  a # the first\n  + b)", "(a + b)"},
		{"a\n+ b", "(a + b)"},
		{"True and None", "(true and none)"},
		{"'é'.upper()", `"é".upper()`},
		{"größe + 1", "(größe + 1)"},
	} {
		l, faults := syntax.Parse("lambda x: "+tt.src, inText)
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
		l, faults := syntax.Parse(src, inText)
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

// TestFaults checks that every fault is found, at its place, and that nothing
// follows from one.
func TestFaults(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"lambda", "7: expected : behind the parameters, found the end of the text"},
		{"lambda x:", "10: expected a value, found the end of the text"},
		{"lambda x, x: x", "11: there are two parameters x"},
		{"lambda x=1, *y, **z: x", "8: a lambda here cannot hold a default|13: a lambda here cannot hold a starred parameter|17: a lambda here cannot hold a starred parameter"},
		{"lambda 5: x", "8: expected the name of a parameter, found 5"},
		{"lambda x, /: x", "11: a lambda here cannot hold a mark among the parameters"},
		{"lambda x: x y", "13: expected an operator, found y"},
		{"lambda x: (x", "11: the bracket ( is not closed"},
		{"lambda x: x)", "12: ) closes nothing"},
		{"lambda x: f(x y, *, z", "12: the bracket ( is not closed|15: a comma is missing before y|19: expected a value, found ,"},
		{"lambda x: [1, , 2, ]", "15: expected a value, found ,"},
		{"lambda x: x++", "12: Python has no operator ++"},
		{"lambda x: [x--, -x]", "13: Python has no operator --"},
		{"lambda x: x+", "13: expected a value, found the end of the text"},
		{"lambda x: x ? 1 : 2", "13: Python has no operator ?"},
		{"lambda x: x && !x", "13: && is no operator of Python"},
		{"lambda x: x = 1", "13: an expression cannot assign"},
		{"lambda x: (y := x)", "14: a lambda here cannot hold an assignment"},
		{"lambda x: (1, 2)", "11: a lambda here cannot hold a tuple"},
		{"lambda x: 1, 2", "12: a lambda here cannot hold a tuple"},
		{"lambda x: ()", "11: a lambda here cannot hold a tuple"},
		{"lambda x: {1, 2}", "12: a lambda here cannot hold a set"},
		{"lambda x: {a: b for a in x}", "17: a lambda here cannot hold a comprehension in curly brackets"},
		{"lambda x: sum(a for a in x)", "17: a lambda here cannot hold a generator"},
		{"lambda x: [a for a in x for b in a]", "25: a lambda here cannot hold a comprehension with more than one for and one if"},
		{"lambda x: [a for a, b in x]", "19: a lambda here cannot hold a comprehension over several names"},
		{"lambda x: lambda y: x", "11: a lambda here cannot hold a lambda within the lambda"},
		{"lambda x: x | 1 ^ 2", "13: a lambda here cannot hold the operator ||17: a lambda here cannot hold the operator ^"},
		{"lambda x: ~x @ x", "11: a lambda here cannot hold the operator ~|14: a lambda here cannot hold the operator @"},
		{"lambda x: x is 5", "13: a lambda here cannot hold the operator is with something else than None"},
		{"lambda x: f(**x)", "13: a lambda here cannot hold an argument with two stars"},
		{"lambda x: f(*x, *x)", "17: a lambda here cannot hold a second starred argument"},
		{"lambda x: f(a=1, 2, a=3)", "18: a positional argument follows a keyword argument|21: the keyword argument a is given twice"},
		{"lambda x: [*x]", "12: a lambda here cannot hold a star outside the arguments of a call"},
		{"lambda x: x[1, 2] + x[] + x[1:2:3:4]", "14: a lambda here cannot hold a tuple|23: there is no index between the brackets|34: a slice has at most two colons"},
		{"lambda x: 1j + 012 + 1__0 + 5x", "11: a lambda here cannot hold a complex number|16: 012 starts with a zero|22: 1__0 is no number|29: 5x is no number"},
		{"lambda x: 'a' + b'c' + r'd' + u'e' + '''f'''", "17: a lambda here cannot hold a bytes literal|24: a lambda here cannot hold a raw string|31: a lambda here cannot hold the prefix u of a string|38: a lambda here cannot hold a string in triple quotes"},
		{"lambda x: 'abc", "11: the string that starts here is not closed"},
		{`lambda x: '\x4 \u12 \N{DASH} \ud800 \U00110000'`, `12: \x is followed by 2 hexadecimal digits|16: \u is followed by 4 hexadecimal digits|21: a lambda here cannot hold a character by its name, \N{…}|30: a lambda here cannot hold half of a surrogate pair|37: \U00110000 is beyond the last character of Unicode`},
		{"lambda x: f'{x!r} {x:>10} {} {x=} } {x'", "15: a lambda here cannot hold a conversion in a formatted string|21: a lambda here cannot hold the format :>10|27: there is no value between the braces|31: a lambda here cannot hold a value in a formatted string with =|35: a single } in a formatted string|37: the brace that opens here is not closed"},
		{"lambda x: f'{x +}'", "17: expected a value, found the end of the text"},
		{"lambda x: x.5 + x.(y)", "12: expected an operator, found .5"},
		{"lambda x: x. + 1", "14: expected a name behind the dot, found +"},
		{"lambda x: import os", "11: import is a keyword of Python, and no value"},
		{"lambda x: x if y", "17: expected else behind the condition, found the end of the text"},
		{"lambda x: x not y", "17: expected in behind not, found y"},
		{"lambda x: …", "11: the character '…' has no meaning here"},
		{"lambda x: “a”", "11: '“' is no quote of Python"},
		{"lambda x: {'a' 1}", "16: expected : behind the key, found 1"},
		{"lambda x: {'a', 1}", "12: a lambda here cannot hold a set"},
		{"lambda x: await x", "11: a lambda here cannot hold the keyword await"},
		{"lambda x: ...", "11: a lambda here cannot hold the ellipsis"},
		{"lambda x: " + strings.Repeat("(", 200), "111: the expression nests deeper than 100 levels"},
		{"lambda x: " + strings.Repeat("- ", 200) + "1", "209: the expression nests deeper than 100 levels"},
		{"lambda x: " + strings.Repeat("x", 9000), "1: the lambda has 9010 bytes, more than the 8192 that are read"},
	} {
		_, faults := syntax.Parse(tt.src, inText)
		var got []string
		for _, d := range faults {
			got = append(got, fmt.Sprintf("%d: %s", d.Span.Start.Column, d.Message))
		}
		if d := cmp.Diff(tt.want, strings.Join(got, "|")); d != "" {
			t.Errorf("%s\n%s", tt.src[:min(80, len(tt.src))], d)
		}
	}
}

func ExampleParse() {
	l, faults := syntax.Parse("lambda user: find(user, limit=10)[0]", inText)
	if err := faults.Err(); err != nil {
		fmt.Println(err)
		return
	}
	index := l.Body.(*syntax.Index)
	call := index.X.(*syntax.Call)
	fmt.Println(len(call.Args), call.Args[1].Name, call.Func.(*syntax.Name).Name)
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
		l, faults := syntax.Parse(src, inText)
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

// checkPlaces checks that an expression lies within what it is a part of.
func checkPlaces(t *testing.T, src string, outer syntax.Place, e syntax.Expr) {
	t.Helper()
	if e == nil {
		return
	}
	at := e.At()
	if at.From < outer.From || at.To > outer.To || at.From > at.To {
		t.Errorf("%q: %T at %v is not within %v", src, e, at, outer)
	}
	for _, part := range syntax.Parts(e) {
		checkPlaces(t, src, at, part)
	}
}
