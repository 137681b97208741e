package resolve

import "github.com/aiongen/aiongen/aion/diag"

// ReportShadow reports a declaration that hides a predeclared name that generated code needs,
// such as string, nil or len.
func (s *Scope) ReportShadow(faults *diag.List, name string) {
	d := faults.Errorf("reserved-name", s.DeclarationSpan(name), "package %s declares %s, so generated code in it cannot use the predeclared name", s.write.Target.Name, name)
	d.Help = []string{"rename it, or generate into another package with -o"}
}

// DeclarationSpan returns the span of the declaration of a name in the target package. If it is
// unknown, it returns the beginning of the first file.
func (s *Scope) DeclarationSpan(name string) diag.Span {
	if obj := s.pkg.Types.Scope().Lookup(name); obj != nil && !s.write.IsForeign() {
		return s.pkg.DeclarationSpan(obj)
	}
	return diag.Span{File: s.firstFile()}
}

func (s *Scope) firstFile() string {
	if len(s.pkg.Files) == 0 {
		return ""
	}
	return s.pkg.Span(s.pkg.Files[0].Pos(), s.pkg.Files[0].Pos()).File
}
