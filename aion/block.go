package aion

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// function reads the function's text and its interface block.
func (r *reader) function(it *item) *Function {
	key := r.at(it.Key)
	if it.Text == nil {
		r.report("wrong-value", key, `"function" takes a text, not %s`, found(it.afterKey())).
			WithHelp(`write function --> "GoFunction" --> { … }`)
		return nil
	}
	f := &Function{Text: r.text(it.Text, key)}
	if !r.broken[it.Text.Pos.Offset] {
		r.checkFilled("function", f.Text)
	}
	if it.Block == nil {
		told := it.Arrow == nil || it.Arrow.Value != "-->" // with the fault of the arrow
		if !told && !r.broken[it.Text.Pos.Offset] {
			r.report("missing-block", key, "the function has no interface block").
				WithHelp("write function --> %s --> { }", found(it.Text))
		}
		return f
	}
	f.Block = r.between(it.Block.Open, it.last())
	r.interfaceBlock(f, it.Block)
	return f
}

// A port is an entry of an interface block with its number.
type port struct {
	Entry
	number int
}

// interfaceBlock reads the entries arg-N and return-N.
func (r *reader) interfaceBlock(f *Function, b *block) {
	r.closed(b.Open, b.Close, b.Items.all)
	var args, returns []port
	complete := true // every key was understood, so that gaps are gaps
	for _, it := range r.tidy(b.Items.all) {
		entry, sound := r.entry(it)
		if it.Key == nil {
			continue
		}
		kind, number := r.portNumber(entry.Name)
		switch {
		case number == 0:
			complete = false
		case kind == "arg":
			args = append(args, port{entry, number})
			if sound && isNone(entry.Note.Type) {
				r.noneReserved(entry)
			}
		default:
			returns = append(returns, port{entry, number})
		}
	}
	f.Args = r.inSequence("arg-", args, complete)
	f.Returns = r.inSequence("return-", returns, complete)
	for _, entry := range f.Returns {
		if len(f.Returns) > 1 && isNone(entry.Note.Type) {
			r.noneReserved(entry)
		}
	}
}

func (r *reader) noneReserved(entry Entry) {
	r.report("misplaced-none", entry.Note.Span, `%s cannot be of type %q`, entry.Name.Value, entry.Note.Type).
		WithHelp("%s stands only for the result of a function that returns nothing: the single return-1", entry.Note.Type)
}

// portNumber reads a name of the form arg-N or return-N. The number is 0 if the
// name is neither, which it reports.
func (r *reader) portNumber(name Text) (kind string, number int) {
	kind, digits, _ := strings.Cut(name.Value, "-")
	sound := digits != "" && strings.Trim(digits, "0123456789") == ""
	significant := strings.TrimLeft(digits, "0")
	switch {
	case kind != "arg" && kind != "return" || !sound:
		nearest, likely := nearestPort(name.Value)
		d := r.unknown(name.Value, nearest, name.Span, "an interface block has no property %q", name.Value)
		switch {
		case slices.Contains(elementProperties, name.Value):
			d.WithHelp("%q belongs to the element: move it behind the block", name.Value)
		case likely:
			d.WithHelp("did you mean %q? The keys are arg-1, arg-2 … and return-1, return-2 …", nearest)
		default:
			d.WithHelp("the keys are arg-1, arg-2 … and return-1, return-2 …; names come from Go, or from\nargs_schema --> { %s --> \"…\" }", name.Value)
		}
		return kind, 0
	case significant == "":
		r.report("bad-number", name.Span, "%q: numbers start at 1", name.Value).WithHelp("write %s-1", kind)
		return kind, 0
	case significant != digits:
		r.report("bad-number", name.Span, "%q has a leading zero", name.Value).WithHelp("write %s-%s", kind, significant)
		return kind, 0
	}
	number, err := strconv.Atoi(digits)
	if err != nil { // more digits than anybody can have arguments
		r.report("bad-number", name.Span, "the number of %q is too large", name.Value)
		return kind, 0
	}
	return kind, number
}

// nearestPort is the key of an interface block that is closest to a name, with
// the number that it ends with. It is likely if the name is a word for the same.
func nearestPort(name string) (nearest string, likely bool) {
	word := strings.TrimRight(name, "0123456789")
	number := strings.TrimLeft(name[len(word):], "0")
	word = strings.ToLower(strings.Trim(word, "-_"))
	kinds := map[string]string{
		"arg": "arg", "args": "arg", "argument": "arg", "param": "arg", "parameter": "arg", "input": "arg", "inputs": "arg", "in": "arg",
		"return": "return", "returns": "return", "ret": "return", "result": "return", "results": "return", "output": "return", "outputs": "return", "out": "return",
	}
	known := []string{"arg", "return"}
	kind := cmp.Or(kinds[word], diag.Nearest(word, known))
	return cmp.Or(kind, diag.Closest(word, known)) + "-" + cmp.Or(number, "1"), kind != ""
}

// inSequence returns the entries in the order of their numbers, and reports
// where a number is given twice or, if none can be hidden, left out.
func (r *reader) inSequence(prefix string, ports []port, complete bool) []Entry {
	slices.SortStableFunc(ports, func(a, b port) int { return cmp.Compare(a.number, b.number) })
	var entries []Entry
	last := 0
	for i, p := range ports {
		switch p.number {
		case last:
			r.repeated("repeated-property", p.Name.Value, p.Name.Span, ports[i-1].Name.Span)
			continue
		case last + 1:
		default:
			if !complete {
				break
			}
			next := prefix + strconv.Itoa(last+1)
			r.report("missing-number", p.Name.Span, "%q without %q", p.Name.Value, next).
				WithHelp("number without gaps: write %s", next)
		}
		last = p.number
		entries = append(entries, p.Entry)
	}
	return entries
}

// schema reads args_schema, the name of a type or a block of fields.
func (r *reader) schema(it *item) *Schema {
	s := &Schema{Key: r.at(it.Key)}
	switch {
	case it.Text != nil:
		name, ok := r.plain(it)
		s.Name, s.Span = &name, name.Span
		if ok && r.checkFilled("args_schema", name) {
			r.checkTypeName(name)
		}
	case it.Block != nil:
		s.Span = r.between(it.Block.Open, it.last())
		s.Fields = r.fields(it.Block)
	default:
		r.report("wrong-value", s.Key, `"args_schema" takes the name of a Go struct type or a block of fields`).
			WithHelp("write args_schema --> \"Type\", or\nargs_schema --> { field --> \"string (what it is)\" }")
		return nil
	}
	return s
}

func (r *reader) checkTypeName(name Text) {
	if isType(name.Value) && startsIdent(name.Value) {
		return
	}
	r.report("bad-type-name", name.Span, "%q is no name of a Go type", name.Value).
		WithHelp(`write the name of a struct type, "Type" or "pkg.Type", or a block of fields, { field --> "…" }`)
}

// fields reads a block of fields.
func (r *reader) fields(b *block) []Entry {
	r.closed(b.Open, b.Close, b.Items.all)
	var fields []Entry
	seen := map[string]diag.Span{}
	items := r.tidy(b.Items.all)
	if r.jsonSchema(items) {
		return nil
	}
	for _, it := range items {
		entry, _ := r.entry(it)
		name := entry.Name
		if it.Key == nil {
			continue
		}
		if first, repeated := seen[name.Value]; repeated {
			r.repeated("repeated-property", name.Value, name.Span, first)
			continue
		}
		seen[name.Value] = name.Span
		fields = append(fields, entry)
		if isNone(entry.Note.Type) {
			r.noneReserved(entry)
		}
	}
	return fields
}

// jsonSchema reports a block that is a JSON Schema of the fields: whose type is
// object, or whose properties are a block.
func (r *reader) jsonSchema(items []*item) bool {
	i := slices.IndexFunc(items, func(it *item) bool {
		switch {
		case it.Key == nil:
			return false
		case it.Key.Value == "properties":
			return it.Block != nil
		}
		return it.Key.Value == "type" && it.Text != nil && textValue(it.Text.Value) == "object" && len(items) == 1
	})
	if i >= 0 {
		r.report("wrong-value", r.at(items[i].Key), "args_schema takes the fields themselves, not a JSON Schema of them").
			WithHelp("write args_schema --> { field --> \"int (what it is) | min=1\" }")
	}
	return i >= 0
}

// entry reads `key --> note`. It is not sound if there is no note to be read.
func (r *reader) entry(it *item) (entry Entry, sound bool) {
	if it.Key == nil {
		r.unexpectedValue(it, "the block", `an entry has the form key --> "type (description)"`)
		return Entry{}, false
	}
	at := r.at(it.Key)
	entry.Name = Text{Value: it.Key.Value, Span: at, Key: at}
	if it.Text == nil && it.Block != nil {
		r.report("wrong-value", at, "%q takes a text, not a block", it.Key.Value).
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
