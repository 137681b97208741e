package bind

import (
	"cmp"
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/failure"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/literal"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/schema"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/slim"
	"github.com/aiongen/aiongen/internal/budget"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// An element is one of a document, with what is known of it.
type element struct {
	*aion.Element
	fn       resolve.Function // none if it is a link only
	tool     *model.Tool
	params   []*types.Var     // those that notes count
	args     *model.Type      // the arguments as the notes describe them
	unseen   []model.Unseen   // parameters that no model gives
	returns  string           // what is said of the result as a whole
	mentions []types.Object   // what generated code refers to
	literal  *literal.Literal // nil if the function is declared
}

// entryOf is what the notation says of one of the parameters, nil if that is nothing.
func (el *element) entryOf(i int) *aion.Entry {
	if entries := el.Function.Args; len(entries) == len(el.params) {
		return &entries[i]
	}
	if el.Schema != nil {
		name := words.Folded(paramJSON(el, el.params[i], i))
		for j, e := range el.Schema.Fields {
			if words.Folded(e.Name.Value) == name {
				return &el.Schema.Fields[j]
			}
		}
	}
	return nil
}

// noteOf is the note of one of the parameters, nil if there is none.
func (el *element) noteOf(i int) *aion.Note {
	if e := el.entryOf(i); e != nil {
		return &e.Note
	}
	return nil
}

// omits reports whether a note keeps a parameter from the model.
func (el *element) omits(i int) bool {
	n := el.noteOf(i)
	return n != nil && n.Omit
}

// isVariadic reports whether a parameter takes all arguments that are left.
func (el *element) isVariadic(v *types.Var) bool {
	params := el.fn.Sig.Params()
	return el.fn.Sig.Variadic() && v == params.At(params.Len()-1)
}

// A schemaWriter writes what the model is told of arguments and results, of several
// elements at a time, and while others are named. Schemas have the names of types, those
// of the own package with its name.
type schemaWriter struct {
	unnamed, next []*element // next are named, and not written yet
	own           string
	budget        *budget.Budget
	several       sync.WaitGroup

	first  sync.Mutex // guards what follows
	err    error      // of the first that failed
	failed *element
}

// named is called as the first of the unnamed has got its names.
func (w *schemaWriter) named() {
	w.next, w.unnamed = append(w.next, w.unnamed[0]), w.unnamed[1:]
	if len(w.next) == 32 {
		w.write()
	}
}

func (w *schemaWriter) write() {
	some := w.next
	w.next = nil
	w.several.Go(func() {
		for _, el := range some {
			err := failure.Catch(func() { w.element(el) })
			if err = cmp.Or(err, w.budget.Err()); err != nil {
				w.fail(el, err)
				return
			}
		}
	})
}

func (w *schemaWriter) element(el *element) {
	el.tool.Input = schema.Input(el.args, w.own)
	if !el.tool.Untold {
		el.tool.Output = schema.Output(el.tool.Result, el.returns)
	}
	w.budget.Step(1 + (len(el.tool.Input)+len(el.tool.Output))/bytesPerStep)
	w.budget.Text(len(el.tool.Input) + len(el.tool.Output))
}

// bytesPerStep is how much of a schema a step writes: about a member.
const bytesPerStep = 32

func (w *schemaWriter) fail(el *element, err error) {
	w.first.Lock()
	defer w.first.Unlock()
	if w.err == nil {
		w.failed, w.err = el, err
	}
}

// end waits until all schemas are written. It returns which of the elements failed, and why.
func (w *schemaWriter) end() (*element, error) {
	w.write()
	w.several.Wait()
	return w.failed, w.err
}

// at is where the function is named.
func (el *element) at() diag.Span { return el.Function.Text.Span }

// brace is where an element begins, which is where what is wrong with it as a
// whole is reported.
func brace(el *aion.Element) diag.Span {
	at := el.Span
	at.End = at.Start
	at.End.Offset++
	at.End.Column++
	return at
}

// toWrite warns of a description from the comment of a function that is a note to
// its author. One in the .aion file takes its place.
func (b *binder) toWrite(description string, at diag.Span, what string) {
	if strings.HasPrefix(description, "TODO:") {
		b.faults.Warnf("todo", at, "the description of %s, from a comment in Go, is yet to be written", what).
			WithHelp("say what a model has to know, there or in the .aion file")
	}
}

// noted reports whether a description is that of a note.
func noted(el *element, description string) bool {
	notes := el.Function.Args
	if el.Schema != nil {
		notes = slices.Concat(notes, el.Schema.Fields)
	}
	return slices.ContainsFunc(notes, func(e aion.Entry) bool { return e.Note.Description == description })
}

// noteUnseen notes what JSON cannot carry and is left out for that.
func (b *binder) noteUnseen(el *element, what string, unseen []model.Unseen) {
	if len(unseen) > 0 {
		d := b.faults.Notef("left-out", el.at(), "%s: %s what JSON cannot carry: %s", el.tool.Name, what, listUnseen(unseen))
		d.WithHelp("a note with omit= and the path of such a field says that this is meant, ref= keeps it by reference")
		el.tool.Notes = append(el.tool.Notes, d.Message)
	}
}

// noteEmpty notes fields that no model writes, and nothing fills.
func (b *binder) noteEmpty(el *element, empty []model.Unseen) {
	if len(empty) > 0 {
		d := b.faults.Notef("not-filled", el.at(), "%s: nothing fills what is in lists and maps, and in a type within itself: %s", el.tool.Name, listUnseen(empty))
		el.tool.Notes = append(el.tool.Notes, d.Message)
	}
}

func listUnseen(unseen []model.Unseen) string {
	var list []string
	for _, u := range unseen {
		list = append(list, fmt.Sprintf("%s (%s)", u.Name, u.Type))
	}
	return words.Join(list, ", ", mostUnseen)
}

// noteClashes notes fields of one name, which encoding/json drops, and what became of
// them.
func (b *binder) noteClashes(el *element, where string, clashes []model.Clash) {
	var dropped, apart []string
	for _, c := range clashes {
		told := fmt.Sprintf("%s (%s)", c.Name, strings.Join(c.Ways, ", "))
		if c.Apart {
			apart = append(apart, told)
		} else {
			dropped = append(dropped, told)
		}
	}
	note := func(what string, list []string) {
		if len(list) > 0 {
			d := b.faults.Notef("dropped-field", el.at(), "%s: %s: %s", el.tool.Name, what, words.Join(list, ", ", mostUnseen))
			el.tool.Notes = append(el.tool.Notes, d.Message)
		}
	}
	note("encoding/json drops fields of one name in "+where, dropped)
	note("embedded structs are objects in "+where+", since encoding/json would drop their fields of one name", apart)
}

// noteScope notes that a tool is only offered with a scope, and why, unless its notes
// say ref, and so that this is meant.
func (b *binder) noteScope(el *element) {
	meant := func(e aion.Entry) bool { return e.Note.Ref }
	if el.tool.Args == nil || !el.tool.Scoped() || slices.ContainsFunc(slices.Concat(el.Function.Args, el.Function.Returns), meant) {
		return // or it is no tool at all
	}
	why, way := "its function takes the scope", ""
	returns := el.tool.Returns()
	if lost := slices.IndexFunc(returns, (*model.Type).OnlyRefers); lost >= 0 {
		why = fmt.Sprintf("it returns %s, which JSON cannot carry", returns[lost].FindRef().Go)
		if len(el.tool.Lost()) < el.tool.Func.Returned() {
			way = fmt.Sprintf("a note on return-%d that says omit does without it, ref says that it is meant", lost+1)
		}
	}
	for _, ref := range el.tool.Required() { // the first of them says enough
		why, way = fmt.Sprintf("it takes %s, which JSON cannot carry", ref.Go), ""
		break
	}
	d := b.faults.Notef("needs-scope", el.at(), "%s is only offered with a scope: %s", el.tool.Name, why)
	if way != "" {
		d.WithHelp("%s", way)
	}
	el.tool.Notes = append(el.tool.Notes, d.Message)
}

// maxSchemaDepth limits how deep the brackets of a schema nest. The runtime and JSON
// parsers of others read no more than 1,000 levels.
const maxSchemaDepth = jsontext.Depth - 100

// checkDepth reports a schema that nests too deep, as that of a chain of hundreds of types
// does.
func (b *binder) checkDepth(el *element) {
	for _, s := range []struct{ what, schema string }{{"arguments", el.tool.Input}, {"result", el.tool.Output}} {
		if len(s.schema) > 2*maxSchemaDepth && depthOf(s.schema) > maxSchemaDepth {
			b.faults.Errorf("too-deep", el.at(), "%s: the schema of the %s nests more than %d levels deep", el.tool.Name, s.what, maxSchemaDepth).
				WithHelp("choose what the model is to know with only=, or write a function that takes and returns less")
		}
	}
}

// depthOf returns how deep the brackets of a JSON text nest.
func depthOf(text string) (deepest int) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}

// noteSizes notes schemas that cost a model more than they tell.
func (b *binder) noteSizes(el *element) {
	for _, p := range slim.Proposals(el.tool) {
		d := b.faults.Notef("large-schema", el.at(), "%s", p.Message)
		el.tool.Notes = append(el.tool.Notes, p.Message)
		var only []string
		for _, path := range p.Only {
			only = append(only, path.String())
		}
		if len(only) > 0 {
			d.WithHelp(`choose what the model is to know, such as %s --> "%s | only=%s"`, p.Entry, p.Type, strings.Join(only, ","))
		} else {
			d.WithHelp(`choose what the model is to know by paths: %s --> "%s | only=…"`, p.Entry, p.Type)
		}
		if strings.HasPrefix(p.Entry, "return") {
			d.WithHelp("or leave the schema out: tool.Annotate(…, tool.NoOutputSchema)")
		}
	}
}

// mostUnseen is how much of what is left out or dropped is told by name.
const mostUnseen = 8

// unfit reports a function that cannot be a tool, at its text.
func (b *binder) unfit(el *element, message string) *diag.Diagnostic {
	d := b.faults.Errorf("unfit-function", el.Function.Text.Span, "%s", message)
	d.Related = b.scope.Declaration(el.fn)
	return d
}

// unfitType reports a parameter or result whose type JSON cannot carry.
func (b *binder) unfitType(el *element, what string, v *types.Var, err error) {
	name := strings.TrimSpace(what + " " + nameOf(v))
	if _, over := errors.AsType[*budget.Error](err); over {
		b.exceeded = fmt.Errorf("%s of %s: %w", name, el.fn.Describe(), err)
		return
	}
	d := b.unfit(el, fmt.Sprintf("%s of %s, of type %s: %v", name, el.fn.Describe(), b.pkg.TypeName(v.Type()), err))
	if errors.Is(err, shape.ErrInvalid) {
		b.scope.AddCauses(d, el.fn)
	}
	helpReach(d, err)
}

// helpReach helps where the generated package cannot name a type.
func helpReach(d *diag.Diagnostic, err error) {
	if _, ok := errors.AsType[*gotype.UnnameableError](err); ok {
		d.WithHelp("write a function that has types of your own in their place, and name that")
	}
}

// argument is the shape of a type that arguments are read into.
func (b *binder) argument(el *element, t types.Type) (*model.Type, error) {
	read, faults, err := b.shapes.Argument(t, el.at())
	b.faults.Add(faults)
	return read, err
}

// itemOf is what the function's doc comment says of a parameter or result.
func (b *binder) itemOf(el *element, v *types.Var) string {
	return b.docs.Of(el.fn.Pkg()).About[el.fn.DocKey].Items[v.Name()]
}

// mention notes an object that generated code refers to, or returns why it cannot.
func (el *element) mention(w gotype.Writer, obj types.Object) error {
	if err := w.Importable(obj.Pkg()); err != nil {
		return err
	}
	el.mentions = append(el.mentions, obj)
	return nil
}

// paramJSON is the name of a parameter in the arguments object.
func paramJSON(el *element, v *types.Var, i int) string {
	switch {
	case el.fn.Literal != nil && el.fn.Literal.Lambda != nil:
		return el.fn.Literal.Lambda.Params[i]
	case nameOf(v) != "":
		return goname.Snake(nameOf(v))
	}
	return fmt.Sprintf("arg_%d", i+1)
}

// nameOf is what a parameter or result is called, "" if it is not. In export data the
// compiler has names of its own, #rv1, for the results of a function that returns from
// within a loop over another.
func nameOf(v *types.Var) string {
	if v.Name() == "_" || strings.HasPrefix(v.Name(), "#") {
		return ""
	}
	return v.Name()
}
