package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/aiongen/aiongen/example/tools"
	"github.com/google/go-cmp/cmp"
)

func nine() time.Time { return time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC) }

func open(t *testing.T, d *tools.Desk, title string) tools.Ticket {
	t.Helper()
	ticket, err := d.Open(t.Context(), tools.NewTicket{Title: title, Priority: tools.Low, Requester: tools.Person{Name: "Ada"}})
	if err != nil {
		t.Fatal(err)
	}
	return ticket
}

// TestKept holds that a desk survives JSON, and goes on counting where it was.
func TestKept(t *testing.T) {
	desk := tools.NewDesk(nine)
	for _, title := range []string{"a", "b", "c"} {
		open(t, desk, title)
	}
	if _, err := desk.Close(2, "linus", "done"); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(desk)
	if err != nil {
		t.Fatal(err)
	}
	kept := tools.NewDesk(nine)
	open(t, kept, "is replaced")
	if err := json.Unmarshal(text, kept); err != nil {
		t.Fatal(err)
	}
	for id := 1; id <= 3; id++ {
		want, err := desk.Get(id)
		got, notKept := kept.Get(id)
		if diff := cmp.Diff(want, got); diff != "" || err != nil || notKept != nil {
			t.Errorf("%v, %v\n%s", err, notKept, diff)
		}
	}
	if next := open(t, kept, "d"); next.ID != 4 {
		t.Errorf("the next ticket has the number %d", next.ID)
	}
	for _, wrong := range []string{`{}`, `[null]`, `[{"id":1},{"id":1}]`} {
		if err := json.Unmarshal([]byte(wrong), kept); err == nil {
			t.Errorf("%s was read", wrong)
		}
	}
}

func Example() {
	desk := tools.NewDesk(nine)
	ticket, err := desk.Open(context.Background(), tools.NewTicket{Title: "The printer is out of paper", Priority: tools.Normal, Requester: tools.Person{Name: "Ada"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	ticket, err = desk.Assign(ticket.ID, "linus")
	fmt.Println(ticket.ID, ticket.Status, ticket.Assignee, err)
	// Output: 1 assigned linus <nil>
}
