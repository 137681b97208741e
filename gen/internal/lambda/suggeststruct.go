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
