package lambda

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// loopNames returns n names for the variables of a suggested loop, separated by commas, such as "x, x2". The lambda
// does not use the first name.
func (w suggester) loopNames(n int) string {
	names := []string{w.variable()}
	for i := 2; i <= n; i++ {
		names = append(names, fmt.Sprintf("%s%d", names[0], i))
	}
	return strings.Join(names, ", ")
}

// listText returns the text of a list with the elements of e, which is a tuple, a set or a generator.
func (w suggester) listText(e pysyntax.Expr) string {
	text := w.text(e)
	if isEnclosed(text) {
		text = strings.TrimRight(text[1:len(text)-1], ", ")
	}
	return "[" + text + "]"
}

// setElements returns the text of a list with the elements of e, which is written as a set. The list may have
// duplicates.
func (w suggester) setElements(e pysyntax.Expr) string {
	switch e := e.(type) {
	case *pysyntax.List, *pysyntax.Comp:
		return w.listText(e)
	case *pysyntax.Call:
		if strings.HasSuffix(writtenName(e.Func), "set") && len(e.Args) == 0 {
			return "[]"
		} else if strings.HasSuffix(writtenName(e.Func), "set") {
			return w.operand(e.Args[0].Value)
		}
	}
	return w.operand(e)
}

// setOperations maps operators of sets to expressions on lists. %[1]s is the left list, %[2]s the right one, and %[3]s a
// variable.
var setOperations = map[string]string{
	"|":          "set([*%[1]s, *%[2]s])",
	"-":          "set([%[3]s for %[3]s in %[1]s if %[3]s not in %[2]s])",
	"==":         "sorted(set(%[1]s)) == sorted(set(%[2]s))",
	"!=":         "sorted(set(%[1]s)) != sorted(set(%[2]s))",
	"<=":         "all(%[3]s in %[2]s for %[3]s in %[1]s)",
	">=":         "all(%[3]s in %[1]s for %[3]s in %[2]s)",
	"<":          "all(%[3]s in %[2]s for %[3]s in %[1]s) and len(set(%[1]s)) < len(set(%[2]s))",
	">":          "all(%[3]s in %[1]s for %[3]s in %[2]s) and len(set(%[1]s)) > len(set(%[2]s))",
	"&":          "set([%[3]s for %[3]s in %[1]s if %[3]s in %[2]s])",
	"isdisjoint": "not any(%[3]s in %[2]s for %[3]s in %[1]s)",
	"^":          "set([*[%[3]s for %[3]s in %[1]s if %[3]s not in %[2]s], *[%[3]s for %[3]s in %[2]s if %[3]s not in %[1]s]])",
}

// setOperation returns the text of an expression that can replace an operation on two sets. It returns "" if there is
// none, and for operands that call Go functions, because the expression would call them repeatedly.
func (w suggester) setOperation(operator string, x, y pysyntax.Expr) string {
	template := setOperations[operator]
	if template == "" || w.callsGo(x) || w.callsGo(y) {
		return ""
	}
	return fmt.Sprintf(template, w.setElements(x), w.setElements(y), w.variable())
}

// callsGo reports whether an expression may call a Go function.
func (w suggester) callsGo(e pysyntax.Expr) (found bool) {
	pysyntax.Walk(e, func(part pysyntax.Expr) {
		if call, ok := part.(*pysyntax.Call); ok {
			name, isName := call.Func.(*pysyntax.Name)
			found = found || !isName || w.isHidden(name.Name) || !w.isPython(name.Name) && !weakNames[name.Name]
		}
	})
	return found
}

// tupleList returns the text of a list that replaces c, a call such as zip(xs, ys), with lists as elements instead of
// tuples.
func (w suggester) tupleList(c *pysyntax.Call) string {
	if f, ok := c.Func.(*pysyntax.Attr); ok { // items of a dict
		name := w.variable()
		return fmt.Sprintf("[[%[1]s, %[2]s[%[1]s]] for %[1]s in sorted(%[2]s)]", name, w.operand(f.X))
	}
	n := 2
	if writtenName(c.Func) == "zip" {
		n = len(c.Args)
	}
	names := w.loopNames(n)
	return fmt.Sprintf("[[%s] for %s in %s]", names, names, w.text(c))
}

// rewriteMap returns the text of a comprehension that replaces map(f, xs, ys).
func (w suggester) rewriteMap(c *pysyntax.Call) []string {
	var lists []string
	for _, a := range c.Args[1:] {
		lists = append(lists, w.text(a.Value))
	}
	names := w.loopNames(len(lists))
	return []string{fmt.Sprintf("[%s(%s) for %s in zip(%s)]", w.operand(c.Args[0].Value), names, names, strings.Join(lists, ", "))}
}

// reportFromKeys reports dict.fromkeys(xs, x) and suggests a dict comprehension. It returns false for other calls.
func (w suggester) reportFromKeys(c *pysyntax.Call, f *pysyntax.Attr) bool {
	if !w.isFromKeys(c) || len(c.Args) > 2 {
		return false
	}
	d := w.addUnsupported(f.Location(), "Python's dict.fromkeys")
	keys, name, value := w.operand(c.Args[0].Value), w.variable(), "None"
	if len(c.Args) == 2 {
		value = w.text(c.Args[1].Value)
	}
	format := "{%[1]s: %[2]s for %[1]s in %[3]s}"
	if len(c.Args) == 2 && w.callsGo(c.Args[1].Value) || !w.suggest(d, c.Location(), fmt.Sprintf(format, name, value, keys)) {
		d.WithHelp("write a dict comprehension, whose keys are strings: {k: … for k in …}")
	}
	return true
}

// isFromKeys reports whether a call has the form dict.fromkeys(…).
func (w suggester) isFromKeys(c *pysyntax.Call) bool {
	f, ok := c.Func.(*pysyntax.Attr)
	return ok && f.Name.Name == "fromkeys" && writtenName(f.X) == "dict" && w.isUnsupported("dict") && len(c.Args) > 0 && countPositional(c) == len(c.Args)
}

// stringKeys returns the text of a dict display with its integer keys as strings: {'1': x} for {1: x}. It returns "" if
// a key is not an integer literal.
func (w suggester) stringKeys(e *pysyntax.Dict) string {
	var items []string
	for _, item := range e.Items {
		key, ok := item.Key.(*pysyntax.Int)
		if !ok {
			return ""
		}
		items = append(items, fmt.Sprintf("'%v': %s", key.Value, w.text(item.Value)))
	}
	return "{" + strings.Join(items, ", ") + "}"
}

// maxListedFields is the maximum number of fields in a suggested list.
const maxListedFields = 12

// fieldLists maps a method of dicts to the format of an element in the list that replaces a call of this method on a
// struct. %[1]s is the name of a field, %[2]s the struct.
var fieldLists = map[string]string{"keys": "'%[1]s'", "values": "%[2]s.%[1]s", "items": "['%[1]s', %[2]s.%[1]s]"}

// fieldList returns the text of a list with an element for each field of a struct, in the format of fieldLists[view].
// It returns "" if there are too many fields.
func fieldList(fields []string, view, owner string) string {
	if len(fields) > maxListedFields {
		return ""
	}
	var list []string
	for _, name := range fields {
		list = append(list, fmt.Sprintf(fieldLists[view], name, owner))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// reportStructView reports x.keys(), x.values() or x.items() of a struct. It returns false for other calls.
func (w suggester) reportStructView(x *ir.Value, e *pysyntax.Call, f *pysyntax.Attr) bool {
	view := f.Name.Name
	if fieldLists[view] == "" || x.Kind() != ir.Object {
		return false
	}
	fields := w.nameableFields(x)
	if len(fields) == 0 {
		return false
	}
	d := explainOrigins(w.addFault("lambda-name", f.Name.Place, "%s has no field or method %s", w.TypeName(x.Type), view), x)
	text := ""
	if view == "keys" || !w.callsGo(f.X) {
		text = fieldList(fields, view, w.operand(f.X))
	}
	w.helpFieldList(d, x, e.Location(), text)
	if view == "keys" {
		d.WithHelp("for the value of a field write, for example, %s.%s", w.operand(f.X), fields[min(1, len(fields)-1)])
	}
	return true
}

// nameableFields returns the JSON names of the fields of a struct that can be written as attributes in a lambda.
func (r *faultReport) nameableFields(x *ir.Value) []string {
	return slices.DeleteFunc(r.Fields(x.Type), func(name string) bool {
		_, member := r.Member(x.Type, name)
		return member == nil || !identifier.MatchString(name)
	})
}

// helpFieldList suggests text, a list of the fields of a struct, if it compiles. Otherwise it adds general help.
func (w suggester) helpFieldList(d *diag.Diagnostic, x *ir.Value, at pysyntax.Place, text string) {
	next := len(d.Help)
	if !w.suggest(d, at, text) {
		w.helpStruct(d, x)
		return
	}
	d.Help[next] = fmt.Sprintf("%s is a struct, not a dict, and its fields are always the same: %s", w.TypeName(x.Type), d.Help[next])
}

// helpStruct adds help to write a list of fields instead of a struct.
func (r *faultReport) helpStruct(d *diag.Diagnostic, x *ir.Value) {
	if fields := r.nameableFields(x); len(fields) > 0 {
		d.WithHelp("%s is a struct, not a dict: write a list of the fields that you need, such as %s", r.TypeName(x.Type), fieldList(fields[:min(2, len(fields))], "keys", ""))
	}
}

// selection matches a variable or a field of one, such as a.b.c.
var selection = regexp.MustCompile(`^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$`)

// helpElements adds help for a struct where a list is expected: lists of its fields.
func (r *faultReport) helpElements(d *diag.Diagnostic, x *ir.Value, at pysyntax.Place) {
	fields, owner := r.nameableFields(x), r.source[at.From:at.To]
	listIfCompiles := func(view string) string {
		text := fieldList(fields, view, owner)
		if text == "" || r.compiles == nil || !r.compiles(at, text) {
			return ""
		}
		return text
	}
	names := listIfCompiles("keys")
	if len(fields) == 0 || names == "" || !selection.MatchString(owner) {
		r.helpStruct(d, x)
		return
	}
	if list := listIfCompiles("values"); list != "" {
		d.WithHelp("%s is a struct, not a dict: for the values of its fields write %s", r.TypeName(x.Type), list)
		d.WithHelp("for their names write %s", names)
	} else {
		d.WithHelp("%s is a struct, not a dict: for the names of its fields write %s", r.TypeName(x.Type), names)
	}
}
