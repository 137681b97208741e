package emit

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// TestPartsInOrder prints more parts than run concurrently, in several files.
func TestPartsInOrder(t *testing.T) {
	var all []*fileSource
	var want []string
	for i := range 20 {
		s := &fileSource{name: fmt.Sprint(i)}
		text := ""
		for j := range 20 {
			line := fmt.Sprintf("var v%d_%d int", i, j)
			s.parts = append(s.parts, func(e *emitter) error { e.add(line); return nil })
			text += "\n" + line + "\n"
		}
		all, want = append(all, s), append(want, text)
	}
	if err := printParts(nil, NewNames(&model.Package{}), &model.Package{}, all); err != nil {
		t.Fatal(err)
	}
	for i, s := range all {
		if string(s.text) != want[i] {
			t.Errorf("file %d is\n%s", i, s.text)
		}
	}
}

// TestPartsFail checks that all errors are reported in order, and that output of failed parts
// is not reused.
func TestPartsFail(t *testing.T) {
	fails := func(e *emitter) error { e.add("half a {"); return errors.New("first") }
	panics := func(e *emitter) error { e.add("half a {"); panic("second") }
	sound := func(e *emitter) error { e.add("var a int"); return nil }
	var all []*fileSource
	for i := range 10 {
		all = append(all, &fileSource{name: fmt.Sprint(i), parts: []part{sound, fails, sound, panics}})
	}
	err := printParts(nil, NewNames(&model.Package{}), &model.Package{}, all)
	if err == nil {
		t.Fatal("no error")
	}
	var got []string
	for line := range strings.Lines(err.Error()) {
		if strings.HasPrefix(line, "printing ") {
			got = append(got, strings.TrimPrefix(strings.TrimSpace(line), "printing "))
		}
	}
	var want []string
	for i := range all {
		want = append(want, fmt.Sprintf("%d: first", i), fmt.Sprintf("%d: second", i))
	}
	if strings.Join(got, ", ") != strings.Join(want, ", ") {
		t.Errorf("got %q", got)
	}
	for _, s := range all {
		if string(s.text) != "\nvar a int\n\nvar a int\n" {
			t.Errorf("file %s is\n%s", s.name, s.text)
		}
	}
}
