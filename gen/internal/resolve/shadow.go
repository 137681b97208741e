package resolve

import "github.com/aiongen/aiongen/aion/diag"

// Shadow reports a declaration that leaves generated code no way to say what it
// has to: string, nil, len.
func (s *Scope) Shadow(faults *diag.List, name string) {
	d := faults.Errorf("reserved-name", s.Declared(name), "package %s declares %s, so that generated code in it cannot mean Go's own", s.write.Target.Name, name)
	d.Help = []string{"rename it, or generate into another package with -o"}
}

// Declared is where the target package declares a name, if that is known.
func (s *Scope) Declared(name string) diag.Span {
	if obj := s.pkg.Types.Scope().Lookup(name); obj != nil && !s.write.Foreign() {
		return s.pkg.Place(obj)
	}
	return diag.Span{File: s.firstFile()}
}

func (s *Scope) firstFile() string {
	if len(s.pkg.Files) == 0 {
		return ""
	}
	return s.pkg.Span(s.pkg.Files[0].Pos(), s.pkg.Files[0].Pos()).File
}
