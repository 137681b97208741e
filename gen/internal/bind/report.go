package bind

import (
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/budget"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/internal/words"
)

// warnOfTodo warns of a description in Go that is still a TODO. A description in the .aion
// file replaces it.
func (el *element) warnOfTodo(description, what string) {
	if strings.HasPrefix(description, "TODO:") {
		el.faults.Warnf("todo", startSpan(el.Element), "the description of %s, from a comment in Go, is still a TODO", what).
			WithHelp("describe it for the model, in the comment or in the .aion file")
	}
}

// noteUnfilledFields adds a Note about injected fields that stay zero.
func (el *element) noteUnfilledFields(empty []model.Unseen) {
	if len(empty) > 0 {
		const message = "injected fields inside lists, maps and recursive types stay zero"
		el.addNote("not-filled", diag.Group{One: message, Items: listUnseen(empty), Many: "tools leave injected fields inside lists, maps and recursive types zero,"},
			"%s: %s", message, joinUnseen(empty))
	}
}

// noteNameClashes adds Notes about fields that encoding/json drops because several have the same
// name, and about embedded structs that generated code therefore treats as separate objects.
func (el *element) noteNameClashes(where string, clashes []model.Clash) {
	var dropped, separate []string
	for _, c := range clashes {
		text := fmt.Sprintf("%s (%s)", c.Name, strings.Join(c.Ways, ", "))
		if c.Separate {
			separate = append(separate, text)
		} else {
			dropped = append(dropped, text)
		}
	}
	note := func(what string, list []string) {
		if len(list) > 0 {
			el.addNote("dropped-field", diag.Group{One: what, Items: list, Many: "tools: " + what + ":"}, "%s: %s", what, words.Join(list, ", ", maxListed))
		}
	}
	note("encoding/json drops fields with the same name in "+where, dropped)
	note("embedded structs are separate objects in "+where+", since encoding/json would drop their fields with the same name", separate)
}

// noteNeedsScope adds a Note if a tool is offered only to callers with a tool.Scope, which holds the Go
// values of references. The Note says why. The option ref in the .aion file says that this is intended, so
// there is no Note.
func (b *binder) noteNeedsScope(el *element) {
	isIntended := func(e aion.Entry) bool { return e.Note.Ref }
	if el.tool.Args == nil || !el.tool.NeedsScope() || slices.ContainsFunc(slices.Concat(el.Function.Args, el.Function.Returns), isIntended) {
		return // Args is nil after an error
	}
	reason, cause := "its function takes the scope", "the scope of its function"
	var help []string
	returns := el.tool.ResultTypes()
	if lost := slices.IndexFunc(returns, (*model.Type).HasOnlyRefs); lost >= 0 {
		ref := returns[lost].FindRef()
		cause = ref.Go.String()
		reason = fmt.Sprintf("it returns %s, which JSON cannot carry", cause)
		if len(el.tool.LostResults()) < el.tool.Func.CountReturned() {
			help = []string{fmt.Sprintf("write a note on return-%d with omit to drop it, or with ref if this is intended", lost+1)}
		} else {
			help = []string{el.helpReturning(ref), helpByReference(fmt.Sprintf("return-%d", lost+1), "another tool takes "+withArticle(cause))}
		}
	}
	for path, ref := range el.tool.RequiredReferences() { // the first one is enough for the message
		cause = ref.Go.String()
		reason = fmt.Sprintf("it takes %s, which JSON cannot carry", cause)
		help = b.helpPassing(el, path, ref)
		break
	}
	d := el.faults.Notef("needs-scope", el.functionSpan(), "%s is only offered with a scope: %s", el.tool.Name, reason).
		WithGroup(diag.Group{Subject: el.tool.Name, Items: []string{cause}, Many: "tools are only offered with a scope, because JSON cannot carry"})
	for _, line := range help {
		d.WithHelp("%s", line)
	}
	el.tool.Notes = append(el.tool.Notes, d.Message)
}

// helpReturning returns the help on a function that returns a value which JSON cannot carry.
func (el *element) helpReturning(ref *model.Type) string {
	if ref.Go.Kind == model.GoFunc && el.fn.Literal == nil {
		return "a model cannot call a function that it receives: write a Go function that calls " + el.fn.Describe() + " and then the function that it returns"
	}
	return "write a Go function that returns values that JSON can carry" + el.suggestWrapper(ref)
}

// helpPassing returns the help on a function that requires a value which JSON cannot carry. The value is at
// the given path in the arguments.
func (b *binder) helpPassing(el *element, path []string, ref *model.Type) []string {
	first := "write a Go function that takes values that JSON can carry" + el.suggestWrapper(ref)
	if ref.Go.Kind == model.GoFunc {
		first = "a model cannot pass a function: write a Go function without this parameter that calls " + el.fn.Describe() + " with a function of yours"
	}
	argument := ""
	for i, v := range el.params {
		if len(path) == 1 && paramJSONName(el, v, i) == path[0] {
			argument = fmt.Sprintf("arg-%d", i+1)
			if help := b.helpStream(el, v); help != "" {
				first = help
			}
		}
	}
	return []string{first, helpByReference(argument, "another tool returns "+withArticle(ref.Go.String())+" with ref")}
}

// suggestWrapper returns the end of the help "write a Go function that takes values that JSON can
// carry", such as ", such as []Event, and call Watch in it".
func (el *element) suggestWrapper(ref *model.Type) string {
	example := ""
	if channel := ref.Go; (channel.Kind == model.GoChan || channel.Kind == model.GoSendChan || channel.Kind == model.GoReceiveChan) && channel.Elems[0].Kind == model.GoNamed {
		example = ", such as []" + channel.Elems[0].String() + ","
	}
	if el.fn.Literal != nil {
		return example
	}
	if example == "" {
		example = ","
	}
	return example + " and call " + el.fn.Describe() + " in it"
}

// helpByReference returns the help on passing the value of an argument or result by reference. The text
// condition says when that makes sense, as in "another tool takes a *sql.Rows".
func helpByReference(name, condition string) string {
	what := fmt.Sprintf("write %s --> \"any | ref\"", name)
	if name == "" {
		what = "write \"any | ref\" in the note on the argument"
	}
	return fmt.Sprintf("or, if %s, %s; agents can use such a tool, MCP servers do not offer it", condition, what)
}

// withArticle returns a Go type with an indefinite article.
func withArticle(typ string) string {
	if strings.ContainsAny(typ[:1], "aeiouAEIOU") {
		return "an " + typ
	}
	return "a " + typ
}

// maxListed limits how many fields a message lists by name.
const maxListed = 8

// reportUnfit reports that the function of an element cannot be a tool.
func (b *binder) reportUnfit(el *element, message string) *diag.Diagnostic {
	d := el.faults.Errorf("unfit-function", el.Function.Text.Span, "%s", message)
	d.Related = b.scope.RelatedDeclaration(el.fn)
	return d
}

// reportUnfitType reports a parameter or result whose type JSON cannot carry.
func (b *binder) reportUnfitType(el *element, what string, v *types.Var, err error) {
	name := strings.TrimSpace(what + " " + varName(v))
	if _, over := errors.AsType[*budget.Error](err); over {
		el.budgetErr = fmt.Errorf("%s of %s: %w", name, el.fn.Describe(), err)
		return
	}
	d := b.reportUnfit(el, fmt.Sprintf("%s of %s, of type %s: %v", name, el.fn.Describe(), b.pkg.TypeName(v.Type()), err))
	if errors.Is(err, shape.ErrInvalid) {
		b.scope.AddCauses(d, el.fn)
	}
	helpWithUnnameable(d, err)
	if len(d.Help) == 0 && len(d.Related) < 2 {
		d.WithHelp("write a Go function that takes and returns values that JSON can carry, and name it here")
	}
}

// helpWithUnnameable adds help to d if err says that the generated package cannot name a type.
func helpWithUnnameable(d *diag.Diagnostic, err error) {
	if _, ok := errors.AsType[*shape.UnnameableError](err); ok {
		d.WithHelp("write a function that takes and returns your own types instead, and name it here")
	}
}

// warnOfStrayComments warns of lines in the doc comment of a function that describe a
// parameter or result that it does not have, such as one that was renamed.
func (b *binder) warnOfStrayComments(el *element) {
	fn := el.fn
	if fn.Pkg() != b.pkg.Types || fn.Literal != nil {
		return // the user cannot change the comment, or there is none
	}
	about := b.docs.PackageDoc(b.pkg.Types).Functions[fn.DocKey]
	for _, s := range about.StrayParams {
		var names []string
		for _, tuple := range []*types.Tuple{fn.Sig.Params(), fn.Sig.Results()} {
			for v := range tuple.Variables() {
				if name := varName(v); name != "" && about.Params[name] == "" {
					names = append(names, name)
				}
			}
		}
		d := el.faults.Warnf("suspicious-comment", b.pkg.Span(s.At.From, s.At.To), "the comment of %s describes %s, which it does not have: the line does not reach the model", fn.Describe(), s.Name)
		if near := words.Nearest(s.Name, names); near != "" {
			d.WithHelp("did you mean %s?", near)
		} else {
			d.WithHelp("name an existing parameter, or delete the line")
		}
	}
}
