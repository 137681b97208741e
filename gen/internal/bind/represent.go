package bind

import (
	"errors"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// errNoForm reports a variant, or a type that represents another one, whose values JSON cannot
// carry.
var errNoForm = errors.New("JSON cannot carry its values")

// checkRepresentations reports types that generated code cannot represent as declared.
func (b *binder) checkRepresentations(all []source.Representation) (faults diag.List) {
	for _, r := range all {
		if err := b.checkRepresentation(r, &faults); err != nil {
			faults.Errorf("bad-representation", r.Span, "%s cannot be represented as %s: %v", b.pkg.TypeName(r.Type), b.pkg.TypeName(r.Form), err).
				WithHelp("represent it as a string, a number, or a struct of them")
		}
	}
	return faults
}

// checkRepresentation returns an error if generated code cannot represent a type as declared. It adds
// errors in struct tags to faults.
func (b *binder) checkRepresentation(r source.Representation, faults *diag.List) error {
	argument, problems, err := b.shapes.ReadArgument(r.Type, r.Span)
	*faults = append(*faults, problems...)
	if err == nil && argument.Elem.Kind == model.Ref {
		err = errNoForm
	}
	if err != nil {
		return err
	}
	result, problems, err := b.shapes.ReadResult(r.Type, r.Span)
	*faults = append(*faults, problems...)
	if err == nil && result.Elem.Kind == model.Ref {
		err = errNoForm
	}
	return err
}
