package journaltest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
)

func checkRead(ctx context.Context, j journal.Journal) error {
	full := journal.Entry{
		Format: 7, Kind: "call", By: "me", Seen: 3, Time: start, Status: "waiting", WaitsFor: "approval",
		Effect: "r/\"1\"\n/2 <ü>", Data: json.RawMessage(`{"a":1}`),
	}
	bare := journal.Entry{By: "me"}
	err := errors.Join(
		expectNotFound(discardFirst(readAll(ctx, j, "r", 0)), "Read of a missing run", journal.NotFoundError{Run: "r"}),
		j.Append(ctx, "r", 0, full),
		j.Append(ctx, "r", 1, bare, full),
		j.Append(ctx, "other", 0, newEntry("me", "other")),
	)
	want := []journal.Entry{full, bare, full}
	for i := range want {
		want[i].N = i
	}
	for from := -1; from < 6; from++ {
		got, readErr := readAll(ctx, j, "r", from)
		expected := append([]journal.Entry(nil), want[min(max(from, 0), 3):]...)
		if readErr != nil || !reflect.DeepEqual(got, expected) {
			err = errors.Join(err, fmt.Errorf("Read from entry %d returns %+v, %v; want %+v", from, got, readErr, expected))
		}
	}
	count := 0
	for _, readErr := range j.Read(ctx, "r", 0) {
		err = errors.Join(err, readErr)
		if count++; count == 2 {
			break
		}
	}
	return errors.Join(err, expectData(ctx, j, "other", `"other"`))
}

func discardFirst[A, B any](_ A, b B) B { return b }

func checkData(ctx context.Context, j journal.Journal) error {
	texts := []string{
		"null", `""`, `{"b":1.0,"a":[],"b":2}`, `90071992547409931234567890.10`, `1E400`, `"\u0000 \u2028 <&> ü 😀 \n"`,
		`"=1 00000000 {}"`, `"!deleted"`,
	}
	var errs []error
	for i, text := range texts {
		errs = append(errs, j.Append(ctx, "r", i, journal.Entry{By: "me", Data: json.RawMessage(text)}))
	}
	errs = append(errs, expectData(ctx, j, "r", texts...))

	spaced := json.RawMessage("\n{\n\t\"a\": [1,\r\n 2]\n}\n")
	if err := j.Append(ctx, "s", 0, journal.Entry{By: "me", Data: spaced}); err != nil {
		return errors.Join(append(errs, err)...)
	}
	entries, err := readAll(ctx, j, "s", 0)
	var got struct{ A []int }
	if err != nil || len(entries) != 1 || json.Unmarshal(entries[0].Data, &got) != nil || len(got.A) != 2 {
		errs = append(errs, fmt.Errorf("data with line breaks comes back as %v, %v", entries, err))
	}
	return errors.Join(append(errs, j.Append(ctx, "s", 0, journal.Entry{By: "me", Data: spaced}))...)
}

func checkAliases(ctx context.Context, j journal.Journal) error {
	e := newEntry("me", "abc")
	errs := []error{j.Append(ctx, "r", 0, e)}
	e.Data[1] = 'X'
	for range 2 { // in the second round, the first result has been overwritten
		errs = append(errs, expectData(ctx, j, "r", `"abc"`))
		entries, err := readAll(ctx, j, "r", 0)
		errs = append(errs, err)
		for _, e := range entries {
			for i := range e.Data[:cap(e.Data)] {
				e.Data[:cap(e.Data)][i] = 'x'
			}
		}
	}
	return errors.Join(errs...)
}

func checkNumbers(ctx context.Context, j journal.Journal) error {
	return errors.Join(
		expectNotFound(j.Append(ctx, "r", 1, newEntry("a", "late")), "entry 1 of a missing run", journal.NotFoundError{Run: "r"}),
		j.Append(ctx, "r", 0, newEntry("a", "0"), newEntry("a", "1")),
		expectConflict(j.Append(ctx, "r", 0, newEntry("b", "0")), "r", 0),
		expectConflict(j.Append(ctx, "r", 1, newEntry("b", "1")), "r", 1),
		expectConflict(j.Append(ctx, "r", 1, newEntry("b", "1"), newEntry("b", "2")), "r", 1),
		expectNotFound(j.Append(ctx, "r", 3, newEntry("a", "3")), "a gap", journal.NotFoundError{Run: "r", Entries: 2}),
		expectError(j.Append(ctx, "r", -1, newEntry("a", "-1")), journal.Invalid, "a number below 0"),
		j.Append(ctx, "r", 2, journal.Entry{By: "b", N: 77, Data: json.RawMessage("2")}),
		expectData(ctx, j, "r", `"0"`, `"1"`, "2"),
	)
}

func checkLostAnswers(ctx context.Context, j journal.Journal) error {
	ours := []journal.Entry{newEntry("a", "0"), newEntry("a", "1")}
	changed := func(change func(*journal.Entry)) []journal.Entry {
		entries := []journal.Entry{ours[0], ours[1]}
		change(&entries[1])
		return entries
	}
	err := errors.Join(
		j.Append(ctx, "r", 0, ours...),
		j.Append(ctx, "r", 0, ours...),
		j.Append(ctx, "r", 2, newEntry("b", "2")),
		j.Append(ctx, "r", 0, ours...), // even if later entries exist
		expectConflict(j.Append(ctx, "r", 0, append(ours[:2:2], newEntry("a", "2"))...), "r", 0),
	)
	for _, change := range []func(*journal.Entry){
		func(e *journal.Entry) { e.By = "b" },
		func(e *journal.Entry) { e.Data = json.RawMessage(`"2"`) },
		func(e *journal.Entry) { e.Data = nil },
		func(e *journal.Entry) { e.Kind = "x" },
		func(e *journal.Entry) { e.Effect = "x" },
		func(e *journal.Entry) { e.Status = "x" },
		func(e *journal.Entry) { e.WaitsFor = "x" },
		func(e *journal.Entry) { e.Seen++ },
		func(e *journal.Entry) { e.Format++ },
		func(e *journal.Entry) { e.Time = e.Time.Add(1) },
	} {
		err = errors.Join(err, expectConflict(j.Append(ctx, "r", 0, changed(change)...), "r", 0))
	}
	elsewhere := changed(func(e *journal.Entry) { e.Time = e.Time.In(time.FixedZone("", 3600)) })
	return errors.Join(err, j.Append(ctx, "r", 0, elsewhere...), expectData(ctx, j, "r", `"0"`, `"1"`, `"2"`))
}

// invalidEntries are entries that a journal must reject.
var invalidEntries = map[string]journal.Entry{
	"without a writer": {Kind: "note"},
	"with bad JSON":    {By: "a", Data: json.RawMessage(`{"a":`)},
	"with two values":  {By: "a", Data: json.RawMessage(`1 2`)},
	"with bad UTF-8":   {By: "a", Data: json.RawMessage("\"\xff\"")},
	"with a bad kind":  {By: "a", Kind: "\xff"},
	"with a long text": {By: "a", Effect: strings.Repeat("e", journal.MaxText+1)},
	"of year 10000":    {By: "a", Time: time.Date(10_000, 1, 2, 0, 0, 0, 0, time.UTC)},
	"that is too long": {By: "a", Data: json.RawMessage(`"` + strings.Repeat("x", journal.MaxEntry) + `"`)},
}

func checkWrongEntries(ctx context.Context, j journal.Journal) error {
	errs := []error{
		expectError(j.Append(ctx, "r", 0), journal.Invalid, "no entries"),
		expectError(j.Append(ctx, "r", 0, make([]journal.Entry, journal.MaxBatch+1)...), journal.Invalid, "too many entries"),
	}
	for name, e := range invalidEntries {
		errs = append(errs, expectError(j.Append(ctx, "r", 0, e), journal.Invalid, "an entry "+name))
	}
	return errors.Join(append(errs, expectNotFound(discardFirst(readAll(ctx, j, "r", 0)), "Read after that", journal.NotFoundError{Run: "r"}))...)
}

func checkAllOrNothing(ctx context.Context, j journal.Journal) error {
	good := newEntry("a", "good")
	err := errors.Join(
		expectError(j.Append(ctx, "r", 0, good, invalidEntries["with bad JSON"]), journal.Invalid, "an invalid entry after a valid one"),
		expectNotFound(discardFirst(readAll(ctx, j, "r", 0)), "Read after that", journal.NotFoundError{Run: "r"}),
	)
	many, want := make([]journal.Entry, journal.MaxBatch), make([]string, journal.MaxBatch)
	for i := range many {
		many[i], want[i] = newEntry("a", fmt.Sprint(i)), fmt.Sprintf("%q", fmt.Sprint(i))
	}
	return errors.Join(err, j.Append(ctx, "r", 0, many...), expectData(ctx, j, "r", want...), j.Append(ctx, "r", 0, many...))
}

func checkLimits(ctx context.Context, j journal.Journal) error {
	text := strings.Repeat("\x01", journal.MaxText) // each byte becomes six bytes of JSON
	data := json.RawMessage(`"` + strings.Repeat("x", journal.MaxEntry-2) + `"`)
	big := journal.Entry{Kind: text, By: text, Status: text, WaitsFor: text, Effect: text, Time: start, Data: data}
	run := strings.Repeat("r", journal.MaxRun)
	err := errors.Join(
		j.Append(ctx, run, 0, newEntry("a", "before")),
		j.Append(ctx, run, 1, big),
		j.Append(ctx, run, 1, big),
		j.Append(ctx, run, 2, newEntry("a", "after")),
		expectData(ctx, j, run, `"before"`, string(data), `"after"`),
	)
	tail, tailErr := readAll(ctx, j, run, 2)
	if tailErr != nil || len(tail) != 1 {
		err = errors.Join(err, fmt.Errorf("Read after a large entry returns %v, %v; want one entry", tail, tailErr))
	}
	return err
}

// oddIDs are IDs that are hard to store.
var oddIDs = []string{
	"\x00", " ", ".", "..", "../x", "/", "//", "/etc/passwd", "A", "a", `\`, "C:", "a:b", "con", "CON", "nul.txt", "a.", "a ", "*", "?", "%41",
	"ä", "a\u0308", "日本", "😀", "-", "a\nb", "run/1", "run%2F1", "'; --", strings.Repeat("l", 255), strings.Repeat("L", 255), strings.Repeat("l", 256),
}

func checkIDs(ctx context.Context, j journal.Journal) error {
	var errs []error
	for i, run := range oddIDs {
		errs = append(errs, j.Append(ctx, run, 0, newEntry("a", fmt.Sprint(i))))
	}
	for i, run := range oddIDs {
		errs = append(errs, expectData(ctx, j, run, fmt.Sprintf("%q", fmt.Sprint(i))))
	}
	seen := map[string]bool{}
	for info, err := range j.Runs(ctx, journal.Filter{}) {
		errs = append(errs, err)
		seen[info.Run] = true
	}
	for _, run := range oddIDs {
		if !seen[run] {
			errs = append(errs, fmt.Errorf("no run of Runs is named %q", run))
		}
	}
	for _, run := range []string{"", strings.Repeat("r", journal.MaxRun+1), "\xff"} {
		errs = append(errs,
			expectError(j.Append(ctx, run, 0, newEntry("a", "x")), journal.Invalid, "Append to a wrong ID"),
			expectError(discardFirst(readAll(ctx, j, run, 0)), journal.Invalid, "Read of a wrong ID"),
			expectError(j.Delete(ctx, run), journal.Invalid, "Delete of a wrong ID"))
	}
	return errors.Join(errs...)
}

func checkDelete(ctx context.Context, j journal.Journal) error {
	deleted := journal.NotFoundError{Run: "r", Deleted: true}
	err := errors.Join(
		j.Delete(ctx, "r"), // deleting nothing must have no effect
		j.Append(ctx, "r", 0, newEntry("a", "0"), newEntry("a", "1")),
		j.Append(ctx, "s", 0, newEntry("a", "0")),
		j.Delete(ctx, "r"),
	)
	for range 2 {
		err = errors.Join(err,
			expectNotFound(discardFirst(readAll(ctx, j, "r", 0)), "Read of a deleted run", deleted),
			expectNotFound(j.Append(ctx, "r", 0, newEntry("b", "0")), "Append that begins a deleted run", deleted),
			expectNotFound(j.Append(ctx, "r", 0, newEntry("a", "0"), newEntry("a", "1")), "repeated Append to a deleted run", deleted),
			expectNotFound(j.Append(ctx, "r", 2, newEntry("a", "2")), "Append to a deleted run", deleted),
			expectRuns(ctx, j, journal.Filter{}, "s"),
			j.Delete(ctx, "r"))
	}
	return err
}

func checkContext(ctx context.Context, j journal.Journal) error {
	stopped, stop := context.WithCancel(ctx)
	stop()
	errs := []error{j.Append(ctx, "r", 0, newEntry("a", "0"))}
	for what, err := range map[string]error{
		"Append": j.Append(stopped, "r", 1, newEntry("a", "1")), "Read": discardFirst(readAll(stopped, j, "r", 0)),
		"Runs": discardFirst(listRuns(stopped, j, journal.Filter{})), "Delete": j.Delete(stopped, "r"),
	} {
		errs = append(errs, expectError(err, journal.Failed, what+" after the end of its context"))
		if !errors.Is(err, context.Canceled) {
			errs = append(errs, fmt.Errorf("%s: the error %v does not wrap context.Canceled", what, err))
		}
	}
	return errors.Join(append(errs, expectData(ctx, j, "r", `"0"`))...)
}
