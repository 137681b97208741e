// Package explain is the table of the codes that aiongen reports: what each one
// means, and an example of it. It stands beside the stages of the compiler, not
// in them, since words for people are no business of a parser, and since tests
// can hold one table complete, and its examples true, against all of them.
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

// codes has one file a code. The comment of the archive is the summary and, in
// paragraphs behind it, the text. Files below wrong and right belong to one of
// the two examples, those below before to what they are compared with, the others
// to all.
//
//go:embed codes
var codes embed.FS

// A Topic is what there is to say about a code.
type Topic struct {
	Code    diag.Code
	Summary string // a sentence
	Text    string // paragraphs, in lines of at most 80 characters

	// The files of an example, which yields the code where Wrong is added to
	// Given, and no diagnostics where Right is; if there are any of Before, when
	// they are compared with these. They are empty where no file can show the
	// code.
	Given, Before, Wrong, Right []txtar.File
}

// All returns the topics in the order of their codes.
var All = sync.OnceValue(func() []Topic {
	entries, err := fs.ReadDir(codes, "codes")
	if err != nil {
		panic(err) // they are part of the program
	}
	topics := make([]Topic, 0, len(entries))
	for _, e := range entries {
		data, err := codes.ReadFile(path.Join("codes", e.Name()))
		if err != nil {
			panic(err)
		}
		topics = append(topics, parse(diag.Code(strings.TrimSuffix(e.Name(), ".txtar")), data))
	}
	slices.SortFunc(topics, func(a, b Topic) int { return cmp.Compare(a.Code, b.Code) })
	return topics
})

func parse(code diag.Code, data []byte) Topic {
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

// Find returns the topic of a code.
func Find(code diag.Code) (t Topic, ok bool) {
	i, ok := slices.BinarySearchFunc(All(), code, func(t Topic, code diag.Code) int { return cmp.Compare(t.Code, code) })
	if !ok {
		return Topic{}, false
	}
	return All()[i], true
}

// Description is what the topic says to programs and people.
func (t Topic) Description() diag.Description {
	return diag.Description{
		Summary: t.Summary,
		Text:    t.Text,
		More:    fmt.Sprintf("To see an example, run: aiongen explain %s", t.Code),
		Page:    t.page(),
	}
}

// page is the topic as a page of text.
func (t Topic) page() string {
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
