package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/internal/jsonschema/compare"
)

// Compare lists what changed for callers: errors are changes that break some of
// them, warnings are those by which the same call means something else, notes are
// those that break nobody. Arguments may be taken more widely than before, never
// less so, for calls that were right must stay right; of results, as they are
// sent, the reverse holds. A schema must be JSON; none stands for any value.
//
// Changes stand where the new tool speaks of it, those of a tool that is gone in
// the file that had it.
func Compare(before, now Promises) diag.List {
	r := &report{}
	r.prompts(before.Prompts, now.Prompts)
	pairs, gone, added := pair(before.Tools, now.Tools)
	for _, t := range gone {
		r.gone(t, added)
	}
	for _, t := range added {
		r.harmless(t.Place, "%s is new", t.Name)
	}
	for _, p := range pairs {
		r.tool(p[0], p[1])
	}
	r.Sort()
	return r.List
}

// pair finds the tools that stayed: of the same package and name, then of the
// same name, for callers do not see packages.
func pair(before, now []Tool) (pairs [][2]Tool, gone, added []Tool) {
	gone, added = slices.Clone(before), slices.Clone(now)
	for _, same := range []func(a, b Tool) bool{
		func(a, b Tool) bool { return a.Name == b.Name && a.Package == b.Package },
		func(a, b Tool) bool { return a.Name == b.Name },
	} {
		gone = slices.DeleteFunc(gone, func(a Tool) bool {
			i := slices.IndexFunc(added, func(b Tool) bool { return same(a, b) })
			if i < 0 {
				return false
			}
			pairs = append(pairs, [2]Tool{a, added[i]})
			added = slices.Delete(added, i, i+1)
			return true
		})
	}
	return pairs, gone, added
}

func (r *report) gone(t Tool, added []Tool) {
	d := r.Errorf("breaking-tool", diag.Span{File: t.Place.File}, "%s is gone", t.Name)
	for _, other := range added {
		if other.Description == t.Description && len(compare.Texts(t.Input, other.Input)) == 0 {
			d.WithHelp("%s says and takes the same; if that is its new name, callers know the old one still", other.Name)
		}
	}
	d.WithHelp("callers that know it get an error; keep it until none of them does")
}

func (r *report) tool(before, now Tool) {
	if before.Partial || now.Partial {
		before.Link, before.Variables = now.Link, now.Variables
	}
	var reworded []string
	for _, w := range []struct{ what, before, now string }{
		{"title", before.Title, now.Title},
		{"description", before.Description, now.Description},
		{"link", before.Link, now.Link},
	} {
		if w.before != w.now {
			reworded = append(reworded, w.what)
		}
	}
	if len(reworded) > 0 {
		r.harmless(now.Place, "%s: the %s changed", now.Name, strings.Join(reworded, " and the "))
	}
	r.promises(before, now)
	r.scope(before, now)
	a, b := before.Variables, now.Variables
	for _, f := range append(compare.Texts(before.Input, now.Input), retyped(a.Arguments, b.Arguments)...) {
		r.argument(now, f)
	}
	r.results(before, now)
	for _, f := range retyped(a.Result, b.Result) {
		r.result(now, f)
	}
}

// scope compares whether there must be a scope for the tool itself.
func (r *report) scope(before, now Tool) {
	switch was, is := before.Variables.Scope, now.Variables.Scope; {
	case is && !was:
		r.Errorf("breaking-tool", now.Place, "%s takes the scope now", now.Name).
			WithHelp("callers without one are not offered it any more")
	case was && !is:
		r.harmless(now.Place, "%s no longer takes the scope", now.Name)
	}
}

// retyped lists the variables whose Go type is another one. Where they came or
// went, the schemas differ.
func retyped(before, now map[string]string) (all []compare.Difference) {
	for _, at := range slices.Sorted(maps.Keys(now)) {
		if was, is := before[at], now[at]; was != "" && was != is {
			all = append(all, compare.Difference{At: at, Text: fmt.Sprintf("it is a variable of type %s, it was one of %s", is, was), Effect: compare.Narrows | compare.Widens, Kind: compare.Uncompared})
		}
	}
	return all
}

// promises compares what the tools claim to do to the world. Callers go by it
// when they decide what may run unasked, or run again.
func (r *report) promises(before, now Tool) {
	var lost, gained []string
	a, b := before.Annotations, now.Annotations
	for _, p := range []struct {
		claim       string
		before, now bool
	}{
		{"that it changes nothing", a.ReadOnly, b.ReadOnly},
		{"that it neither overwrites nor deletes", a.Additive, b.Additive},
		{"that it may be called again", a.Idempotent, b.Idempotent},
		{"that it stays within the program", a.ClosedWorld, b.ClosedWorld},
	} {
		switch {
		case p.before && !p.now:
			lost = append(lost, p.claim)
		case p.now && !p.before:
			gained = append(gained, p.claim)
		}
	}
	if len(lost) > 0 {
		r.Errorf("breaking-tool", now.Place, "%s no longer says %s", now.Name, strings.Join(lost, ", ")).
			WithHelp("callers may have let it run unasked, or twice, because it said so")
	}
	if len(gained) > 0 {
		r.harmless(now.Place, "%s says now %s", now.Name, strings.Join(gained, ", "))
	}
}
