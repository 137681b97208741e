// Package explain describes the codes of all diagnostics of aiongen, with an example for
// each. Call Find or All.
package explain

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"

	"github.com/aiongen/aiongen/aion/diag"
)

// codes contains an archive for each code. The comment of the archive is the summary, followed by the
// text. Files in the directories wrong and right belong to one of the two examples. Files in before are
// the version with which an example is compared, and the other files belong to both examples.
//
//go:embed codes
var codes embed.FS

// A Topic describes a code.
type Topic struct {
	Code    diag.Code
	Summary string // one sentence
	Text    string // paragraphs, in lines of at most 80 characters

	// The files of an example. Given and Wrong together produce a diagnostic with the
	// code, Given and Right produce none. If Before is not empty, both are compared with
	// it. All are empty if no file can show the code.
	Given, Before, Wrong, Right []txtar.File
}

// All returns the topics, sorted by code.
var All = sync.OnceValue(func() []Topic {
	entries, err := fs.ReadDir(codes, "codes")
	if err != nil {
		panic(err) // not reachable: the files are embedded
	}
	topics := make([]Topic, 0, len(entries))
	for _, e := range entries {
		data, err := codes.ReadFile(path.Join("codes", e.Name()))
		if err != nil {
			panic(err)
		}
		topics = append(topics, parseTopic(diag.Code(strings.TrimSuffix(e.Name(), ".txtar")), data))
	}
	slices.SortFunc(topics, func(a, b Topic) int { return cmp.Compare(a.Code, b.Code) })
	return topics
})

func parseTopic(code diag.Code, data []byte) Topic {
	archive := txtar.Parse(data)
	t := Topic{Code: code}
	summary, text, _ := strings.Cut(string(archive.Comment), "\n\n")
	t.Summary, t.Text = strings.TrimSpace(summary), strings.TrimSpace(text)
	for _, f := range archive.Files {
		files := &t.Given
		switch dir, name := path.Split(f.Name); dir {
		case "before/":
			files, f.Name = &t.Before, name
		case "wrong/":
			files, f.Name = &t.Wrong, name
		case "right/":
			files, f.Name = &t.Right, name
		}
		*files = append(*files, f)
	}
	return t
}

// Find returns the topic of a code, and reports whether there is one.
func Find(code diag.Code) (t Topic, ok bool) {
	i, ok := slices.BinarySearchFunc(All(), code, func(t Topic, code diag.Code) int { return cmp.Compare(t.Code, code) })
	if !ok {
		return Topic{}, false
	}
	return All()[i], true
}

// Description returns the topic as a description.
func (t Topic) Description() diag.Description {
	return diag.Description{
		Summary: t.Summary,
		Text:    t.Text,
		More:    fmt.Sprintf("To see an example, run: go tool aiongen explain %s", t.Code),
		Page:    t.formatPage(),
	}
}

// formatPage returns the topic as a page of text.
func (t Topic) formatPage() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n%s\n", t.Code, t.Summary, t.Text)
	for _, part := range []struct {
		word  string
		files []txtar.File
	}{{"Given", t.Given}, {"Before", t.Before}, {"Wrong", t.Wrong}, {"Right", t.Right}} {
		for _, f := range part.files {
			fmt.Fprintf(&b, "\n%s, %s:\n\n", part.word, f.Name)
			for line := range strings.Lines(string(f.Data)) {
				b.WriteString(strings.TrimRight("    "+line, " \n") + "\n")
			}
		}
	}
	return b.String()
}
