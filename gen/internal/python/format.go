package python

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// fstring translates a formatted string.
func (g *generator) fstring(e *syntax.FString) *value {
	var parts []*piece
	held := 0
	for _, part := range e.Parts {
		if part.Value == nil {
			parts = append(parts, &piece{text: part.Text})
			continue
		}
		v := g.formatted(g.single(part.Value, nil), part.Format, part.Value.At())
		parts = append(parts, &piece{value: g.hold(v)})
		held++
	}
	defer func() { g.release(held) }()
	return g.joined(parts)
}

// A piece of a text is fixed or, where value is not nil, computed: a str or an int.
type piece struct {
	text  string
	value *value
}

// joined puts the pieces of a text together: with + where all are texts, else with
// fmt.Sprintf.
func (g *generator) joined(pieces []*piece) *value {
	pieces = g.known(pieces)
	var values []*value
	allText := true
	for _, p := range pieces {
		if p.value == nil {
			continue
		}
		if p.value.bad() {
			return bad()
		}
		values = append(values, p.value)
		allText = allText && p.value.kind() == strKind
	}
	switch {
	case len(values) == 0:
		text := ""
		for _, p := range pieces {
			text += p.text
		}
		return g.strConst(text)
	case len(pieces) == 1:
		return g.text(values[0], syntax.Place{})
	case allText:
		return made(g.sum(pieces), stringType, values...)
	}
	return made(g.sprintf(pieces), stringType, values...)
}

// known puts what is known into the text around it.
func (g *generator) known(pieces []*piece) []*piece {
	var list []*piece
	for _, p := range pieces {
		if p.value != nil {
			switch known := p.value.known.(type) {
			case string:
				p = &piece{text: known}
			case int64:
				p = &piece{text: strconv.FormatInt(known, 10)}
			}
		}
		if n := len(list); p.value == nil && n > 0 && list[n-1].value == nil {
			list[n-1].text += p.text
		} else if p.value != nil || p.text != "" {
			list = append(list, &piece{p.text, p.value})
		}
	}
	return list
}

func (g *generator) sum(pieces []*piece) ast.Expr {
	var sum ast.Expr
	for _, p := range pieces {
		x := quoted(p.text)
		if p.value != nil {
			x = p.value.expr
		}
		if sum == nil {
			sum = x
		} else {
			sum = binary(sum, token.ADD, x)
		}
	}
	return sum
}

func (g *generator) sprintf(pieces []*piece) ast.Expr {
	format := ""
	var args []ast.Expr
	for _, p := range pieces {
		switch {
		case p.value == nil:
			format += strings.ReplaceAll(p.text, "%", "%%")
			continue
		case p.value.kind() == intKind:
			format += "%d"
		default:
			format += "%s"
		}
		args = append(args, p.value.expr)
	}
	return call(g.imported("fmt", "Sprintf"), append([]ast.Expr{quoted(format)}, args...)...)
}

// formatted is a value in a format, as a str or an int.
func (g *generator) formatted(v *value, f syntax.Format, at syntax.Place) *value {
	if v.bad() {
		return v
	}
	if f.Verb == 0 {
		if v.kind() == intKind {
			return v
		}
		return g.text(v, at)
	}
	v = g.deref(v, at, "TypeError: unsupported format string passed to NoneType.__format__")
	switch k := v.kind(); {
	case k == anyKind:
		name := map[byte]string{'d': "Digits", 's': "PlainText", 'f': "Fixed"}[f.Verb]
		args := []ast.Expr{v.expr}
		if f.Verb == 'f' {
			args = append(args, integer(int64(f.Precision)))
		}
		return g.try("text", call(g.dyn(name), args...), stringType, at)
	case f.Verb == 'd' && k == intKind:
		return v
	case f.Verb == 'd' && k == boolKind:
		return g.number(v, at)
	case f.Verb == 's' && k == strKind:
		return g.text(v, at)
	case f.Verb == 'f' && isNumber(v):
		x := g.toFloat(g.number(v, at), at)
		return made(call(g.py("Fixed"), x.expr, integer(int64(f.Precision))), stringType, x)
	}
	takes := map[byte]string{'d': "an int", 's': "a str", 'f': "a number"}[f.Verb]
	d := because(g.mismatch(at, "the format :%c takes %s, but %s", f.Verb, takes, g.describeThis(v)), v)
	switch {
	case f.Verb == 'd' && v.kind() == floatKind:
		d.WithHelp("write :.0f, or int(…) around it")
	case v.kind() == strKind:
		d.WithHelp("write int(…) or float(…) around it")
	}
	return bad()
}

// text is str(v).
func (g *generator) text(v *value, at syntax.Place) *value {
	switch known := v.known.(type) {
	case int64:
		return g.strConst(strconv.FormatInt(known, 10))
	case string:
		return g.strConst(known)
	}
	switch v.kind() {
	case noneKind:
		return g.strConst("None")
	case strKind:
		plain := *v
		plain.expr, plain.typ = g.plainExpr(v), stringType
		return &plain
	case intKind:
		if isUnsigned(v.typ) { // which may not fit an int
			return made(call(g.imported("strconv", "FormatUint"), call(ast.NewIdent("uint64"), v.expr), integer(10)), stringType, v)
		}
		n := g.number(v, at)
		return made(call(g.imported("strconv", "Itoa"), n.expr), stringType, n)
	case floatKind:
		f := g.toFloat(v, at)
		return made(call(g.py("FloatText"), f.expr), stringType, f)
	case boolKind:
		return made(call(g.py("BoolText"), g.plainExpr(v)), stringType, v)
	case listKind, dictKind, anyKind, optionalKind:
		return g.try("text", call(g.dyn("Text"), g.dynamic(v)), stringType, at)
	}
	if path, obj := g.scope.Member(v.typ, "String"); obj != nil && !isNil(v.typ) {
		if _, sig := asFunction(obj); sig != nil && sig.Params().Len() == 0 && sig.Results().Len() == 1 && kindOf(sig.Results().At(0).Type()) == strKind {
			return read(call(selector(v.expr, path...)), stringType)
		}
	}
	d := g.unfit(at, []*value{v}, "%s has no text", g.name(v.typ))
	for _, name := range []string{"String", "Error"} {
		if _, method := g.scope.Member(v.typ, name); method != nil {
			d.WithHelp("it may be None: call its method, .%s()", g.scope.Snake(name))
			return bad()
		}
	}
	d.WithHelp("give its type a method String() string, or write a field of it")
	return bad()
}

func isUnsigned(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsUnsigned != 0
}

// format translates template.format(…).
func (g *generator) format(e *syntax.Call, template string, at syntax.Place) *value {
	fields, problem := parseTemplate(template)
	if problem != "" {
		g.mismatch(at, "%s", problem)
		return bad()
	}
	positional, named, ok := g.formatArgs(e)
	given := len(e.Args)
	defer func() { g.release(given) }()
	if !ok {
		return bad()
	}
	var pieces []*piece
	var inOrder []*value // as the text has them
	for _, f := range fields {
		if !f.isValue {
			pieces = append(pieces, &piece{text: f.text})
			continue
		}
		v := named[f.text]
		if f.number >= 0 && f.number < len(positional) {
			v = positional[f.number]
		}
		if v == nil {
			g.mismatch(at, "the text has the field {%s}, for which there is no argument", f.text)
			return bad()
		}
		inOrder = append(inOrder, v)
		pieces = append(pieces, &piece{value: v})
	}
	if once := g.held[len(g.held)-given:]; !slices.Equal(inOrder, once) {
		for _, v := range once {
			if v.pending() {
				g.keep(v)
			}
		}
		for _, p := range pieces { // a value may be formatted in several ways
			if p.value != nil {
				again := *p.value
				p.value = g.hold(&again)
				given++
			}
		}
	}
	for i, f := range fields {
		if v := pieces[i].value; v != nil {
			*v = *g.formatted(v, f.format, at)
		}
	}
	return g.joined(pieces)
}

// formatArgs translates the arguments of format, and holds them.
func (g *generator) formatArgs(e *syntax.Call) (positional []*value, named map[string]*value, ok bool) {
	named, ok = map[string]*value{}, true
	for _, a := range e.Args {
		v := g.hold(g.single(a.Value, nil))
		switch {
		case a.Star:
			g.unsupported(a.Place, "a starred argument of format")
			ok = false
		case v.bad():
			ok = false
		}
		if a.Name != "" {
			named[a.Name] = v
		} else {
			positional = append(positional, v)
		}
	}
	return positional, named, ok
}

// formatUnknown translates format of a template that is known when it is there.
func (g *generator) formatUnknown(e *syntax.Call, template *value) *value {
	positional, named, ok := g.formatArgs(e)
	defer g.release(len(positional) + len(named))
	if !ok {
		return bad()
	}
	args := &ast.CompositeLit{Type: g.typeExpr(anyList)}
	for _, v := range positional {
		args.Elts = append(args.Elts, g.dynamic(v))
	}
	names := &ast.CompositeLit{Type: g.typeExpr(anyDict)}
	for _, a := range e.Args {
		if v := named[a.Name]; a.Name != "" {
			names.Elts = append(names.Elts, &ast.KeyValueExpr{Key: quoted(a.Name), Value: g.dynamic(v)})
		}
	}
	var list, dict ast.Expr = args, names
	if len(args.Elts) == 0 {
		list = ast.NewIdent("nil")
	}
	if len(names.Elts) == 0 {
		dict = ast.NewIdent("nil")
	}
	return g.try("text", call(g.dyn("Format"), template.expr, list, dict), stringType, e.At())
}

// A field is a replacement field of a template, by the number or the name of an
// argument, or text between them.
type field struct {
	text    string // the name, or the text
	isValue bool
	number  int // -1 for a name
	format  syntax.Format
}

// parseTemplate takes a template of str.format apart, or says what is wrong.
func parseTemplate(template string) (fields []field, problem string) {
	text, numbered, counted := "", false, 0
	for {
		at := strings.IndexAny(template, "{}")
		if at < 0 {
			return append(fields, field{text: text + template}), ""
		}
		brace := template[at : at+1]
		text, template = text+template[:at], template[at+1:]
		if strings.HasPrefix(template, brace) {
			text, template = text+brace, template[1:]
			continue
		}
		inner, rest, closed := strings.Cut(template, "}")
		if brace == "}" || !closed {
			return nil, "the text has a single " + brace + ": write it twice for a brace"
		}
		f, problem := parseField(inner)
		switch {
		case problem != "":
			return nil, problem
		case f.text == "":
			f.number = counted
			counted++
		case f.number >= 0:
			numbered = true
		}
		if numbered && counted > 0 {
			return nil, "the text mixes fields with numbers and without"
		}
		fields = append(fields, field{text: text}, f)
		text, template = "", rest
	}
}

// parseField reads what stands between the braces of a replacement field.
func parseField(inner string) (f field, problem string) {
	name, spec, _ := strings.Cut(inner, ":")
	f = field{text: name, isValue: true, number: -1}
	ok := false
	if f.format, ok = syntax.ParseFormat(spec); !ok {
		return f, "the text has the format :" + spec + ", but the formats are :d, :s and :.2f with any number of digits"
	}
	foreign := func(c rune) bool { return c >= utf8.RuneSelf && unicode.IsDigit(c) }
	if strings.ContainsAny(name, ".[!{") || strings.TrimFunc(name, foreign) != name {
		return f, "the text has the field {" + name + "}, but a field is {}, a number or a name"
	}
	if name != "" && strings.Trim(name, "0123456789") == "" {
		f.number = math.MaxInt // where there is no such argument
		if n, err := strconv.Atoi(name); err == nil {
			f.number = n
		}
	}
	return f, ""
}
