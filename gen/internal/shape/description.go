package shape

import (
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/source"
)

// docOf returns the comment of a declaration, as a description.
func (s *Shapes) docOf(p *types.Package, name string) string {
	return s.shortenDoc(p, s.docs.PackageDoc(p).Text[name])
}

// isForeign reports whether a package belongs to another module than the generated code.
func (s *Shapes) isForeign(p *types.Package) bool {
	foreign, cached := s.foreign[p]
	if !cached {
		foreign = !s.write.OwnsPackage(p.Path())
		s.foreign[p] = foreign
	}
	return foreign
}

// shortenDoc returns the part of a comment in a package that describes a value. Comments of
// other modules are written for programmers, at length; only their first paragraph is kept.
func (s *Shapes) shortenDoc(p *types.Package, text string) string {
	if text != "" && s.isForeign(p) {
		return source.FirstParagraph(text)
	}
	return text
}
