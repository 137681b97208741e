package emit

import (
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// emitSequenceCall prints a call that returns a sequence, and the code that collects its items.
func (e *emitter) emitSequenceCall(t *model.Tool, call string) {
	f, s := t.Func, t.Func.Sequence
	if s.NeedsCancel() && usesContext(&model.Func{Args: f.Args, Fill: f.Fill}) {
		e.add(e.Local("ctx"), ", ", e.Local("cancel"), " := ", Call(e.qualify("context", "WithCancel"), e.Local("ctx")))
		e.add("defer ", e.Local("cancel"), "()")
	}
	assign := " := "
	if f.CountReturned() > 1 {
		assign = " = "
		e.add("var ", e.Local("items"), " ", e.GoType(s.Go))
	}
	e.add(strings.Join(e.resultTargets(t), ", "), assign, call)
	var conditions []string
	if f.Err {
		conditions = append(conditions, e.Local("err")+" != nil")
	}
	if s.Nilable {
		conditions = append(conditions, e.Local("items")+" == nil")
	}
	if conditions != nil {
		e.addIf(strings.Join(conditions, " || "), "return")
	}
	if s.Release != "" {
		var args []string
		if s.Detach {
			args = append(args, Call(e.qualify("context", "WithoutCancel"), e.Local("ctx")))
		}
		e.add("defer ", Call(e.Member("items", s.Release), args...))
	}
	collected := e.collectItems(s)
	if f.CountReturned() == 1 && s.Failure == "" {
		e.addReturn(collected)
		return
	}
	index := 0
	for _, returned := range f.Results[:s.Result] {
		if returned {
			index++
		}
	}
	list := e.resultTarget(t, index)
	e.add(list, ", ", e.Local("err"), " = ", collected)
	if s.Failure != "" { // if the loop stopped early, the sequence may report that as an error
		e.addIf(e.Local("err")+" == nil && !"+list+".More", e.Local("err")+" = "+Call(e.Member("items", s.Failure)))
	}
	e.add("return")
}

// collectItems returns the expression for the list of the items.
func (e *emitter) collectItems(s *model.Sequence) string {
	if s.Form == model.Decoded {
		return Call(e.sequence("Decode"), e.Member("items", s.Decode))
	}
	collect, items := "Collect", e.Local("items")
	if s.Items != "" {
		items = Call(e.Member("items", s.Items))
	}
	switch s.Form {
	case model.Receiver:
		collect = "Receive"
	case model.Values:
		items = Call(e.sequence("Values"), items)
	case model.Pairs:
		items = Call(e.sequence("Pairs"), items)
	case model.Methods:
		items = e.sequenceOfMethods(s)
	}
	return Call(e.sequence(collect), e.Local("ctx"), items, strconv.Itoa(s.Take))
}

// sequenceOfMethods prints closures for the methods through which a sequence is read, and returns the
// expression for its items.
func (e *emitter) sequenceOfMethods(s *model.Sequence) string {
	if s.Next == "" {
		return e.sequenceOfScanner(s)
	}
	next := e.Member("items", s.Next)
	if s.Context || s.Options {
		var args []string
		if s.Context {
			args = append(args, e.Local("ctx"))
		}
		call := Call(next, args...)
		next = e.Local("next")
		e.addBlock(next+" := func() ("+e.GoType(s.Item)+", error) {", func() { e.addReturn(call) }, "}")
	}
	if s.More == "" {
		return Call(e.sequence("Until"), next, e.qualify(s.Done.Path, s.Done.Name))
	}
	items := Call(e.sequence("While"), e.Member("items", s.More), next)
	if s.Page == nil {
		return items
	}
	e.add(e.Local("pages"), " := ", items)
	list := e.Local("page")
	if s.Page.Field != "" {
		list = e.Member("page", s.Page.Field)
	}
	read := e.Local("read")
	e.addBlock(read+" := func("+e.Local("page")+" "+e.GoType(s.Item)+") []"+e.GoType(s.Page.Elem)+" {", func() { e.addReturn(list) }, "}")
	return Call(e.sequence("Flatten"), e.Local("pages"), read)
}

// sequenceOfScanner is like sequenceOfMethods for a sequence with one method that advances to the next item and
// another one that returns the item.
func (e *emitter) sequenceOfScanner(s *model.Sequence) string {
	more, next := e.Member("items", s.More), e.Local("next")
	if s.Context {
		call := Call(more, e.Local("ctx"))
		more = e.Local("more")
		e.addBlock(more+" := func() bool {", func() { e.addReturn(call) }, "}")
	}
	e.addBlock(next+" := func() ("+e.GoType(s.Item)+", error) {", func() {
		if s.Decode != "" {
			e.addReturn(Call(e.sequence("Decode"), e.Member("items", s.Decode)))
		} else {
			e.addReturn(Call(e.Member("items", s.Current)), "nil")
		}
	}, "}")
	return Call(e.sequence("While"), more, next)
}

// sequence returns the qualified name of a function of package sequence.
func (e *emitter) sequence(name string) string { return e.qualify(model.SequencePath, name) }
