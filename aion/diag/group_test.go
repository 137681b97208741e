package diag_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/aion/diag"
)

// TestGrouped groups notes about tools of two packages. Warnings, and notes about a single tool, stay.
func TestGrouped(t *testing.T) {
	at := func(file string, line int) diag.Span {
		return diag.Span{File: file, Start: diag.Pos{Line: line, Column: 1}}
	}
	var list diag.List
	leftOut := func(at diag.Span, tool string, items ...string) {
		list.Notef("left-out", at, "%s: the result leaves out: %s", tool, strings.Join(items, ", ")).
			WithGroup(diag.Group{Subject: tool, Items: items, One: "the result leaves out", Many: "tools leave out"}).
			WithHelp("for %s", tool)
	}
	options := func(at diag.Span, tool string, items ...string) {
		list.Notef("left-out", at, "%s: leaves out options", tool).
			WithHelp("for all").
			WithGroup(diag.Group{Subject: tool, Items: items, Joined: true, Many: "tools leave out options"})
	}
	leftOut(at("a/x.aion", 1), "one", "A", "B")
	leftOut(at("a/x.aion", 2), "two", "B", "A", "C", "D")
	leftOut(at("b/x.aion", 1), "other", "A")
	options(at("a/x.aion", 1), "one", "...A")
	options(at("a/y.aion", 2), "two", "...B", "...A")
	list.Warnf("lost-value", at("a/x.aion", 1), "one: a warning")
	list.Notef("never-returns", at("a/x.aion", 1), "one: a note")
	var got []string
	for _, d := range list.Grouped() {
		got = append(got, d.Error()+" help: "+strings.Join(d.Help, "; "))
	}
	want := []string{
		"a/x.aion: note: 2 tools leave out A, B: one, two [left-out] help: ",
		"a/x.aion:2:1: note: two: the result leaves out: C, D [left-out] help: for two",
		"b/x.aion:1:1: note: other: the result leaves out: A [left-out] help: for other",
		"a: note: 2 tools leave out options ...A, ...B: one, two [left-out] help: for all",
		"a/x.aion:1:1: warning: one: a warning [lost-value] help: ",
		"a/x.aion:1:1: note: one: a note [never-returns] help: ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestGroupedMany groups very many notes, and lists only the first subjects.
func TestGroupedMany(t *testing.T) {
	var list diag.List
	for i := range 10_000 {
		list.Notef("left-out", diag.Span{File: "x.aion"}, "x").
			WithGroup(diag.Group{Subject: fmt.Sprint(i), Items: []string{"A", fmt.Sprint(i), fmt.Sprint(-i)}, One: "one", Many: "tools lose"})
	}
	grouped := list.Grouped()
	if want := "10000 tools lose A: 0, 1, 2, 3, 4, 5, 6, 7 and 9992 more"; grouped[0].Message != want || len(grouped) != 10_001 {
		t.Errorf("%d lines, the first is %s", len(grouped), grouped[0].Message)
	}
}
