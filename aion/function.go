package aion

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/property"
	"github.com/aiongen/aiongen/aion/internal/syntax"
	"github.com/aiongen/aiongen/internal/values"
)

// function reads the function's text and its interface block.
func (r *reader) function(it *syntax.Item) *Function {
	key := r.At(it.Key)
	if it.Text == nil {
		r.Errorf("wrong-value", key, `"function" takes a text, not %s`, syntax.Found(it.AfterKey())).
			WithHelp(`write function --> "GoFunction" --> { … }`)
		return nil
	}
	f := &Function{Text: r.text(it.Text, key)}
	if !r.Broken(it.Text) {
		r.checkFilled("function", f.Text)
	}
	if it.Block == nil {
		told := it.Arrow == nil || it.Arrow.Value != "-->" // with the fault of the arrow
		if !told && !r.Broken(it.Text) {
			r.Errorf("missing-block", key, "the function has no interface block").
				WithHelp("write function --> %s --> { }", syntax.Found(it.Text)).WithFix(r.blockBehind(it))
		}
		return f
	}
	f.Block = r.Between(it.Block.Open, it.Last())
	r.interfaceBlock(f, it.Block)
	return f
}

// blockBehind is the edit that gives a function's text the interface block that it lacks.
func (r *reader) blockBehind(it *syntax.Item) diag.Edit {
	if it.Then != nil {
		return r.At(it.Then).Insert(" {}")
	}
	return r.At(it.Text).Insert(" --> {}")
}

// A port is an entry of an interface block with its number.
type port struct {
	Entry
	number int
}

// interfaceBlock reads the entries arg-N and return-N.
func (r *reader) interfaceBlock(f *Function, b *syntax.Block) {
	items := r.Entries(b)
	args, returns := make([]port, 0, len(items)), []port(nil) // most have one result
	complete := true                                          // every key was understood, so that gaps are gaps
	keys := newPortKeys(r, items)
	for _, it := range items {
		entry, sound := r.entry(it)
		if it.Key == nil {
			continue
		}
		kind, number := r.portNumber(entry.Name, keys)
		switch {
		case number == 0:
			complete = false
		case kind == "arg":
			args = append(args, port{entry, number})
			if sound && values.WordOf(entry.Note.Type).Kind == values.NoneKind {
				r.noneReserved(entry)
			}
		default:
			returns = append(returns, port{entry, number})
		}
	}
	f.Args = r.inSequence("arg-", args, complete)
	f.Returns = r.inSequence("return-", returns, complete)
	for _, entry := range f.Returns {
		if len(f.Returns) > 1 && values.WordOf(entry.Note.Type).Kind == values.NoneKind {
			r.noneReserved(entry)
		}
	}
}

// portKeys are the keys of an interface block.
type portKeys struct {
	given     map[string]bool
	fromOne   map[string][]diag.Edit // of arg and return: the edits that number from 1 what is numbered from 0
	zeroFound map[string]bool
}

func newPortKeys(r *reader, items []*syntax.Item) *portKeys {
	k := &portKeys{map[string]bool{}, map[string][]diag.Edit{}, map[string]bool{}}
	numbers := map[string]map[int]bool{"arg": {}, "return": {}}
	for _, it := range items {
		if it.Key == nil {
			continue
		}
		k.given[it.Key.Value] = true
		kind, digits, ok := property.ParsePort(it.Key.Value)
		if number, err := strconv.Atoi(digits); ok && err == nil {
			numbers[kind][number] = true
			k.fromOne[kind] = append(k.fromOne[kind], diag.Edit{Span: r.At(it.Key), Text: kind + "-" + strconv.Itoa(number+1)})
		}
	}
	for kind, found := range numbers {
		k.zeroFound[kind] = found[0]
		for number := range len(k.fromOne[kind]) {
			if !found[number] {
				delete(k.fromOne, kind)
				break
			}
		}
	}
	return k
}

// rename adds the edit that gives an entry another key, which is a guess if the block has
// that key.
func (k *portKeys) rename(d *diag.Diagnostic, name Text, key string) {
	certain := !k.given[key]
	k.given[key] = true
	d.WithFixIf(certain, diag.Edit{Span: name.Span, Text: key})
}

// portNumber reads a name of the form arg-N or return-N. The number is 0 if the
// name is neither, which it reports.
func (r *reader) portNumber(name Text, keys *portKeys) (kind string, number int) {
	kind, digits, _ := strings.Cut(name.Value, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" || kind != "arg" && kind != "return" {
		r.unknownPort(name, keys)
		return kind, 0
	}
	switch significant := strings.TrimLeft(digits, "0"); significant {
	case digits:
	case "":
		d := r.Errorf("bad-number", name.Span, "%q: numbers start at 1", name.Value)
		if edits := keys.fromOne[kind]; len(edits) > 1 {
			d.WithHelp("number them from %s-1 on", kind).WithFix(edits...)
			delete(keys.fromOne, kind)
		} else {
			keys.rename(d.WithHelp("write %s-1", kind), name, kind+"-1")
		}
		return kind, 0
	default:
		d := r.Errorf("bad-number", name.Span, "%q has a leading zero", name.Value).WithHelp("write %s-%s", kind, significant)
		keys.rename(d, name, kind+"-"+significant)
		return kind, 0
	}
	number, err := strconv.Atoi(digits)
	if err != nil { // more digits than anybody can have arguments
		r.Errorf("bad-number", name.Span, "the number of %q is too large", name.Value)
		return kind, 0
	}
	return kind, number
}

// unknownPort reports a key that an interface block does not have.
func (r *reader) unknownPort(name Text, keys *portKeys) {
	nearest, likely := property.Port(name.Value)
	d := unknown(&r.Collector, name.Value, nearest, name.Span, "an interface block has no property %q", name.Value)
	kind, digits, sure := property.ParsePort(name.Value)
	switch {
	case slices.Contains(property.Element, name.Value):
		d.WithHelp("%q belongs to the element: move it behind the block", name.Value)
	case sure && digits == "0" && len(keys.fromOne[kind]) > 0:
		d.WithHelp("number them from %s-1 on", kind).WithFix(keys.fromOne[kind]...)
		delete(keys.fromOne, kind)
	case sure && digits != "0" && !keys.zeroFound[kind]:
		keys.rename(d.WithHelp("write %s-%s", kind, digits), name, kind+"-"+digits)
	case likely:
		d.WithHelp("did you mean %q? The keys are arg-1, arg-2 … and return-1, return-2 …", nearest).
			WithGuess(diag.Edit{Span: name.Span, Text: nearest})
	default:
		d.WithHelp("the keys are arg-1, arg-2 … and return-1, return-2 …; names come from Go, or from\nargs_schema --> { %s --> \"…\" }", name.Value)
	}
}

// inSequence returns the entries in the order of their numbers, and reports
// where a number is given twice or, if none can be hidden, left out.
func (r *reader) inSequence(prefix string, ports []port, complete bool) []Entry {
	slices.SortStableFunc(ports, func(a, b port) int { return cmp.Compare(a.number, b.number) })
	entries := make([]Entry, 0, len(ports))
	last := 0
	for i, p := range ports {
		switch p.number {
		case last:
			repeated(&r.Collector, "repeated-property", p.Name.Value, p.Name.Span, ports[i-1].Name.Span)
			continue
		case last + 1:
		default:
			if !complete {
				break
			}
			next := prefix + strconv.Itoa(last+1)
			r.Errorf("missing-number", p.Name.Span, "%q without %q", p.Name.Value, next).
				WithHelp("number without gaps: write %s", next).WithGuess(diag.Edit{Span: p.Name.Span, Text: next})
		}
		last = p.number
		entries = append(entries, p.Entry)
	}
	return entries
}
