package aion

import (
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// plain returns the text of a property that takes nothing else. It is not ok if
// there is none, or if the text is not what was meant.
func (r *reader) plain(it *syntax.Item) (text Text, ok bool) {
	name := it.Key.Value
	switch {
	case it.Text == nil:
		value := it.AfterKey()
		r.Errorf("wrong-value", r.At(it.Key), "%q takes a text, not %s", name, syntax.Found(value)).
			WithHelp(`write %s --> "text"`, name)
		return Text{}, false
	case it.Then != nil || it.Block != nil:
		d := r.Errorf("unexpected-block", r.At(it.Key), "%q takes a text and no more", name).
			WithHelp("only the text of a function is followed by --> and a block")
		r.RemoveBlock(d, it)
		return Text{}, false
	}
	return r.text(it.Text, r.At(it.Key)), !r.Broken(it.Text)
}

// filled is plain for texts that must say something.
func (r *reader) filled(it *syntax.Item) (text Text, ok bool) {
	text, ok = r.plain(it)
	return text, ok && r.checkFilled(it.Key.Value, text)
}

func (r *reader) checkFilled(name string, text Text) bool {
	if text.empty() {
		r.Errorf("empty-text", text.Span, "the text of %q is empty", name)
		return false
	}
	return true
}

// text is the token as a text, given to the name at key.
func (r *reader) text(t *syntax.Token, key diag.Span) Text {
	return Text{Value: syntax.Value(t.Value), Span: r.At(t), Key: key, raw: t.Value}
}

// noneReserved reports a none where there has to be a value.
func (r *reader) noneReserved(entry Entry) {
	r.Errorf("misplaced-none", entry.Note.Span, `%s cannot be of type %q`, entry.Name.Value, entry.Note.Type).
		WithHelp("%s stands only for the result of a function that returns nothing: the single return-1", entry.Note.Type)
}

// entry reads `key --> note`. It is not sound if there is no note to be read.
func (r *reader) entry(it *syntax.Item) (entry Entry, sound bool) {
	if it.Key == nil {
		r.Unexpected(it, "the block", `an entry has the form key --> "type (description)"`)
		return Entry{}, false
	}
	at := r.At(it.Key)
	entry.Name = Text{Value: it.Key.Value, Span: at, Key: at}
	if it.Text == nil && it.Block != nil {
		r.Errorf("wrong-value", at, "%q takes a text, not a block", it.Key.Value).
			WithHelp("blocks do not nest: name a Go struct type in the text, or write dict")
		return entry, false
	}
	text, ok := r.plain(it)
	entry.Note = Note{Span: text.Span}
	if ok {
		entry.Note = r.note(text)
	}
	return entry, ok
}

// note reads a note and holds it against the rules for notes.
func (r *reader) note(text Text) Note {
	n := noteReader{Collector: &r.Collector, text: text, Note: Note{Span: text.Span, raw: text.raw}}
	n.read()
	return n.Note
}
