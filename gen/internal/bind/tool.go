package bind

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/budget"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// bindElement binds one element and returns it with its diagnostics. An element with errors
// is incomplete.
func (b *binder) bindElement(parsed *aion.Element) (*element, diag.List) {
	el := &element{Element: parsed, tool: &model.Tool{Name: parsed.Name.Value}}
	err := budget.Catch(func() { b.bindTool(el) })
	if limit := b.write.Budget.Err(); limit != nil {
		var faults diag.List // other diagnostics may be consequences of this one
		budget.ReportFailure(&faults, b.pkg.Path, startSpan(parsed), cmp.Or(err, el.budgetErr, limit))
		return el, faults
	}
	budget.ReportFailure(&el.faults, b.pkg.Path, startSpan(parsed), err)
	if el.faults.Err() != nil { // notes are only for tools without errors
		el.faults = slices.DeleteFunc(el.faults, func(d *diag.Diagnostic) bool { return d.Severity == diag.Note })
	}
	return el, el.faults
}

// bindTool finds the function of an element and checks the notes against it.
func (b *binder) bindTool(el *element) {
	if el.Faulty {
		b.checkReference(el)
		return
	}
	if el.Description != nil {
		el.tool.Description = el.Description.Value
	}
	if el.Link != nil {
		el.tool.Link = el.Link.Value
	}
	el.tool.Binding = model.Binding{File: b.pkg.ModuleFile(path.Base(el.Name.Span.File)), Line: el.Name.Span.Start.Line}
	if el.Function == nil {
		b.bindLink(el)
		return
	}
	if !b.resolveFunction(el) {
		return
	}
	b.setDescription(el)
	b.checkEnding(el)
	b.warnOfStrayComments(el)
	b.bindFunction(el)
	b.bindDeclaration(el)
	el.addFaults(b.annotations.Apply(el.tool, el.fn.Obj))
}

// plainName matches a function text that is only a name, such as Find, (*Store).Find or Map[int].
// It does not match a text that contains other parts of the element because a quote is missing.
var plainName = regexp.MustCompile(`^\s*[\w./*()\[\],-]+\s*$`)

// checkReference reports errors in the function that a faulty element names. The notes of the
// element are not checked, because they may be the faulty part.
func (b *binder) checkReference(el *element) {
	if el.Function != nil && plainName.MatchString(el.Function.Text.Value) {
		b.resolveFunction(el)
	}
}

// resolveFunction finds the function of an element.
func (b *binder) resolveFunction(el *element) (ok bool) {
	var faults diag.List
	el.fn, faults, ok = b.scope.Resolve(el.Element)
	el.addFaults(faults)
	if ok {
		el.references = append(el.references, Reference{el.Name.Value, el.functionSpan(), el.fn.Obj, el.fn.Sig})
	}
	return ok
}

// bindLink sets up the tool of an element that is only a link. It takes no arguments and returns
// the URL.
func (b *binder) bindLink(el *element) {
	el.args = &model.Type{Kind: model.StructKind}
	el.tool.Annotations = model.Annotations{ReadOnly: true, Additive: true, Idempotent: true, ClosedWorld: true}
	el.tool.Args = el.args
	el.tool.Result = &model.Type{Kind: model.String, Go: model.Basic("string")}
	el.addFaults(b.annotations.Apply(el.tool, nil))
}

// setDescription sets the description of the tool to that of the element or, if it has none, to the
// doc comment of the function. It appends the link.
func (b *binder) setDescription(el *element) {
	tool, fn := el.tool, el.fn
	if tool.Description == "" {
		tool.Description = b.docs.PackageDoc(fn.Pkg()).Text[fn.DocKey]
		el.warnOfTodo(tool.Description, fmt.Sprintf("tool %q", tool.Name))
	}
	if tool.Description == "" {
		d := el.faults.Errorf("no-description", startSpan(el.Element), "tool %q has no description, and %s has no doc comment to take it from", tool.Name, fn.Describe())
		d.Related = b.scope.RelatedDeclaration(fn)
		d.Help = []string{`add a property description --> "what the tool does, for the model"`}
		return
	}
	if tool.Link != "" {
		tool.Description += "\nDocumentation: " + tool.Link
	}
}
