package diag

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
)

// A Group splits the message of a note into its parts, so that [List.Grouped] can report similar
// notes in one line: "7 tools leave out Response (*http.Response): get, list, …".
type Group struct {
	Subject string   `json:"subject"`          // what the note is about, such as a tool
	Items   []string `json:"items,omitempty"`  // the parts of the subject that the note is about
	Joined  bool     `json:"joined,omitempty"` // all subjects share one line, even if their items differ
	One     string   `json:"one,omitempty"`    // what the note says about the items of one subject
	Many    string   `json:"many"`             // what the line says about several subjects; their number precedes it
}

// WithGroup sets the group of a note.
func (d *Diagnostic) WithGroup(g Group) *Diagnostic {
	d.Group = &g
	return d
}

// maxGrouped limits how many subjects and items one line lists.
const maxGrouped = 8

// Grouped returns the list with one line for notes that say the same about several subjects
// of a directory. Other diagnostics, and notes about a single subject, stay as they are.
func (l List) Grouped() (grouped List) {
	type key struct {
		code      Code
		dir, many string
	}
	groups := map[key]List{}
	keyOf := func(d *Diagnostic) key { return key{d.Code, path.Dir(d.Span.File), d.Group.Many} }
	isGrouped := func(d *Diagnostic) bool { return d.Group != nil && d.Severity == Note }
	for _, d := range l {
		if isGrouped(d) {
			groups[keyOf(d)] = append(groups[keyOf(d)], d)
		}
	}
	for _, d := range l {
		if !isGrouped(d) {
			grouped = append(grouped, d)
			continue
		}
		grouped = append(grouped, mergeNotes(groups[keyOf(d)])...)
		delete(groups, keyOf(d)) // the merged notes take the place of the first one
	}
	return grouped
}

// mergeNotes merges notes that make the same statement. Items that concern the same subjects share
// a line.
func mergeNotes(notes List) (merged List) {
	if len(notes) < 2 {
		return notes
	}
	var order []string          // the items in order of appearance
	about := map[string][]int{} // indexes of the notes by item
	for i, d := range notes {
		items := d.Group.Items
		if d.Group.Joined || len(items) == 0 {
			items = []string{""}
		}
		for _, item := range items {
			if about[item] == nil {
				order = append(order, item)
			}
			about[item] = append(about[item], i)
		}
	}
	lines := map[string]int{} // indexes in shared, by the indexes of the notes
	var shared [][]string
	for _, item := range order {
		same := fmt.Sprint(about[item])
		at, known := lines[same]
		if !known {
			at = len(shared)
			lines[same], shared = at, append(shared, nil)
		}
		shared[at] = append(shared[at], item)
	}
	for _, items := range shared {
		var same List
		for _, i := range about[items[0]] {
			same = append(same, notes[i])
		}
		merged = append(merged, mergeLine(same, items))
	}
	return merged
}

// mergeLine returns the line for notes about the same items.
func mergeLine(notes List, items []string) *Diagnostic {
	first := notes[0]
	if len(notes) == 1 {
		if len(items) == len(first.Group.Items) {
			return first
		}
		line := *first
		line.Message = clipMessage(fmt.Sprintf("%s: %s: %s", first.Group.Subject, first.Group.One, words.Join(items, ", ", maxGrouped)))
		return &line
	}
	var subjects, joined []string
	line := &Diagnostic{Code: first.Code, Severity: Note, Span: Span{File: first.Span.File}, Help: first.Help}
	for _, d := range notes {
		subjects, joined = append(subjects, d.Group.Subject), append(joined, d.Group.Items...)
		if d.Span.File != first.Span.File {
			line.Span.File = path.Dir(first.Span.File)
		}
		if !slices.Equal(d.Help, first.Help) {
			line.Help = nil // each help is about a single subject
		}
	}
	if first.Group.Joined {
		items = distinct(joined)
	}
	subjects = distinct(subjects)
	said := strings.TrimSpace(first.Group.Many + " " + words.Join(items, ", ", maxGrouped))
	line.Message = clipMessage(fmt.Sprintf("%d %s: %s", len(subjects), said, words.Join(subjects, ", ", maxGrouped)))
	return line
}

// distinct returns the texts without repetitions, in the order of their first occurrence.
func distinct(texts []string) (once []string) {
	known := map[string]bool{}
	for _, text := range texts {
		if !known[text] {
			known[text] = true
			once = append(once, text)
		}
	}
	return once
}
