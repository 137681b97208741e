package history_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/inspect/internal/history"
	"github.com/aiongen/aiongen/runtime/inspect/internal/testdata/sampleruns"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/redact"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

var update = flag.Bool("update", false, "rewrite the expected output")

func samples(t *testing.T) *sampleruns.Samples {
	t.Helper()
	s, err := sampleruns.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func compareGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; run go test -update and read the diff\n%s", file, got)
	}
}

// TestRuns compares what is known about each sample with the expected text.
func TestRuns(t *testing.T) {
	s := samples(t)
	for _, id := range []string{"plan", "approval", "edited", "talk", "question", "lost", "killed", "agent", "fork", "failed", "damaged", "hostile"} {
		t.Run(id, func(t *testing.T) {
			r, err := history.Reader{Journal: s.Journal}.Open(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			compareGolden(t, id, []byte(describe(r)))
		})
	}
}

// describe returns a run as text.
func describe(r *history.Run) string {
	var b strings.Builder
	answer, failure := r.ShowResult()
	fmt.Fprintf(&b, "%s: %q, %s %s, %d entries, %+v\nanswer %s, error %v\n", r.ID, r.ShowRequest(), r.Status, r.WaitsFor, r.Entries, r.Usage, answer, failure)
	for _, item := range r.ShowWaits() {
		fmt.Fprintf(&b, "waits for %s of %s, questions %v\n", item.Call.WaitsFor, item.Call.Tool, item.Call.Questions())
	}
	for i := range r.Items {
		item := r.Show(i, i+1)[0]
		fmt.Fprintf(&b, "%s%d %s %s", strings.Repeat("  ", item.Depth), item.Entry, item.Kind, item.Step)
		switch {
		case item.Answer != nil:
			fmt.Fprintf(&b, " %s turn %d: %q %v", item.Purpose, item.Turn, item.Answer.Response.Text, item.Answer.Response.Calls)
		case item.Call != nil:
			full, ok := r.ShowItem(item.Entry)
			if !ok {
				fmt.Fprint(&b, " missing")
				continue
			}
			describeCall(&b, full.Call)
		case item.Signal != nil:
			text, _ := json.Marshal(item.Signal)
			fmt.Fprintf(&b, " %s %s", item.Signal.Kind, text)
		default:
			fmt.Fprintf(&b, " %s %s %v", item.Status, item.WaitsFor, item.Error)
		}
		b.WriteString("\n")
	}
	for _, p := range r.Plans() {
		fmt.Fprintf(&b, "plan of entry %d, given %v: %q\n", p.Entry, p.Given, p.Goal)
		for _, s := range p.Steps {
			fmt.Fprintf(&b, "  %s %s %s %s\n", s.ID, s.Status, s.Tool, s.Arguments)
		}
	}
	return b.String()
}

func describeCall(b *strings.Builder, c *history.Call) {
	fmt.Fprintf(b, " %s %s", c.Tool, c.Status())
	for _, m := range c.Moments {
		fmt.Fprintf(b, "\n      %d %s attempt %d", m.Entry, m.Kind, m.Attempt)
	}
	for _, a := range c.Sources {
		fmt.Fprintf(b, "\n      %s = %s: %+v", a.Pointer, a.Value, a.Sources)
	}
}

func TestList(t *testing.T) {
	s := samples(t)
	reader := history.Reader{Journal: s.Journal}
	list := func(q history.Query) (ids []string, next journal.Info) {
		q.Limit = max(q.Limit, 1)
		p := reader.List(t.Context(), q)
		if p.Fault != nil {
			t.Fatal(p.Fault)
		}
		for _, r := range p.Runs {
			ids = append(ids, r.Run)
		}
		return ids, p.Next
	}
	var paged []string
	q := history.Query{Limit: 5}
	for {
		ids, next := list(q)
		if paged = append(paged, ids...); next.Run == "" {
			break
		}
		q.After = next
	}
	all, _ := list(history.Query{Limit: 100})
	if len(all) != 12 || !slices.Equal(paged, all) {
		t.Errorf("pages have %v, all are %v", paged, all)
	}
	for group, want := range map[string]string{"waiting": "hostile agent lost question talk approval", "ended": "damaged failed fork edited plan", "running": "killed", "interrupted": ""} {
		if ids, _ := list(history.Query{Limit: 100, Group: group}); strings.Join(ids, " ") != want {
			t.Errorf("%s: %v, want %s", group, ids, want)
		}
	}
	if ids, next := list(history.Query{Search: "ADA room"}); ids != nil || next.Run != "" {
		t.Errorf("found %v, %v", ids, next)
	}
	if ids, next := list(history.Query{Search: "write", Limit: 1}); len(ids) != 1 || ids[0] != "edited" || next.Run != "edited" {
		t.Errorf("found %v, the next page is after %v", ids, next)
	}
	if ids, _ := list(history.Query{Search: "quest", Limit: 9}); strings.Join(ids, " ") != "question" {
		t.Errorf("by ID: %v", ids)
	}
}

// TestDamage reads runs whose journal fails, and runs that do not exist.
func TestDamage(t *testing.T) {
	s := samples(t)
	broken := &brokenJournal{Journal: s.Journal}
	reader := history.Reader{Journal: broken}
	r, err := reader.Open(t.Context(), "plan")
	if err != nil || r.Fault == nil || r.Entries != 4 || len(r.Items) == 0 {
		t.Errorf("got %+v, %v", r, err)
	}
	if p := reader.List(t.Context(), history.Query{Limit: 50}); p.Fault == nil || len(p.Runs) != 12 || p.Runs[0].Fault != nil {
		t.Errorf("got %+v", p)
	}
	if _, err := (history.Reader{Journal: s.Journal}).Open(t.Context(), "none"); err == nil {
		t.Error("a run that does not exist can be opened")
	}
}

// brokenJournal fails after four entries and after the list.
type brokenJournal struct{ journal.Journal }

var errBroken = &journal.Error{Kind: journal.Corrupt, Err: errors.New("the disk is broken")}

func (b *brokenJournal) Read(ctx context.Context, id string, from int) iter.Seq2[journal.Entry, error] {
	return func(yield func(journal.Entry, error) bool) {
		for e, err := range b.Journal.Read(ctx, id, from) {
			if e.N == 4 {
				yield(journal.Entry{}, errBroken)
				return
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func (b *brokenJournal) Runs(ctx context.Context, f journal.Filter) iter.Seq2[journal.Info, error] {
	return func(yield func(journal.Info, error) bool) {
		for info, err := range b.Journal.Runs(ctx, f) {
			if !yield(info, err) {
				return
			}
		}
		yield(journal.Info{}, errBroken)
	}
}

// TestUpdate adds the entries of a run one after the other, and shows it in between as a live page does. It compares
// the outcome with that of reading the run at once.
func TestUpdate(t *testing.T) {
	s := samples(t)
	addOrder(t, s.Journal)
	for _, id := range []string{"plan", "edited", "agent", "lost", "damaged", "order"} {
		grows := new(journal.Map)
		var r *history.Run
		for e, err := range s.Journal.Read(t.Context(), id, 0) {
			if err != nil {
				t.Fatal(err)
			}
			if err := grows.Append(t.Context(), id, e.N, e); err != nil {
				t.Fatal(err)
			}
			if r == nil {
				if r, err = (history.Reader{Journal: grows}).Open(t.Context(), id); err != nil {
					t.Fatal(err)
				}
			} else if err := r.Update(t.Context(), 1); err != nil || r.Entries != e.N+1 {
				t.Fatal(r.Entries, err)
			}
			_ = describe(r)
		}
		n := r.Entries
		if err := r.Update(t.Context(), 1); err != nil || r.Entries != n {
			t.Errorf("%s changed again: %v", id, err)
		}
		whole, err := history.Reader{Journal: s.Journal}.Open(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := describe(r), describe(whole); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", id, got, want)
		}
	}
}

// addOrder adds a run that passes the result of one call to another.
func addOrder(t *testing.T, j journal.Journal) {
	t.Helper()
	tools := tool.NewRegistry()
	for _, name := range []string{"find", "order"} {
		added, err := schema.Dynamic(tool.Definition{Name: name, Description: "Does it.", Input: json.RawMessage(`{"type":"object"}`)},
			func(context.Context, json.RawMessage) (json.RawMessage, error) {
				return json.RawMessage(`{"number":"A-4711"}`), nil
			})
		if err == nil {
			err = tools.Register(added)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	model := scripted.New(scripted.Call("find", `{"name":"lamp"}`), scripted.Call("order", `{"number":"A-4711"}`), scripted.Text("Done."))
	agent, err := orchestrator.New(model, tools, orchestrator.Conversation{}, orchestrator.Journal(j))
	if err != nil {
		t.Fatal(err)
	}
	started, err := agent.Start(t.Context(), orchestrator.Input{ID: "order", Request: "Order it."})
	if err == nil {
		_, err = started.Execute(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestUpdateLimit adds entries of a run that goes on in parts, and all that are left when it has ended.
func TestUpdateLimit(t *testing.T) {
	s := samples(t)
	var entries []journal.Entry
	for e, err := range s.Journal.Read(t.Context(), "plan", 0) {
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	grows := new(journal.Map)
	update := func(r *history.Run, more []journal.Entry, added, behind int) {
		t.Helper()
		if err := grows.Append(t.Context(), "plan", more[0].N, more...); err != nil {
			t.Fatal(err)
		}
		if err := r.Update(t.Context(), 2); err != nil || r.Entries != added || r.Behind() != behind {
			t.Errorf("added %d, want %d; behind %d, want %d; %v", r.Entries, added, r.Behind(), behind, err)
		}
	}
	if err := grows.Append(t.Context(), "plan", 0, entries[0]); err != nil {
		t.Fatal(err)
	}
	r, err := history.Reader{Journal: grows}.Open(t.Context(), "plan")
	if err != nil {
		t.Fatal(err)
	}
	n := len(entries)
	update(r, entries[1:n-2], 3, n-5)
	update(r, entries[n-2:n-1], 5, n-6)
	update(r, entries[n-1:], n, 0)
}

func TestRedact(t *testing.T) {
	s := samples(t)
	rule := func(_, _ string, value json.RawMessage) json.RawMessage {
		if strings.Contains(string(value), "example.org") || strings.Contains(string(value), "Lovelace") {
			if value[0] == '"' {
				return json.RawMessage(`"hidden"`)
			}
		}
		return value
	}
	for _, id := range []string{"plan", "edited", "talk", "agent"} {
		r, err := history.Reader{Journal: s.Journal, Redactor: redact.New(rule)}.Open(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if text := describe(r); strings.Contains(text, "example.org") || strings.Contains(text, "Lovelace") || !strings.Contains(text, "hidden") {
			t.Errorf("%s shows what is hidden:\n%s", id, text)
		}
	}
	page := history.Reader{Journal: s.Journal, Redactor: redact.New(rule)}.List(t.Context(), history.Query{Limit: 50})
	for _, r := range page.Runs {
		if strings.Contains(r.Title, "Lovelace") {
			t.Errorf("the list shows %q", r.Title)
		}
	}
}

// TestRedactTitles hides a result that a title contains, too. A search finds what is shown.
func TestRedactTitles(t *testing.T) {
	s := samples(t)
	reader := history.Reader{Journal: s.Journal, Redactor: redact.New(func(_, pointer string, value json.RawMessage) json.RawMessage {
		if pointer == "/output/name" {
			return json.RawMessage(`"hidden"`)
		}
		return value
	})}
	titles := map[string]string{}
	for _, r := range reader.List(t.Context(), history.Query{Limit: 50}).Runs {
		if titles[r.Run] = r.Title; strings.Contains(r.Title, "Lovelace") || r.Fault != nil || r.Kind == "" {
			t.Errorf("%s: %q, %v", r.Run, r.Title, r.Fault)
		}
	}
	if titles["approval"] != "Write to Ada about her order." || titles["talk"] != "redacted" {
		t.Errorf("the titles are %q", titles)
	}
	if found := reader.List(t.Context(), history.Query{Limit: 50, Search: "Lovelace"}); len(found.Runs) > 0 {
		t.Errorf("a search finds what is hidden: %+v", found.Runs)
	}
	reader.Journal = &brokenJournal{Journal: s.Journal}
	for _, r := range reader.List(t.Context(), history.Query{Limit: 50}).Runs {
		if r.Entries > 4 && (r.Title != "" || r.Fault == nil) {
			t.Errorf("%s, whose end cannot be read: %q, %v", r.Run, r.Title, r.Fault)
		}
	}
}

// TestLearnReply hides a reply, which the title contains, too, before the call has received it.
func TestLearnReply(t *testing.T) {
	s := samples(t)
	r, err := s.Agent.Open(t.Context(), "question")
	if err != nil {
		t.Fatal(err)
	}
	asked := r.State().Calls[0]
	if err := r.Send(t.Context(), run.Reply(asked.Call, asked.Questions[0].Accept(json.RawMessage(`{"day":"a room for"}`)))); err != nil {
		t.Fatal(err)
	}
	known, err := history.Reader{Journal: s.Journal, Redactor: redact.New(func(_, pointer string, value json.RawMessage) json.RawMessage {
		if strings.HasPrefix(pointer, "/answers") {
			return json.RawMessage(`"hidden"`)
		}
		return value
	})}.Open(t.Context(), "question")
	if err != nil || known.ShowRequest() != "redacted" {
		t.Errorf("the request is %q, %v", known.ShowRequest(), err)
	}
}

func TestCompare(t *testing.T) {
	s := samples(t)
	open := func(id string) *history.Run {
		r, err := history.Reader{Journal: s.Journal}.Open(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	pairs, first, complete := history.Compare(open("plan"), open("plan"))
	if first != -1 || len(pairs) < 8 || !complete {
		t.Errorf("a run differs from itself in row %d of %d", first, len(pairs))
	}
	var b strings.Builder
	for _, ids := range [][2]string{{"plan", "fork"}, {"approval", "edited"}, {"talk", "question"}, {"killed", "lost"}} {
		pairs, first, _ := history.Compare(open(ids[0]), open(ids[1]))
		fmt.Fprintf(&b, "%s and %s: first difference in row %d\n", ids[0], ids[1], first)
		for _, p := range pairs {
			fmt.Fprintf(&b, "  %-8v %-24s %s\n", p.Same, label(p.Left), label(p.Right))
		}
	}
	compareGolden(t, "compare", []byte(b.String()))
	long := open("talk")
	for len(long.Items) <= 1001 {
		long.Items = append(long.Items, long.Items...)
	}
	if pairs, first, complete := history.Compare(long, long); first != -1 || len(pairs) != 1000 || complete {
		t.Errorf("a long run differs from itself in row %d of %d, complete %v", first, len(pairs), complete)
	}
	broken, err := history.Reader{Journal: &brokenJournal{Journal: s.Journal}}.Open(t.Context(), "plan")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, complete := history.Compare(broken, broken); complete {
		t.Error("a run that cannot be read to its end was compared completely")
	}
}

func label(item *history.Item) string {
	if item == nil {
		return "-"
	}
	text := fmt.Sprint(item.Entry, " ", item.Kind, " ", item.Purpose, item.Step)
	if item.Call != nil {
		text += " " + item.Call.Tool
	}
	return text
}

func TestDrawPlan(t *testing.T) {
	p := plan.Plan{}
	add := func(id, tool, arguments string) {
		p.Steps = append(p.Steps, plan.Step{ID: id, Tool: tool, Arguments: json.RawMessage(arguments)})
	}
	add("a", "find", `{}`)
	add("b", "find", `{}`)
	add("c", "join", `{"x":"<<step:a/id>>","y":"<<step:b>>","z":"<<step:missing>>"}`)
	add("d", "", ``)
	var b strings.Builder
	g := history.DrawPlan(p)
	fmt.Fprintf(&b, "%d × %d\n", g.Width, g.Height)
	for _, n := range g.Nodes {
		fmt.Fprintf(&b, "%s %q at %d, %d uses %q\n", n.ID, n.Title, n.X, n.Y, n.Uses())
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "%s%s → %s from %d, %d to %d, %d\n", e.From, e.Pointer, e.To, e.X1, e.Y1, e.X2, e.Y2)
	}
	compareGolden(t, "graph", []byte(b.String()))
	for range 1000 {
		add(fmt.Sprint("s", len(p.Steps)), "find", fmt.Sprintf(`{"x":"<<step:s%d>>"}`, len(p.Steps)-1))
	}
	if g := history.DrawPlan(p); len(g.Nodes) != 100 || g.Omitted != 904 {
		t.Errorf("%d nodes, %d omitted", len(g.Nodes), g.Omitted)
	}
}

func ExampleReader_List() {
	j := new(journal.Map)
	_ = j.Append(context.Background(), "r", 0, journal.Entry{
		Format: 1, Kind: "begin", By: "w", Status: "running", Time: time.Unix(0, 0),
		Data: json.RawMessage(`{"kind":"plan","data":{"request":"Who is user 42?"}}`),
	})
	for _, r := range (history.Reader{Journal: j}).List(context.Background(), history.Query{Limit: 50}).Runs {
		fmt.Println(r.Run, r.Kind, r.Status, r.Title)
	}
	// Output: r plan running Who is user 42?
}
