package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/example/gen"
	"github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/tool"
)

func fixedTime() time.Time { return time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC) }

func openTicket(t *testing.T, d *tools.Desk, title string) tools.Ticket {
	t.Helper()
	ticket, err := d.Open(t.Context(), tools.NewTicket{Title: title, Priority: tools.Low, Requester: tools.Person{Name: "Ada"}})
	if err != nil {
		t.Fatal(err)
	}
	return ticket
}

// TestReopen checks that a desk reads its tickets from the store and continues counting.
func TestReopen(t *testing.T) {
	var store memory.Map
	reopen := func() *tools.Desk {
		desk, err := tools.OpenDesk(t.Context(), fixedTime, &store)
		if err != nil {
			t.Fatal(err)
		}
		return desk
	}
	desk := reopen()
	for _, title := range []string{"a", "b", "c"} {
		openTicket(t, desk, title)
	}
	if _, err := desk.Close(t.Context(), 2, "linus", "done"); err != nil {
		t.Fatal(err)
	}
	again := reopen()
	for id := 1; id <= 3; id++ {
		want, err := desk.Get(t.Context(), id)
		got, notKept := again.Get(t.Context(), id)
		if diff := cmp.Diff(want, got); diff != "" || err != nil || notKept != nil {
			t.Errorf("%v, %v\n%s", err, notKept, diff)
		}
	}
	if next := openTicket(t, again, "d"); next.ID != 4 {
		t.Errorf("the next ticket has the number %d", next.ID)
	}
	for _, wrong := range []string{`null`, `7`, `{"id":9}`} {
		if err := store.Write(t.Context(), "ticket/000000001", json.RawMessage(wrong)); err != nil {
			t.Fatal(err)
		}
		if _, err := tools.OpenDesk(t.Context(), fixedTime, &store); err == nil {
			t.Errorf("%s is a ticket", wrong)
		}
	}
}

// TestRepeatedCalls makes each call twice, the second time after the desk was opened again. The second call must not
// have an effect.
func TestRepeatedCalls(t *testing.T) {
	var store memory.Map
	var desk *tools.Desk
	registry := tool.NewRegistry()
	call := func(id, name, arguments string) string {
		var outputs []string
		for range 2 {
			var err error
			if desk, err = tools.OpenDesk(t.Context(), fixedTime, &store); err != nil {
				t.Fatal(err)
			}
			all, err := gen.Tools(gen.Deps{Desk: desk})
			if err != nil {
				t.Fatal(err)
			}
			registry.Replace(all...)
			c := registry.Call(t.Context(), tool.Request{ID: id, Name: name, Arguments: json.RawMessage(arguments)})
			if c.Err != nil {
				t.Fatal(c.Err)
			}
			outputs = append(outputs, string(c.Output))
		}
		if outputs[0] != outputs[1] {
			t.Errorf("%s %s: %q", id, name, outputs)
		}
		return outputs[0]
	}
	call("r/1/1", "open_ticket", `{"title":"Printer","priority":"low","requester":{"name":"Ada"}}`)
	call("r/2/1", "comment_ticket", `{"ticket_id":1,"author":"ada","text":"hello"}`)
	call("r/3/1", "comment_ticket", `{"ticket_id":1,"author":"ada","text":"hello"}`)
	call("r/4/1", "assign_ticket", `{"ticket_id":1,"assignee":"linus"}`)
	call("r/5/1", "close_ticket", `{"ticket_id":1,"author":"linus","solution":"paper"}`)
	ticket, err := desk.Get(t.Context(), 1)
	if err != nil || ticket.Status != tools.StatusClosed || len(ticket.Comments) != 3 {
		t.Errorf("%+v, %v", ticket, err)
	}
	if _, err := desk.Get(t.Context(), 2); err == nil {
		t.Error("there is a second ticket")
	}
}

// TestShareDesk opens tickets at two desks that share a store, in turn and concurrently. They must number tickets
// jointly and see each other's changes.
func TestShareDesk(t *testing.T) {
	var store memory.Map
	var alone sync.Mutex
	enter := func(context.Context) (memory.Store, func(), error) {
		alone.Lock()
		return &store, alone.Unlock, nil
	}
	desks := []*tools.Desk{tools.ShareDesk(fixedTime, enter), tools.ShareDesk(fixedTime, enter)}
	openTicket(t, desks[0], "first")
	if _, err := desks[1].Assign(t.Context(), 1, "linus"); err != nil {
		t.Fatal(err)
	}
	if ticket, err := desks[0].Get(t.Context(), 1); err != nil || ticket.Assignee != "linus" {
		t.Errorf("%+v, %v", ticket, err)
	}
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if _, err := desks[i%2].Open(t.Context(), tools.NewTicket{Title: fmt.Sprint("ticket ", i), Priority: tools.Low}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	counts, longest, err := desks[0].Statistics(t.Context())
	if err != nil || counts[tools.StatusOpen] != 20 || counts[tools.StatusAssigned] != 1 || longest != 2 {
		t.Errorf("%v, %d, %v", counts, longest, err)
	}
	broken := tools.ShareDesk(fixedTime, func(context.Context) (memory.Store, func(), error) { return nil, nil, errors.New("the store is away") })
	if _, err := broken.Find(t.Context(), "", nil, 0); err == nil || err.Error() != "the store is away" {
		t.Errorf("without a store: %v", err)
	}
}

func Example() {
	desk := tools.NewDesk(fixedTime)
	ticket, err := desk.Open(context.Background(), tools.NewTicket{Title: "The printer is out of paper", Priority: tools.Normal, Requester: tools.Person{Name: "Ada"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	ticket, err = desk.Assign(context.Background(), ticket.ID, "linus")
	fmt.Println(ticket.ID, ticket.Status, ticket.Assignee, err)
	// Output: 1 assigned linus <nil>
}
