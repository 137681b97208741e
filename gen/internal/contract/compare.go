package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/internal/jsonschema/compare"
)

// Compare lists what changed for callers. Breaking changes are errors, changes of the
// meaning of the same call are warnings, and compatible changes are notes. Arguments may
// accept more than before but not less; results may become narrower but not
// wider. Schemas must be JSON; an empty schema allows any value.
//
// The position of a change is that of the new tool. For a removed tool, it is the file that
// contained it.
func Compare(before, now Promises) diag.List {
	r := &report{}
	r.comparePrompts(before.Prompts, now.Prompts)
	pairs, removed, added := pairTools(before.Tools, now.Tools)
	for _, t := range removed {
		r.reportRemoved(t, added)
	}
	for _, t := range added {
		r.noteCompatible(t.Place, "%s is new", t.Name)
	}
	for _, p := range pairs {
		r.compareTool(p[0], p[1])
	}
	r.Sort()
	return r.List
}

// pairTools matches tools by package and name, and the remaining ones by name alone, because callers do
// not see packages. It also returns the tools without a match.
func pairTools(before, now []Tool) (pairs [][2]Tool, removed, added []Tool) {
	removed, added = slices.Clone(before), slices.Clone(now)
	for _, same := range []func(a, b Tool) bool{
		func(a, b Tool) bool { return a.Name == b.Name && a.Package == b.Package },
		func(a, b Tool) bool { return a.Name == b.Name },
	} {
		removed = slices.DeleteFunc(removed, func(a Tool) bool {
			i := slices.IndexFunc(added, func(b Tool) bool { return same(a, b) })
			if i < 0 {
				return false
			}
			pairs = append(pairs, [2]Tool{a, added[i]})
			added = slices.Delete(added, i, i+1)
			return true
		})
	}
	return pairs, removed, added
}

// reportRemoved reports a tool that no longer exists.
func (r *report) reportRemoved(t Tool, added []Tool) {
	d := r.Errorf("breaking-tool", diag.Span{File: t.Place.File}, "tool %s was removed", t.Name)
	for _, other := range added {
		if other.Description == t.Description && len(compare.Texts(t.Input, other.Input)) == 0 {
			d.WithHelp("%s has the same description and arguments; if the tool was renamed, callers still use the old name", other.Name)
		}
	}
	d.WithHelp("callers that use it get an error; keep it until no caller uses it")
}

// compareTool compares two versions of a tool.
func (r *report) compareTool(before, now Tool) {
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
		r.noteCompatible(now.Place, "%s: the %s changed", now.Name, strings.Join(reworded, " and the "))
	}
	r.compareAnnotations(before, now)
	r.compareScope(before, now)
	a, b := before.Variables, now.Variables
	for _, f := range append(compare.Texts(before.Input, now.Input), findRetyped(a.Arguments, b.Arguments)...) {
		r.reportArgument(now, f)
	}
	r.compareResults(before, now)
	for _, f := range findRetyped(a.Result, b.Result) {
		r.reportResult(now, f)
	}
}

// compareScope compares whether the function of a tool takes the scope.
func (r *report) compareScope(before, now Tool) {
	switch was, is := before.Variables.Scope, now.Variables.Scope; {
	case is && !was:
		r.Errorf("breaking-tool", now.Place, "%s takes the scope now", now.Name).
			WithHelp("the tool is no longer offered to callers without a scope")
	case was && !is:
		r.noteCompatible(now.Place, "%s no longer takes the scope", now.Name)
	}
}

// findRetyped lists the variables whose Go type changed. It skips added and removed variables, which the
// schemas show.
func findRetyped(before, now map[string]string) (all []compare.Difference) {
	for _, at := range slices.Sorted(maps.Keys(now)) {
		if was, is := before[at], now[at]; was != "" && was != is {
			all = append(all, compare.Difference{At: at, Text: fmt.Sprintf("it is a variable of type %s, it was one of %s", is, was), Effect: compare.Narrows | compare.Widens, Kind: compare.Uncompared})
		}
	}
	return all
}

// compareAnnotations compares the annotations of tools. Callers use them to decide whether
// to run a tool without asking, or to run it again.
func (r *report) compareAnnotations(before, now Tool) {
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
			WithHelp("callers that trust the old annotation may run it without asking, or more than once")
	}
	if len(gained) > 0 {
		r.noteCompatible(now.Place, "%s now says %s", now.Name, strings.Join(gained, ", "))
	}
}
