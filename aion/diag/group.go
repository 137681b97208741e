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
	Subject string   `json:"subject"`          // usually the name of a tool, such as "get"
	Items   []string `json:"items,omitempty"`  // parts of the subject, such as "Response (*http.Response)"
	Joined  bool     `json:"joined,omitempty"` // all subjects share one line, even if their items differ
	One     string   `json:"one,omitempty"`    // the statement about the items of one subject, such as "the result leaves out"
	Many    string   `json:"many"`             // the statement about several subjects, such as "tools leave out"
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

// mergeNotes merges notes that make the same statement. Items that occur in the same notes share a
// line.
func mergeNotes(notes List) (merged List) {
	if len(notes) < 2 {
		return notes
	}
	var order []string            // the items in order of appearance
	notesOf := map[string][]int{} // indexes of the notes, by item
	for i, d := range notes {
		items := d.Group.Items
		if d.Group.Joined || len(items) == 0 {
			items = []string{""}
		}
		for _, item := range items {
			if notesOf[item] == nil {
				order = append(order, item)
			}
			notesOf[item] = append(notesOf[item], i)
		}
	}
	lineOf := map[string]int{} // indexes in lines, by the indexes of the notes
	var lines [][]string       // the items of each line
	for _, item := range order {
		key := fmt.Sprint(notesOf[item])
		i, found := lineOf[key]
		if !found {
			i = len(lines)
			lineOf[key], lines = i, append(lines, nil)
		}
		lines[i] = append(lines[i], item)
	}
	for _, items := range lines {
		var sharing List
		for _, i := range notesOf[items[0]] {
			sharing = append(sharing, notes[i])
		}
		merged = append(merged, mergeLine(sharing, items))
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
	statement := strings.TrimSpace(first.Group.Many + " " + words.Join(items, ", ", maxGrouped))
	line.Message = clipMessage(fmt.Sprintf("%d %s: %s", len(subjects), statement, words.Join(subjects, ", ", maxGrouped)))
	return line
}

// distinct returns the texts without repetitions, in the order of their first occurrence.
func distinct(texts []string) (unique []string) {
	seen := map[string]bool{}
	for _, text := range texts {
		if !seen[text] {
			seen[text] = true
			unique = append(unique, text)
		}
	}
	return unique
}
