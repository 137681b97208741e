package bind

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/values"
	"github.com/aiongen/aiongen/internal/words"
)

// reportSwapped reports two notes that are swapped: each fits the argument of the other, but not
// its own. It returns true if there are such notes.
func (b *binder) reportSwapped(el *element, entries []aion.Entry, fields []*model.Field) bool {
	if len(entries) < 2 {
		return false
	}
	fits := func(e, f int) bool {
		ok, known := b.notes.acceptsType(entries[e].Note.Type, fields[f].Type)
		return ok || !known || entries[e].Note.Type == ""
	}
	var wrong []int
	for i := range entries {
		if !fits(i, i) {
			wrong = append(wrong, i)
		}
	}
	if len(wrong) != 2 || !fits(wrong[0], wrong[1]) || !fits(wrong[1], wrong[0]) {
		return false
	}
	first, second := entries[wrong[0]], entries[wrong[1]]
	d := el.faults.Errorf("type-mismatch", first.Name.Span, "%s and %s are swapped: %s of %s is %s in Go, and %s is %s", first.Name.Value, second.Name.Value,
		fields[wrong[0]].Name, el.fn.Describe(), fields[wrong[0]].Type.Go, fields[wrong[1]].Name, fields[wrong[1]].Type.Go)
	d.Related = b.scope.RelatedDeclaration(el.fn)
	d.WithHelp("write %s --> %q, %s --> %q", first.Name.Value, second.Note.Type, second.Name.Value, first.Note.Type)
	matchesOther := mentionsName(first.Note, fields[wrong[1]]) || mentionsName(second.Note, fields[wrong[0]])
	matchesOwn := mentionsName(first.Note, fields[wrong[0]]) || mentionsName(second.Note, fields[wrong[1]])
	reversed := first.Name.Span.Start.Offset > second.Name.Span.Start.Offset // listed in the order of the parameters, but numbered otherwise
	d.WithFixIf((matchesOther || reversed) && !matchesOwn, diag.Edit{Span: first.Name.Span, Text: second.Name.Value}, diag.Edit{Span: second.Name.Span, Text: first.Name.Value})
	return true
}

// mentionsName reports whether the description of a note contains the name of a field as a word.
func mentionsName(n aion.Note, f *model.Field) bool {
	isSeparator := func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' }
	return slices.ContainsFunc(strings.FieldsFunc(n.Description, isSeparator), func(word string) bool {
		return words.FoldName(word) == words.FoldName(f.Name)
	})
}

// suggestConstant suggests a value for an invalid literal in a note: that of the constant with this
// name, or a value with a similar spelling.
func suggestConstant(d *diag.Diagnostic, n *aion.Note, l values.Literal, t *model.Type) {
	for t.Kind == model.Pointer {
		t = t.Elem
	}
	written := strings.Trim(fmt.Sprint(l), "'")
	name := written[strings.LastIndexByte(written, '.')+1:]
	var known []string
	for _, list := range [][]model.Const{t.Enum, t.Known} {
		for _, c := range list {
			value := strings.Trim(c.Value, `"`)
			if words.FoldName(c.Name) == words.FoldName(name) && c.Name != "" {
				suggestValue(d, n, l, value, fmt.Sprintf(" %s is the name of the constant in Go", c.Name))
				return
			}
			known = append(known, value)
		}
	}
	if near := words.Nearest(name, known); near != "" {
		suggestValue(d, n, l, near, "")
	}
}

// suggestValue adds the suggestion to replace a literal of a note with value. The message ends with why,
// which explains the suggestion and may be empty.
func suggestValue(d *diag.Diagnostic, n *aion.Note, l values.Literal, value, why string) {
	d.WithHelp("did you mean %s?%s", value, why)
	text := n.Written()
	at := strings.Index(text.Value, fmt.Sprint(l))
	if at >= 0 && strings.Count(text.Value, fmt.Sprint(l)) == 1 && !strings.ContainsAny(value, `,|'" \`) {
		d.WithGuess(diag.Edit{Span: text.Between(at, at+len(fmt.Sprint(l))), Text: value})
	}
}
