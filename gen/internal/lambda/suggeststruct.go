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

// maxListedFields limits how many fields help lists.
const maxListedFields = 12

// fieldLists are the formats of the elements of the lists that people want of a struct, by the method
// of a dict that returns them.
var fieldLists = map[string]string{"keys": "'%[1]s'", "values": "%[2]s.%[1]s", "items": "['%[1]s', %[2]s.%[1]s]"}

// fieldList returns the text of a list with an element for each field of a struct, or "" if it is too
// long.
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

// reportStructView reports keys, values and items of a struct. It reports whether the call is one of
// these.
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

// nameableFields returns the JSON names of the fields of a struct that can follow a dot in a lambda.
func (r *faultReport) nameableFields(x *ir.Value) []string {
	return slices.DeleteFunc(r.Fields(x.Type), func(name string) bool {
		_, member := r.Member(x.Type, name)
		return member == nil || !identifier.MatchString(name)
	})
}

// helpFieldList adds help to write a list of the fields of a struct: a text if that compiles, otherwise
// a list of those that are needed.
func (w suggester) helpFieldList(d *diag.Diagnostic, x *ir.Value, at pysyntax.Place, text string) {
	next := len(d.Help)
	if !w.suggest(d, at, text) {
		w.helpStruct(d, x)
		return
	}
	d.Help[next] = fmt.Sprintf("%s is a struct, not a dict, and its fields are always the same: %s", w.TypeName(x.Type), d.Help[next])
}

// helpStruct adds help to write a list instead of a struct whose fields are wanted.
func (r *faultReport) helpStruct(d *diag.Diagnostic, x *ir.Value) {
	if fields := r.nameableFields(x); len(fields) > 0 {
		d.WithHelp("%s is a struct, not a dict: write a list of the fields that you need, such as %s", r.TypeName(x.Type), fieldList(fields[:min(2, len(fields))], "keys", ""))
	}
}

// selection matches a variable, with the fields that are selected from it.
var selection = regexp.MustCompile(`^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$`)

// helpElements adds help to write lists of the fields of a struct where a list is expected.
func (r *faultReport) helpElements(d *diag.Diagnostic, x *ir.Value, at pysyntax.Place) {
	fields, owner := r.nameableFields(x), r.source[at.From:at.To]
	compiling := func(view string) string {
		text := fieldList(fields, view, owner)
		if text == "" || r.compiles == nil || !r.compiles(at, text) {
			return ""
		}
		return text
	}
	names := compiling("keys")
	if len(fields) == 0 || names == "" || !selection.MatchString(owner) {
		r.helpStruct(d, x)
		return
	}
	if list := compiling("values"); list != "" {
		d.WithHelp("%s is a struct, not a dict: for the values of its fields write %s", r.TypeName(x.Type), list)
		d.WithHelp("for their names write %s", names)
	} else {
		d.WithHelp("%s is a struct, not a dict: for the names of its fields write %s", r.TypeName(x.Type), names)
	}
}
