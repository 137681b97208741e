package aion

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
	"github.com/aiongen/aiongen/internal/values"
)

// readFunction reads the function's text and its interface block.
func (r *reader) readFunction(it *syntax.Item) *Function {
	key := r.SpanOf(it.Key)
	if it.Text == nil {
		d := r.Errorf("wrong-value", key, `the value of "function" must be a text, not %s`, syntax.DescribeToken(it.ValueToken()))
		if !r.unwrapFunction(d, it) {
			d.WithHelp(`write function --> "GoFunction" --> { … }`)
		}
		return nil
	}
	f := &Function{Text: r.newText(it.Text, key)}
	if !r.IsReported(it.Text) {
		r.checkNonEmpty("function", f.Text)
	}
	if it.Block == nil {
		reported := it.Arrow == nil || it.Arrow.Value != "-->" // a missing or wrong arrow was reported instead
		if !reported && !r.IsReported(it.Text) {
			r.Errorf("missing-block", key, "the function has no interface block").
				WithHelp("write function --> %s --> { }", syntax.DescribeToken(it.Text)).WithFix(r.addBlock(it))
		}
		return f
	}
	f.Block = r.SpanBetween(it.Block.Open, it.LastToken())
	r.readInterface(f, it.Block)
	return f
}

// unwrapFunction adds help and a fix if the value of "function" is an object with the properties of
// the tool, as in the API of OpenAI: "function": {"name": …}. It returns false for other values.
func (r *reader) unwrapFunction(d *diag.Diagnostic, it *syntax.Item) bool {
	if it.Block == nil || it.Block.Close == nil || r.keys["name"] || r.keys["description"] || r.keys["args_schema"] {
		return false
	}
	indent := r.LineIndent(it.Key)
	properties := toolProperties(it.Block, indent)
	if len(properties) == 0 || !strings.HasPrefix(properties[0], "name ") {
		return false
	}
	text := strings.Join(properties, ","+indent)
	d.WithHelp("write the properties in the element itself, and the name of a Go function:\n%s", text).
		WithFix(diag.Edit{Span: r.SpanBetween(it.Key, it.Block.Close), Text: text})
	return true
}

// toolProperties converts the properties of a tool in the API of OpenAI to properties of an
// element. It returns nil if a property has no counterpart.
func toolProperties(b *syntax.Group, indent string) (properties []string) {
	members, ok := schemaMembers(b)
	for _, m := range members {
		text, isText := m.content()
		quoted, fits := syntax.QuoteText(text)
		switch m.name {
		case "strict":
		case "name", "description":
			ok = ok && isText && fits
			properties = append(properties, m.name+" --> "+quoted)
		case "parameters":
			if m.block == nil {
				return nil
			}
			fields, obstacle := fieldsOfSchema(m.block)
			if ok = ok && obstacle == ""; len(fields) > 0 {
				properties = append(properties, "args_schema --> "+blockText(fields, indent))
			}
		default:
			return nil
		}
	}
	if !ok {
		return nil
	}
	return properties
}

// addBlock returns the edit that adds an empty interface block to a function.
func (r *reader) addBlock(it *syntax.Item) diag.Edit {
	if it.BlockArrow != nil {
		return r.SpanOf(it.BlockArrow).Insert(" {}")
	}
	return r.SpanOf(it.Text).Insert(" --> {}")
}

// A port is the entry arg-N or return-N of an interface block, with the number N.
type port struct {
	Entry
	number int
}

// readInterface reads the entries arg-N and return-N of an interface block.
func (r *reader) readInterface(f *Function, b *syntax.Group) {
	items := r.BlockItems(b)
	if r.reportNamedArguments(b, items) {
		return
	}
	args, returns := make([]port, 0, len(items)), []port(nil) // most functions have one result
	complete := true                                          // every key is valid, so a gap in the numbers is a fault
	keys, paths := newPortKeys(r, items), map[string]diag.Span{}
	for _, it := range items {
		entry, hasNote := r.readEntry(it)
		if it.Key == nil {
			continue
		}
		kind, number := r.portNumber(withoutPath(entry), keys)
		switch {
		case number == 0:
			complete = false
		case isPath(entry):
			if first, given := paths[entry.Name.Value]; given {
				r.reportRepeated("repeated-property", entry.Name.Value, entry.Name.Span, first)
				continue
			}
			paths[entry.Name.Value] = entry.Name.Span
			f.Paths = append(f.Paths, entry)
			if hasNote && values.WordOf(entry.Note.Type).Kind == values.NoneKind {
				r.reportNone(entry)
			}
		case kind == "arg":
			args = append(args, port{entry, number})
			if hasNote && values.WordOf(entry.Note.Type).Kind == values.NoneKind {
				r.reportNone(entry)
			}
		default:
			returns = append(returns, port{entry, number})
		}
	}
	f.Args = r.sortPorts("arg-", args, complete)
	f.Returns = r.sortPorts("return-", returns, complete)
	for _, entry := range f.Returns {
		if len(f.Returns) > 1 && values.WordOf(entry.Note.Type).Kind == values.NoneKind {
			r.reportNone(entry)
		}
	}
}

// isPath reports whether an entry describes a part of an argument or a result.
func isPath(e Entry) bool { return strings.Contains(e.Name.Value, ".") }

// withoutPath returns an entry with its name cut at the first dot: arg-1.labels.name becomes arg-1.
func withoutPath(e Entry) Entry {
	name, path, _ := strings.Cut(e.Name.Value, ".")
	if path != "" {
		e.Name.Value = name
		e.Name.Span.End.Offset -= 1 + len(path)
		e.Name.Span.End.Column -= 1 + len(path)
	}
	return e
}

// reportNamedArguments reports a block that lists the arguments by name, as args_schema does.
// It returns false for other blocks.
func (r *reader) reportNamedArguments(b *syntax.Group, items []*syntax.Item) bool {
	isNamedArgument := func(it *syntax.Item) bool {
		if it.Key == nil || it.Text == nil || it.Block != nil {
			return false
		}
		if slices.Contains(syntax.ElementProperties, it.Key.Value) { // an argument may have such a name
			word, _, _ := strings.Cut(syntax.UnquoteText(it.Text.Value), " ")
			return values.WordOf(word) != (values.Word{})
		}
		port, _, _ := strings.Cut(it.Key.Value, ".")
		_, likely := syntax.GuessPort(port)
		return !likely
	}
	if len(items) == 0 || r.keys["args_schema"] || slices.ContainsFunc(items, func(it *syntax.Item) bool { return !isNamedArgument(it) }) {
		return false
	}
	first := items[0].Key
	r.Errorf("unknown-property", r.SpanOf(first), "an interface block has no property %q", first.Value).
		WithHelp("arguments by name belong in args_schema:\nfunction --> \"GoFunction\" --> {},\nargs_schema --> { %s --> \"…\" }", first.Value).
		WithFix(r.MoveToSchema(b))
	return true
}

// portKeys describes the keys of an interface block. The keys of the last three maps are arg and return.
type portKeys struct {
	given     map[string]bool
	fromOne   map[string][]diag.Edit // edits that number the entries from 1, if they are numbered from 0
	zeroFound map[string]bool
	numbered  map[string]bool // whether an entry has a number
}

func newPortKeys(r *reader, items []*syntax.Item) *portKeys {
	k := &portKeys{map[string]bool{}, map[string][]diag.Edit{}, map[string]bool{}, map[string]bool{}}
	numbers := map[string]map[int]bool{"arg": {}, "return": {}}
	for _, it := range items {
		if it.Key == nil {
			continue
		}
		k.given[it.Key.Value] = true
		kind, digits, ok := syntax.ParsePort(it.Key.Value)
		if number, err := strconv.Atoi(digits); ok && err == nil {
			numbers[kind][number] = true
			k.fromOne[kind] = append(k.fromOne[kind], diag.Edit{Span: r.SpanOf(it.Key), Text: kind + "-" + strconv.Itoa(number+1)})
		}
	}
	for kind, found := range numbers {
		k.zeroFound[kind], k.numbered[kind] = found[0], len(found) > 0
		for number := range len(k.fromOne[kind]) {
			if !found[number] {
				delete(k.fromOne, kind)
				break
			}
		}
	}
	return k
}

// renamePort adds a fix that changes the key of an entry. The fix is a guess if the block
// already has the new key.
func (k *portKeys) renamePort(d *diag.Diagnostic, name Text, key string) {
	certain := !k.given[key]
	k.given[key] = true
	d.WithFixIf(certain, diag.Edit{Span: name.Span, Text: key})
}

// portNumber returns the number of an entry whose name has the form arg-N or return-N. It
// returns 0 and reports the name if it has another form.
func (r *reader) portNumber(entry Entry, keys *portKeys) (kind string, number int) {
	name := entry.Name
	kind, digits, _ := strings.Cut(name.Value, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" || kind != "arg" && kind != "return" {
		r.reportUnknownPort(entry, keys)
		return kind, 0
	}
	switch significant := strings.TrimLeft(digits, "0"); significant {
	case digits:
	case "":
		d := r.Errorf("bad-number", name.Span, "invalid number in %q: numbers start at 1", name.Value)
		if edits := keys.fromOne[kind]; len(edits) > 1 {
			d.WithHelp("start with %s-1", kind).WithFix(edits...)
			delete(keys.fromOne, kind)
		} else {
			keys.renamePort(d.WithHelp("write %s-1", kind), name, kind+"-1")
		}
		return kind, 0
	default:
		d := r.Errorf("bad-number", name.Span, "%q has a leading zero", name.Value).WithHelp("write %s-%s", kind, significant)
		keys.renamePort(d, name, kind+"-"+significant)
		return kind, 0
	}
	number, err := strconv.Atoi(digits)
	if err != nil { // too many digits for an int
		r.Errorf("bad-number", name.Span, "the number of %q is too large", name.Value)
		return kind, 0
	}
	return kind, number
}

// reportUnknownPort reports a key that an interface block cannot have.
func (r *reader) reportUnknownPort(entry Entry, keys *portKeys) {
	name := entry.Name
	nearest, likely := syntax.GuessPort(name.Value)
	d := reportUnknown(&r.Collector, name.Value, nearest, name.Span, "an interface block has no property %q", name.Value)
	kind, digits, sure := syntax.ParsePort(name.Value)
	if single, _, ok := syntax.ParsePort(name.Value + "1"); !sure && ok && !keys.numbered[single] {
		kind, digits, sure = single, "1", true
	}
	switch {
	case slices.Contains(syntax.ElementProperties, name.Value) && values.WordOf(entry.Note.Type) == (values.Word{}):
		d.WithHelp("%q belongs to the element: move it after the block", name.Value)
	case sure && digits == "0" && len(keys.fromOne[kind]) > 0:
		d.WithHelp("start with %s-1", kind).WithFix(keys.fromOne[kind]...)
		delete(keys.fromOne, kind)
	case sure && digits != "0" && !keys.zeroFound[kind]:
		keys.renamePort(d.WithHelp("write %s-%s", kind, digits), name, kind+"-"+digits)
	case likely:
		d.WithHelp("did you mean %q? The keys are arg-1, arg-2 … and return-1, return-2 …", nearest).
			WithGuess(diag.Edit{Span: name.Span, Text: nearest})
	default:
		d.WithHelp("the keys are arg-1, arg-2 … and return-1, return-2 …; argument names come from the Go function or from\nargs_schema --> { %s --> \"…\" }", name.Value)
	}
}

// sortPorts returns the entries in the order of their numbers. It reports repeated numbers
// and, if all keys are valid, missing ones.
func (r *reader) sortPorts(prefix string, ports []port, complete bool) []Entry {
	slices.SortStableFunc(ports, func(a, b port) int { return cmp.Compare(a.number, b.number) })
	entries := make([]Entry, 0, len(ports))
	last := 0
	for i, p := range ports {
		switch p.number {
		case last:
			r.reportRepeated("repeated-property", p.Name.Value, p.Name.Span, ports[i-1].Name.Span)
			continue
		case last + 1:
		default:
			if !complete {
				break
			}
			next := prefix + strconv.Itoa(last+1)
			r.Errorf("missing-number", p.Name.Span, "%q without %q", p.Name.Value, next).
				WithHelp("number the entries without gaps: write %s", next).WithGuess(diag.Edit{Span: p.Name.Span, Text: next})
		}
		last = p.number
		entries = append(entries, p.Entry)
	}
	return entries
}
