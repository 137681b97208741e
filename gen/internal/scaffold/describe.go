package scaffold

import (
	"cmp"
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/bind"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/source"
	"github.com/aiongen/aiongen/internal/words"
)

// longComment is the length in bytes from which only the first paragraph of a comment
// becomes the description. The rest is usually for Go programmers.
const longComment = 400

// missingDescription is the description of a function without a usable comment.
const missingDescription = "TODO: say what %s does, for the model."

// describeElement writes the description and the notes of a bound tool into an element.
func describeElement(el *aion.Element, t *model.Tool, home string) {
	text := t.Description
	if strings.Contains(text, "\n") && len(text) > longComment {
		text = source.FirstParagraph(text)
	}
	if text = describeForModel(text, t.Func.Name); text == "" {
		text = fmt.Sprintf(missingDescription, withoutPointer(t.Func.Name))
	}
	if text := (aion.Text{Value: text}); el.Description == nil && isWritable(text) {
		el.Description = &text
	}
	if el.Function.Args == nil { // a lambda already has them
		for _, f := range t.Args.Fields {
			if !f.Hidden {
				el.Function.Args = append(el.Function.Args, newFieldEntry("arg", len(el.Function.Args), f, home))
			}
		}
	}
	if t.Func.CountReturned() > 0 {
		el.Function.Returns = describeResults(t, home)
	}
	for _, p := range bind.ProposeNotes(t) {
		shortenSchema(el.Function, p)
	}
	omitLostArguments(el.Function, t)
	omitLostResults(el.Function, t)
}

// omitLostArguments writes notes that omit arguments that the tool may need but JSON cannot carry. The
// description of each note is a TODO, so that go tool aiongen check fails until somebody decides what to
// do.
func omitLostArguments(f *aion.Function, t *model.Tool) {
	lost := bind.LostArguments(t)
	var names []string
	for _, field := range t.Args.ShownFields() {
		names = append(names, field.Name)
	}
	isObject := slices.ContainsFunc(t.Func.Args, func(a model.Arg) bool { return a.Source == model.FromArgs || a.Source == model.FromArgsPtr })
	if isObject && (len(f.Args) != len(names) || slices.ContainsFunc(lost, func(u model.Unseen) bool { return u.Param || len(u.Path) == 1 })) {
		if len(f.Args) != 1 || len(names) == 1 { // the notes are about the other fields: write one about the whole object instead
			f.Args = []aion.Entry{newEntry("arg", 0, "dict", "")}
		}
		names = []string{""}
		for i, u := range lost {
			if !u.Param {
				lost[i].Path = slices.Concat(names, u.Path)
			}
		}
	}
	f.Args = omitLost(f.Args, names, lost, "JSON cannot carry %s: name a Go function that takes it in another form, or describe this argument")
}

// omitLostResults omits lost results as omitLostArguments omits arguments.
func omitLostResults(f *aion.Function, t *model.Tool) {
	lost := bind.LostResults(t)
	if len(lost) == 0 || t.Func.CountReturned() == 0 {
		return
	}
	const single = "result" // a single result has no name
	var names []string
	for _, f := range t.ResultFields() {
		if f == nil {
			names = append(names, "")
		} else {
			names = append(names, cmp.Or(f.Name, single))
		}
	}
	if t.Func.CountReturned() == 1 {
		for i, u := range lost {
			lost[i].Path = slices.Concat([]string{single}, u.Path)
		}
	}
	f.Returns = omitLost(f.Returns, names, lost, "JSON cannot carry %s: name a Go function that returns it in another form, or describe this result")
}

// omitLost returns the notes with the lost values omitted. names are the names of the values that the
// notes describe. The description of a changed note is the format todo with a list of its lost values.
func omitLost(entries []aion.Entry, names []string, lost []model.Unseen, todo string) []aion.Entry {
	byEntry := map[int][]string{}
	for _, u := range lost {
		changed, i := bind.OmitUnseen(slices.Clone(entries), names, u, len(entries)+1)
		if i < 0 || i < len(entries) && entries[i].Note.Paths("only") != nil { // only= already omits it
			continue
		}
		entries = changed
		if !u.Repeats || byEntry[i] == nil {
			byEntry[i] = append(byEntry[i], u.Name)
		}
	}
	for i, values := range byEntry {
		setTODO(&entries[i].Note, fmt.Sprintf(todo, words.Join(values, " and ", maxListedLosses)))
	}
	return entries
}

// maxListedLosses limits how many lost values the description of a note lists.
const maxListedLosses = 4

// setTODO replaces the description of a note by a TODO, so that go tool aiongen check fails.
func setTODO(n *aion.Note, text string) {
	before := n.Description
	if n.Description = "TODO: " + text; !isWritableNote(*n) {
		n.Description = before
	}
}

// describeResults returns the notes on the results of a tool.
func describeResults(t *model.Tool, home string) (entries []aion.Entry) {
	for i, f := range t.ResultFields() {
		if f == nil {
			e := newEntry("return", i, "any", "")
			e.Note.Omit = true
			entries = append(entries, e)
		} else {
			entries = append(entries, newFieldEntry("return", i, f, home))
		}
	}
	return entries
}

// omitResponses omits the HTTP responses that a client returns next to its values: what a model needs is in
// the values, and headers should not leave the program.
func omitResponses(f *aion.Function, fn *types.Func) {
	if fn == nil {
		return
	}
	for i := range f.Returns {
		if results := fn.Signature().Results(); i < results.Len() && isResponse(results.At(i).Type(), i > 0) {
			f.Returns[i].Note = aion.Note{Type: "any", Omit: true}
		}
	}
}

// isResponse reports whether a type is a struct that embeds an HTTP response or, if bare is true, an
// HTTP response itself.
func isResponse(t types.Type, bare bool) bool {
	isHTTP := func(t types.Type) bool {
		return fromPackage("net/http")(t) && namedOf(t).Obj().Name() == "Response"
	}
	if isHTTP(t) {
		return bare
	}
	named := namedOf(t)
	if named == nil {
		return false
	}
	s, ok := named.Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		if s.Field(i).Embedded() && isHTTP(s.Field(i).Type()) {
			return true
		}
	}
	return false
}

// shortenSchema writes the notes that make a large schema small. The description of a shortened argument
// is a TODO, because the tool may need a member that was left out. For results, addComments writes a
// comment instead.
func shortenSchema(f *aion.Function, p bind.Proposal) {
	if len(p.Only) == 0 {
		return // aiongen reports the large schema when it generates code
	}
	if p.Whole {
		f.Args = []aion.Entry{{Name: aion.Text{Value: p.Entry}, Note: aion.Note{Type: p.Type}}}
	}
	for _, entries := range [][]aion.Entry{f.Args, f.Returns} {
		for i := range entries {
			if entries[i].Name.Value == p.Entry {
				entries[i].Note.Shape = []aion.Shaping{{Option: "only", Paths: p.Only}}
				if strings.HasPrefix(p.Entry, "arg") && len(p.LeftOut) > 0 {
					leftOut := words.Join(p.LeftOut, " and ", maxListedLosses)
					setTODO(&entries[i].Note, fmt.Sprintf("only= leaves out %s of %d members: choose what the tool needs, and describe this argument", leftOut, p.Members))
				}
			}
		}
	}
}

// dropHandles omits results that are only references, if the tool also returns other values and no tool
// takes such a reference as an argument. A model cannot use these references.
func dropHandles(doc *aion.Document, tools []*model.Tool) {
	taken := map[string]bool{} // Go types
	for _, t := range tools {
		for _, f := range t.Args.Fields {
			if ref := f.Type.FindRef(); ref != nil {
				taken[ref.Go.String()] = true
			}
		}
	}
	for i, t := range tools {
		returns := t.ResultTypes()
		isHandle := func(r *model.Type) bool { return r.HasOnlyRefs() }
		if !slices.ContainsFunc(returns, func(r *model.Type) bool { return r != nil && !isHandle(r) }) {
			continue
		}
		for n, r := range returns {
			if !isHandle(r) || taken[r.FindRef().Go.String()] {
				continue
			}
			note := aion.Note{Type: "any", Omit: true}
			if n == 0 { // the first result usually is the content, which the tool needs
				setTODO(&note, fmt.Sprintf("JSON cannot carry %s: name a Go function that returns it in another form, or describe this result", r.FindRef().Go))
			}
			doc.Elements[i].Function.Returns[n].Note = note
		}
	}
}

// newFieldEntry returns an entry with a note on an argument or a result. It omits a description that a
// note cannot contain, because the Go comment supplies it anyway.
func newFieldEntry(kind string, i int, f *model.Field, home string) aion.Entry {
	name := ""
	if len(f.Path) > 0 {
		name = f.Path[len(f.Path)-1]
	}
	e := newEntry(kind, i, typeWord(f.Type, home), describeForModel(f.Description, name))
	if kind == "arg" {
		requireStated(&e.Note, f)
	}
	if e.Note.Required { // the sentence would repeat the note
		e.Note.Description = strings.TrimSpace(requiredMember.ReplaceAllString(e.Note.Description, ""))
	}
	e.Note.Ref = f.Type.Kind == model.Ref // references cannot be passed by value
	return e
}

// requiredMember matches the sentence of AWS for required members.
var requiredMember = regexp.MustCompile(`\bThis (?:member|field|parameter|property) is (?:required|mandatory)\.`)

// maxRequiredPaths limits the fields that the note on an argument requires.
const maxRequiredPaths = 20

// requireStated marks an argument and its fields as required if their types make them optional but their
// comments say that they are required.
func requireStated(note *aion.Note, f *model.Field) {
	required := func(f *model.Field) bool {
		return f.Optional && f.Default == "" && source.StatesRequired(f.Description)
	}
	note.Required = required(f)
	var paths []aion.Path
	var collect func(t *model.Type, names []string, visited *model.TypeSet)
	collect = func(t *model.Type, names []string, visited *model.TypeSet) {
		if t == nil || t.Kind == model.Opaque || !visited.Add(t) {
			return
		}
		collect(t.Elem, names, visited)
		for _, part := range t.ShownFields() {
			path := append(slices.Clone(names), part.Name)
			if required(part) && len(paths) < maxRequiredPaths {
				paths = append(paths, aion.Path{Names: path})
			}
			collect(part.Type, path, visited)
		}
	}
	if collect(f.Type, nil, &model.TypeSet{}); len(paths) > 0 {
		note.Shape = []aion.Shaping{{Option: "required", Paths: paths}}
	}
}

// newEntry returns an entry whose note has a type and a description. It omits a description that a note
// cannot contain.
func newEntry(kind string, i int, typ, description string) aion.Entry {
	note := aion.Note{Type: typ, Description: strings.Join(strings.Fields(description), " ")}
	if note.Description != "" && !isWritableNote(note) {
		note.Description = ""
	}
	return aion.Entry{Name: aion.Text{Value: fmt.Sprintf("%s-%d", kind, i+1)}, Note: note}
}

// isWritableNote reports whether a note can be written to a file unchanged.
func isWritableNote(note aion.Note) bool {
	first := aion.Entry{Name: aion.Text{Value: "arg-1"}, Note: note}
	function := aion.Function{Text: aion.Text{Value: "F"}, Args: []aion.Entry{first}}
	_, err := aion.Format(&aion.Document{Elements: []*aion.Element{{Name: aion.Text{Value: "x"}, Function: &function}}})
	return err == nil
}

// isWritable reports whether a text can be written to a file unchanged.
func isWritable(text aion.Text) bool {
	_, err := aion.Format(&aion.Document{SystemPrompt: &text})
	return err == nil
}
