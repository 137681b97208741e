package lambda_test

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/runtime/py"
)

// formatExpressions generates expressions that format values, with calls. Literal specifications are
// valid for the type of their value; those that are arguments may be anything.
func (m maker) formatExpressions(n int) []expression {
	params := []param{{"n", "int"}, {"x", "float"}, {"s", "str"}, {"p", "bool"}, {"v", "any"}, {"f", "str"}}
	types := map[string]string{"n": "int", "x": "float", "s": "str", "p": "bool"}
	var list []expression
	for i := range n {
		e := expression{params: params}
		name := []string{"n", "x", "s", "p"}[m.IntN(4)]
		spec := m.validSpec(types[name])
		convert := []string{"", "", "", "!r", "!s"}[m.IntN(5)]
		if convert != "" {
			spec = m.validSpec("str")
		}
		switch i % 6 {
		case 0:
			e.text = fmt.Sprintf("f'{%s%s:%s}|{v%s:%s}'", name, convert, spec, convert, spec)
		case 1:
			e.text = fmt.Sprintf("'{0%s:%s}|{v%[1]s:%[2]s}'.format(%s, v=v)", convert, spec, name)
		case 2:
			e.text = fmt.Sprintf("format(%s, '%s') + '%%s' %% format(v, '%[2]s')", name, m.validSpec(types[name]))
		case 3:
			e.text = fmt.Sprintf("'%s|%s' %% (%s, v)", m.directive(types[name]), m.directive("str"), name)
		case 4:
			e.text = fmt.Sprintf("'a%sb%%%%' %% (v,)", m.directive([]string{"int", "float", "str"}[m.IntN(3)]))
		default:
			e.text = []string{"f'{v:{f}}'", "format(v, f)", "('{:' + f + '}').format(v)", "f'{n:{f}}|{x:{f}}|{p:{f}}'", "f'{s:{f}}'", "f'{v!r:{f}}'"}[m.IntN(6)]
		}
		for range 20 {
			e.calls = append(e.calls, m.formatArguments())
		}
		list = append(list, e)
	}
	return list
}

func (m maker) formatArguments() []any {
	ints := []any{0, 1, -1, 7, 42, -255, 1234, 65536, -1234567, 98765432109, m.IntN(2000000) - 1000000}
	floats := []any{0.0, 1.0, -1.5, 2.5, 0.5, 1e16, 1e15, 123456.789, 1e-5, 9.9999, -0.0001, 1e300, 99999.5, m.Float64()*2e6 - 1e6, m.Float64()}
	texts := []any{"", "a", "abc", "it's", "é日本", "long text"}
	pick := func(from []any) any { return from[m.IntN(len(from))] }
	dynamic := pick([]any{pick(ints), pick(ints), pick(floats), pick(floats), pick(texts), true, false, nil, []any{1}, map[string]any{"a": "b"}})
	spec := m.randomSpec("bcdoxXneEfFgG%ssy!é")
	if m.IntN(2) == 0 {
		spec = m.validSpec([]string{"int", "float", "str"}[m.IntN(3)])
	}
	return []any{pick(ints), pick(floats), pick(texts), m.IntN(2) == 0, dynamic, spec}
}

// randomSpec returns a format specification, which may be invalid.
func (m maker) randomSpec(codes string) string {
	maybe := func(oneIn int, from ...string) string {
		if m.IntN(oneIn) > 0 {
			return ""
		}
		return from[m.IntN(len(from))]
	}
	spec := ""
	if align := maybe(2, "<", ">", "^", "="); align != "" {
		spec = maybe(2, "*", "é", "0", " ", "x") + align
	}
	spec += maybe(4, "+", "-", " ") + maybe(9, "z") + maybe(5, "#") + maybe(3, "0") + maybe(2, "1", "3", "5", "8", "12", "20") + maybe(4, ",", "_")
	spec += maybe(3, ".0", ".1", ".2", ".3", ".6", ".12")
	letters := strings.Split(codes, "")
	return spec + maybe(2, letters...)
}

// validSpec returns a format specification that a type takes. It is not empty and contains no code for
// characters.
func (m maker) validSpec(typeName string) string {
	codes := map[string]string{"int": "bdoxXneEfFgG%", "float": "eEfFgG%n", "str": "s", "bool": "dxf"}[typeName]
	for {
		spec := m.randomSpec(codes)
		if _, err := py.ParseFormat(spec, typeName); err == nil && spec != "" {
			return spec
		}
	}
}

// directive returns a directive of % that a type takes.
func (m maker) directive(typeName string) string {
	pick := func(from ...string) string { return from[m.IntN(len(from))] }
	flags := pick("", "", "-", "+", " ", "0", "#", "-0", "+0", "# ", "0#", "+-")
	width := pick("", "", "3", "8", "12")
	switch typeName {
	case "int", "bool":
		return "%" + flags + width + pick("d", "i", "u", "x", "X", "o", "s", "r", ".1f", "e", "g")
	case "float":
		return "%" + flags + width + pick("f", ".2f", ".0f", "e", ".3E", "g", "G", "F", ".1g", "s", "r", ".3s")
	}
	return "%" + flags + width + pick("s", "s", "r", ".2s", ".0s", ".5r")
}
