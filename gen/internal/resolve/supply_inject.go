package resolve

import (
	"cmp"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
)

// nameInjected names the fields of injected types that have no explicit name. It names all of them
// at once, so that names in lambdas do not depend on the needs of other tools. The list has a Note
// for each field that is not named after its type because of a clash.
func (s *Supply) nameInjected() (notes diag.List) {
	fields, clashing := goname.Names{}, goname.Names{}
	names := make([][]string, len(s.injections))
	visited := goname.Names{}
	for i, in := range s.injections {
		names[i] = s.proposeNames(in.Type)
		name := cmp.Or(in.Field, names[i][0])
		if in.Field != "" {
			fields.Reserve(name)
		}
		if in.Field != "" || visited[name] {
			clashing.Reserve(name)
		}
		visited.Reserve(name)
	}
	for i := range s.injections {
		in := &s.injections[i]
		if in.Field != "" {
			continue
		}
		in.Field = fields.Take(Dep{Names: names[i]}.ChooseName(clashing))
		if in.Field != names[i][0] {
			name := s.write.Package.TypeName(in.Type)
			notes.Notef("clashing-injection", in.Span, "Deps has %s for %s, because another type is injected as %s", in.Field, name, names[i][0]).
				WithHelp("name it: tool.Inject[%s](%q)", name, in.Field)
		}
	}
	return notes
}
