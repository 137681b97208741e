package bind

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// checkRivals reports a field of a oneof if notes make it required or give it a default. Arguments could then
// set no other field of the oneof.
func (el *element) checkRivals(t *model.Type, visited *model.TypeSet) {
	if t == nil || t.Elem == nil && len(t.Fields) == 0 || !visited.Add(t) {
		return
	}
	for _, group := range t.Rivals() {
		i := slices.IndexFunc(group, func(f *model.Field) bool { return f.Default != "" || !f.Optional })
		if i < 0 {
			continue
		}
		always := group[i]
		others := listFieldNames(slices.Delete(group, i, i+1))
		option := "required"
		if always.Default != "" {
			option = "default="
		}
		el.faults.Errorf("note-option", el.functionSpan(), "%s: %s does not apply to %s, because calls could then set no other member of its oneof: %s",
			el.tool.Name, option, always.Name, strings.Join(others, ", ")).
			WithHelp("delete %s, or leave out the other members with omit=", option)
	}
	el.checkRivals(t.Elem, visited)
	for _, f := range t.ShownFields() {
		el.checkRivals(f.Type, visited)
	}
}
