package aion

import (
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// readText returns the text of a property whose value must be a text. It returns false if
// there is no text, or if a fault in it makes its content doubtful.
func (r *reader) readText(it *syntax.Item) (text Text, ok bool) {
	name := it.Key.Value
	switch {
	case it.Text == nil:
		value := it.ValueToken()
		r.Errorf("wrong-value", r.SpanOf(it.Key), "the value of %q must be a text, not %s", name, syntax.DescribeToken(value)).
			WithHelp(`write %s --> "text"`, name)
		return Text{}, false
	case it.BlockArrow != nil || it.Block != nil:
		d := r.Errorf("unexpected-block", r.SpanOf(it.Key), "the value of %q must be a text without a block", name).
			WithHelp("only the text of a function has --> and a block after it")
		r.RemoveBlock(d, it)
		return Text{}, false
	}
	return r.newText(it.Text, r.SpanOf(it.Key)), !r.IsReported(it.Text)
}

// readNonEmpty is readText for texts that must not be empty.
func (r *reader) readNonEmpty(it *syntax.Item) (text Text, ok bool) {
	text, ok = r.readText(it)
	return text, ok && r.checkNonEmpty(it.Key.Value, text)
}

func (r *reader) checkNonEmpty(name string, text Text) bool {
	if text.isBlank() {
		d := r.Errorf("empty-text", text.Span, "the text of %q is empty", name)
		if help := emptyHelp[name]; help != "" {
			d.WithHelp("%s", help)
		}
		return false
	}
	return true
}

// emptyHelp says what to write in the texts of properties.
var emptyHelp = map[string]string{
	"args_schema": "write the name of a Go struct type, or leave out args_schema",
	"description": "write what the tool does",
	"function":    `write the name of a Go function, as in "Find", or a lambda`,
	"link":        "write a URL, or leave out link",
}

// newText returns the text of a token. key is the span of the name before the text, if any.
func (r *reader) newText(t *syntax.Token, key diag.Span) Text {
	return Text{Value: syntax.TextValue(t.Value), Span: r.SpanOf(t), Key: key, raw: t.Value}
}

// reportNone reports the type none where a value is required.
func (r *reader) reportNone(entry Entry) {
	r.Errorf("misplaced-none", entry.Note.Span, `%s cannot be of type %q`, entry.Name.Value, entry.Note.Type).
		WithHelp("use %s only for the result of a function that returns nothing: the single return-1", entry.Note.Type)
}

// readEntry reads `key --> note`. It returns false if the note is missing or not a valid text.
func (r *reader) readEntry(it *syntax.Item) (entry Entry, hasNote bool) {
	if it.Key == nil {
		r.ReportUnexpected(it, "the block", `an entry has the form key --> "type (description)"`)
		return Entry{}, false
	}
	at := r.SpanOf(it.Key)
	entry.Name = Text{Value: it.Key.Value, Span: at, Key: at}
	if it.Text == nil && it.Block != nil {
		d := r.Errorf("wrong-value", at, "the value of %q must be a text, not a block", it.Key.Value)
		if !r.fixSchemaNote(d, it.Block) {
			d.WithHelp("blocks do not nest: write the name of a Go struct type, or dict")
		}
		return entry, false
	}
	text, ok := r.readText(it)
	entry.Note = Note{Span: text.Span}
	if ok {
		n := noteReader{Collector: &r.Collector, text: text, Note: Note{Span: text.Span, raw: text.raw}}
		n.parseNote()
		entry.Note = n.Note
	}
	return entry, ok
}
