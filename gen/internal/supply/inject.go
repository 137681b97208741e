package supply

import (
	"cmp"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/annotate"
	"github.com/aiongen/aiongen/gen/internal/goname"
)

// Injected are the types that the application supplies, with the names of their fields
// in Deps, be they needed or not.
func (s *Supply) Injected() []annotate.Injection { return s.injections }

// nameInjected names fields that are given no name. All are named at once: what a lambda
// finds behind deps does not hang on what other tools need. The list notes the fields
// that are not called as their types are.
func (s *Supply) nameInjected() (notes diag.List) {
	fields, clashing := goname.Names{}, goname.Names{}
	names := make([][]string, len(s.injections))
	met := goname.Names{}
	for i, in := range s.injections {
		names[i] = s.deps.names(in.Type)
		name := cmp.Or(in.Field, names[i][0])
		if in.Field != "" {
			fields.Reserve(name)
		}
		if in.Field != "" || met[name] {
			clashing.Reserve(name)
		}
		met.Reserve(name)
	}
	for i := range s.injections {
		in := &s.injections[i]
		if in.Field != "" {
			continue
		}
		in.Field = fields.Take(Dep{Names: names[i]}.Name(clashing))
		if in.Field != names[i][0] {
			name := s.deps.write.Package.TypeName(in.Type)
			notes.Notef("clashing-injection", in.Span, "Deps has %s for %s, since something else is injected as %s", in.Field, name, names[i][0]).
				WithHelp("name it: tool.Inject[%s](%q)", name, in.Field)
		}
	}
	return notes
}
