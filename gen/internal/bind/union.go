package bind

import (
	"errors"
	"fmt"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// checkUnions reports declared unions whose variants generated code cannot read and write, or whose names clash.
func (b *binder) checkUnions(all []source.Union) (faults diag.List) {
	for i := range all {
		u := &all[i]
		if err := b.checkVariants(u, &faults); err != nil {
			faults.Errorf("bad-union", u.Span, "%s cannot be a union: %v", b.pkg.TypeName(u.Type), err).
				WithHelp("list only variants that JSON can carry: structs, strings, numbers, lists and maps of them")
			continue
		}
		if variant, field := b.shapes.FindVariantClash(u); variant != nil {
			faults.Errorf("union-clash", u.Span, "the member %s of %s names the variant, but %s has the field %s", u.Member, b.pkg.TypeName(u.Type), b.pkg.TypeName(variant), field).
				WithHelp("name the variant in another member: .Member(%q)", source.OtherMember(u.Member))
		}
	}
	return faults
}

// checkVariants returns an error if generated code cannot read or write a union. It adds errors in the struct tags
// of the variants to faults.
func (b *binder) checkVariants(u *source.Union, faults *diag.List) error {
	argument, problems, err := b.shapes.ReadArgument(u.Type, u.Span)
	*faults = append(*faults, problems...)
	if err != nil {
		return err
	}
	result, problems, err := b.shapes.ReadResult(u.Type, u.Span)
	*faults = append(*faults, problems...)
	if err != nil {
		return err
	}
	for _, t := range []*model.Type{argument, result} {
		for _, f := range t.Fields {
			if !f.Type.HasPart() {
				return fmt.Errorf("the variant %s: %w", f.Type.Go, errNoForm)
			}
		}
		if t.Kind != model.Union {
			return errors.New("its values are passed by reference")
		}
	}
	return nil
}
