package bind

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/internal/words"
)

// A partBinder applies notes on parts of arguments and results, such as arg-1.address.city.
type partBinder struct{ *binder }

// splitPath splits the name of an entry into the name of an argument or result and the path of a part of it:
// arg-1 and address.city for arg-1.address.city.
func splitPath(e aion.Entry) (name string, path aion.Path) {
	name, rest, _ := strings.Cut(e.Name.Value, ".")
	span := e.Name.Span
	span.Start.Offset += len(name) + 1
	span.Start.Column += len(name) + 1
	return name, aion.Path{Names: strings.Split(rest, "."), Span: span}
}

// pathEntries returns the entries in the interface block for parts of an argument (kind "arg") or a result (kind
// "return"). Numbers start at 1.
func (el *element) pathEntries(kind string, number int) []aion.Entry {
	if el.parts == nil {
		el.parts = groupByName(el.Function.Paths)
	}
	return el.parts[kind+"-"+strconv.Itoa(number)]
}

// groupByName groups entries with paths by the name of the argument or result.
func groupByName(entries []aion.Entry) map[string][]aion.Entry {
	groups := map[string][]aion.Entry{}
	for _, e := range entries {
		name, _ := splitPath(e)
		groups[name] = append(groups[name], e)
	}
	return groups
}

// reportStrayPaths reports entries for parts of arguments or results that do not exist.
func (b partBinder) reportStrayPaths(el *element, kind string, count int) {
	for _, e := range el.Function.Paths {
		name, _ := splitPath(e)
		number, ok := strings.CutPrefix(name, kind+"-")
		if n, err := strconv.Atoi(number); ok && (err != nil || n > count) {
			noun := map[string]string{"arg": "argument", "return": "result"}[kind]
			el.faults.Errorf("wrong-count", e.Name.Span, "%s has no %s, because it has %s", el.fn.Describe(), name, words.Count(count, noun)).
				Related = b.scope.RelatedDeclaration(el.fn)
		}
	}
}

// describeParts returns the type of an argument with the entries for its parts applied.
func (b partBinder) describeParts(el *element, entries []aion.Entry, t *model.Type) *model.Type {
	for _, e := range entries {
		_, path := splitPath(e)
		t = b.changePart(el, e, path, t, func(f *model.Field) {
			f.Type = b.describeCustomType(el, &e.Note, f.Type)
			b.checkArg(el, e, "field "+path.String(), f)
		})
	}
	return t
}

// describeArgument applies entries for parts of an argument. If they change whether the argument has required
// fields, it becomes required or optional accordingly, unless its own note says which.
func (b partBinder) describeArgument(el *element, entries []aion.Entry, note *aion.Note, field *model.Field) {
	if len(entries) == 0 || field.Hidden {
		return
	}
	wasOmittable := shape.IsOmittable(field.Type)
	field.Type = b.describeParts(el, entries, field.Type)
	explicit := note != nil && (note.Required || note.Optional)
	if !explicit && wasOmittable != shape.IsOmittable(field.Type) {
		field.Optional = !wasOmittable
	}
}

// describeResult returns the type of a result with the entries for its parts applied.
func (b partBinder) describeResult(el *element, entries []aion.Entry, t *model.Type) *model.Type {
	for _, e := range entries {
		_, path := splitPath(e)
		t = b.changePart(el, e, path, t, func(f *model.Field) {
			el.addFaults(checkResultNote(e, f.Type))
			declared := b.assertType(el, &e.Note, f.Type, b.readResultType)
			f.Type = b.narrowByNote(el, e, declared)
			b.checkNote(el, e, "field "+path.String(), f, declared)
		})
	}
	return t
}

// changePart returns t with the field at a path changed, or removed if the note of the entry has omit.
func (b partBinder) changePart(el *element, e aion.Entry, path aion.Path, t *model.Type, change func(*model.Field)) *model.Type {
	option := ""
	if e.Note.Omit {
		option = "omit"
	}
	return b.notes.changePart(t, path, option, el.tool.Name, &el.faults, change)
}

// describeSchemaParts applies the entries for parts of arguments in args_schema.
func (b partBinder) describeSchemaParts(el *element, args *model.Type) {
	groups := groupByName(el.Schema.Paths)
	names := slices.Sorted(maps.Keys(groups))
	notes := map[string]*aion.Note{}
	for i, f := range el.Schema.Fields {
		notes[words.FoldName(f.Name.Value)] = &el.Schema.Fields[i].Note
	}
	for i, field := range matchFieldNames(names, args.Fields) {
		if entries := groups[names[i]]; field != nil {
			b.describeArgument(el, entries, notes[words.FoldName(field.Name)], field)
		} else {
			b.reportNoArgument(el, aion.Text{Value: names[i], Span: entries[0].Name.Span}, args.Fields)
		}
	}
}
