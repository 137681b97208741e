package bind

import (
	"fmt"
	"go/types"
	"strconv"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
)

// A resultReader reads the shapes of the results of a function.
type resultReader struct {
	*binder
	el      *element
	results []*types.Var // without the last result of type error
}

// readAll reads the shapes of all results. If the tool leaves out a result, its field is nil. readAll returns
// false if JSON cannot carry a result.
func (r resultReader) readAll() (fields []*model.Field, ok bool) {
	for i, v := range r.results {
		typ, err := r.readResult(i)
		if err != nil {
			r.reportUnfitType(r.el, "result", v, err)
			return nil, false
		}
		r.el.tool.Func.Results = append(r.el.tool.Func.Results, typ != nil)
		if typ == nil {
			fields = append(fields, nil)
		} else {
			fields = append(fields, &model.Field{Type: typ})
		}
	}
	return fields, true
}

// readResult reads the shape of a result. It returns nil if the tool leaves out the result. For a sequence,
// it returns the list of its items.
func (r resultReader) readResult(i int) (*model.Type, error) {
	t := r.results[i].Type()
	var e aion.Entry
	if entries := r.el.Function.Returns; len(entries) == len(r.results) {
		e = entries[i]
	}
	if e.Note.Omit {
		return nil, nil
	}
	if !e.Note.Ref {
		sequence, list, faults, err := r.shapes.ReadSequence(t, r.el.functionSpan())
		if isDecoded := sequence != nil && sequence.Form == model.Decoded; isDecoded && e.Note.Take != nil {
			r.reportTake(e, t)
		}
		if err != nil || sequence != nil {
			r.el.addFaults(faults)
			r.setSequence(sequence, i, e.Note.Take)
			return list, err
		}
	}
	if e.Note.Take != nil {
		r.reportTake(e, t)
	}
	if r.isBlank(t, &e.Note) {
		return nil, nil
	}
	return partBinder{r.binder}.readResultType(r.el, t)
}

// reportTake reports take= in the note on a result that is not a sequence.
func (r resultReader) reportTake(e aion.Entry, t types.Type) {
	r.el.faults.Errorf("note-option", e.Note.Span, "%s: take= applies only to a sequence, and %s is not one", e.Name.Value, r.pkg.TypeName(t)).
		WithHelp("delete take=").WithFix(e.Note.Without("take")...)
}

// isBlank reports whether the tool leaves out a result because its type carries no information, and the
// function also returns an error. A note with options keeps the result.
func (r resultReader) isBlank(t types.Type, n *aion.Note) bool {
	hasOption := n.Ref || n.Text || n.Fields || n.Optional || len(n.Shape) > 0
	return !hasOption && r.el.tool.Func.Err && r.shapes.IsBlank(t)
}

// defaultTake is the maximum number of items of a list if its note has no option take=.
const defaultTake = 100

// setSequence sets the result that generated code collects into a list. It does nothing if s is nil. It
// reports a second such result, because a function that sends to two channels may block until both are
// read.
func (r resultReader) setSequence(s *model.Sequence, result int, take *aion.Literal) {
	switch first := r.el.tool.Func.Sequence; {
	case s == nil:
		return
	case first != nil:
		r.reportUnfit(r.el, fmt.Sprintf("results %d and %d of %s are sequences, of which only one can become a list", first.Result+1, result+1, r.el.fn.Describe())).
			WithHelp("write a note with omit on return-%d or return-%d, or a Go function that returns both as lists", first.Result+1, result+1)
		return
	}
	s.Result, s.Take = result, defaultTake
	if take != nil {
		s.Take, _ = strconv.Atoi(take.Text) // the parser has checked it
	}
	r.el.tool.Func.Sequence = s
	if s.Page != nil && len(s.Page.Other) > 0 {
		const message = "the list of items leaves out fields of the pages"
		r.el.addNote("left-out", diag.Group{One: message, Items: listUnseen(s.Page.Other), Many: "tools return lists of items without fields of the pages,"}, "%s: %s", message, joinUnseen(s.Page.Other)).
			WithHelp("if the model needs one, write a Go function that returns it")
	}
}

// collectItems replaces the type of a sequence, which notes treat as a list, with the type of the list
// that generated code collects.
func collectItems(s *model.Sequence, fields []*model.Field) {
	if s != nil && fields[s.Result].Type.Kind == model.Slice {
		fields[s.Result].Type = shape.ListOf(fields[s.Result].Type)
	}
}
