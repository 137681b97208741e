package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Desk has the tickets of a help desk. It is safe for concurrent use.
type Desk struct {
	now   func() time.Time
	enter Enter        // nil has no other processes there
	store memory.Store // nil keeps tickets in memory alone

	mu      sync.Mutex
	tickets map[int]kept
	last    int // ID of the newest ticket
}

// kept is a ticket as a store has it.
type kept struct {
	Ticket
	Calls []string `json:"calls,omitempty"` // IDs of those that made or changed it
}

// NewDesk returns an empty desk that dates its tickets by now, and keeps them as long
// as it is there.
func NewDesk(now func() time.Time) *Desk {
	return &Desk{now: now, tickets: map[int]kept{}}
}

// prefix is what the keys of tickets begin with.
const prefix = "ticket/"

// OpenDesk returns a desk with the tickets of a store, each of which is there again as
// soon as it was changed. A call that comes a second time, with the same ID, changes
// nothing more, and gets the ticket: who does not know whether a call was made may make
// it again.
func OpenDesk(ctx context.Context, now func() time.Time, store memory.Store) (*Desk, error) {
	d := NewDesk(now)
	return d, d.read(ctx, store)
}

// Enter returns a store that nobody else has until leave is called.
type Enter func(ctx context.Context) (store memory.Store, leave func(), err error)

// ShareDesk returns a desk as [OpenDesk] does, at which other processes work, too: each
// call has the store alone, and finds there what the others did.
func ShareDesk(now func() time.Time, enter Enter) *Desk {
	d := NewDesk(now)
	d.enter = enter
	return d
}

// work has a call to itself what the desk has, until it leaves.
func (d *Desk) work(ctx context.Context) (leave func(), err error) {
	d.mu.Lock()
	if d.enter == nil {
		return d.mu.Unlock, nil
	}
	store, left, err := d.enter(ctx)
	if err == nil {
		if err = d.read(ctx, store); err == nil {
			return func() { left(); d.mu.Unlock() }, nil
		}
		left()
	}
	d.mu.Unlock()
	return nil, err
}

// read takes in the tickets of a store.
func (d *Desk) read(ctx context.Context, store memory.Store) error {
	d.store, d.tickets, d.last = store, map[int]kept{}, 0
	for entry, err := range store.Search(ctx, prefix) {
		if err != nil {
			return err
		}
		var k kept
		if err := json.Unmarshal(entry.Value, &k); err != nil || k.ID < 1 || key(k.ID) != entry.Key {
			return fmt.Errorf("under %q there is no ticket", entry.Key)
		}
		d.tickets[k.ID], d.last = k, max(d.last, k.ID)
	}
	return nil
}

func key(ticket int) string { return fmt.Sprintf("%s%09d", prefix, ticket) }

// Status is where a ticket stands.
type Status string

// The states of a ticket.
const (
	StatusOpen     Status = "open"     // nobody works on it yet
	StatusAssigned Status = "assigned" // somebody works on it
	StatusClosed   Status = "closed"   // done, or given up
)

// Priority says how soon a ticket wants work.
type Priority string

// The priorities, the most pressing last.
const (
	Low    Priority = "low"    // when there is time
	Normal Priority = "normal" // this week
	High   Priority = "high"   // today
	Urgent Priority = "urgent" // drop everything: many people cannot work
)

// Person is somebody who has a problem.
type Person struct {
	Name  string `json:"name"`            // full name
	Email string `json:"email,omitempty"` // where answers go
}

// NewTicket is what it takes to open a ticket.
type NewTicket struct {
	Title     string   `json:"title"`             // the problem in one line
	Details   string   `json:"details,omitempty"` // what was tried, error messages, anything that helps
	Priority  Priority `json:"priority"`
	Requester Person   `json:"requester"`      // who has the problem
	Tags      []string `json:"tags,omitempty"` // keywords, in lower case
}

// Ticket is a problem and what became of it.
type Ticket struct {
	ID        int        `json:"id"`
	Title     string     `json:"title"`
	Details   string     `json:"details,omitempty"`
	Status    Status     `json:"status"`
	Priority  Priority   `json:"priority"`
	Requester Person     `json:"requester"`
	Assignee  string     `json:"assignee,omitempty"`
	Tags      []string   `json:"tags"`
	Comments  []Comment  `json:"comments"`
	Opened    time.Time  `json:"opened"`
	Closed    *time.Time `json:"closed,omitempty"`
}

// Comment is a remark on a ticket.
type Comment struct {
	Author string    `json:"author"`
	Text   string    `json:"text"`
	At     time.Time `json:"at"`
}

// Open files a new ticket and returns it with its number. If there is one with the same
// title that is not closed, a person says whether there is to be another one, else it
// returns that; where nobody can be asked, there is.
func (d *Desk) Open(ctx context.Context, t NewTicket) (Ticket, error) {
	if strings.TrimSpace(t.Title) == "" {
		return Ticket{}, fmt.Errorf("a ticket needs a title")
	}
	same, found, err := d.same(ctx, t.Title)
	if err != nil {
		return Ticket{}, err
	}
	if found {
		another, err := d.another(ctx, same)
		if err != nil || !another {
			return same, err
		}
	}
	leave, err := d.work(ctx)
	if err != nil {
		return Ticket{}, err
	}
	defer leave()
	for _, there := range d.tickets {
		if d.made(ctx, there) {
			return there.clone(), nil
		}
	}
	return d.keep(ctx, kept{Ticket: Ticket{
		ID:        d.last + 1,
		Title:     t.Title,
		Details:   t.Details,
		Status:    StatusOpen,
		Priority:  t.Priority,
		Requester: t.Requester,
		Tags:      slices.Clone(t.Tags),
		Opened:    d.now(),
	}})
}

// same returns the first ticket that has a title and is not closed, unless the call has
// opened one already.
func (d *Desk) same(ctx context.Context, title string) (same Ticket, found bool, err error) {
	leave, err := d.work(ctx)
	if err != nil {
		return same, false, err
	}
	defer leave()
	for _, id := range slices.Sorted(maps.Keys(d.tickets)) {
		t := d.tickets[id]
		if d.made(ctx, t) {
			return Ticket{}, false, nil
		}
		if !found && t.Status != StatusClosed && strings.EqualFold(t.Title, title) {
			same, found = t.clone(), true
		}
	}
	return same, found, nil
}

// another asks whether there is to be another ticket like one that there is.
func (d *Desk) another(ctx context.Context, same Ticket) (bool, error) {
	question := fmt.Sprintf("There is ticket %d already: %s. Open another one?", same.ID, same.Title)
	answers, err := tool.ExchangeFrom(ctx).Ask(ctx, ask.Person(question, nil))
	if nobody, ok := errors.AsType[*tool.AskError](err); ok && nobody.Nobody {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return answers[0].Accepted(), nil
}

// Get returns one ticket with all its comments.
func (d *Desk) Get(ctx context.Context, ticketID int) (Ticket, error) {
	leave, err := d.work(ctx)
	if err != nil {
		return Ticket{}, err
	}
	defer leave()
	t, err := d.get(ticketID)
	return t.clone(), err
}

// Find returns the tickets whose title, details or tags hold the words, the
// most pressing first.
//
//   - limit: how many tickets at most; 0 is all of them
func (d *Desk) Find(ctx context.Context, words string, status *Status, limit int) ([]Ticket, error) {
	if limit < 0 {
		return nil, fmt.Errorf("limit is %d, but must not be negative", limit)
	}
	leave, err := d.work(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	var found []Ticket
	for _, t := range d.tickets {
		if t.matches(words) && (status == nil || t.Status == *status) {
			found = append(found, t.clone())
		}
	}
	slices.SortFunc(found, func(a, b Ticket) int {
		return cmp.Or(cmp.Compare(rank(b.Priority), rank(a.Priority)), cmp.Compare(a.ID, b.ID))
	})
	if limit > 0 && len(found) > limit {
		found = found[:limit]
	}
	return found, nil
}

// Assign gives a ticket to somebody, or to somebody else.
func (d *Desk) Assign(ctx context.Context, ticketID int, assignee string) (Ticket, error) {
	return d.change(ctx, ticketID, func(t *Ticket) error {
		if t.Status == StatusClosed {
			return fmt.Errorf("ticket %d is closed", t.ID)
		}
		t.Status, t.Assignee = StatusAssigned, assignee
		return nil
	})
}

// Comment adds a remark to a ticket.
func (d *Desk) Comment(ctx context.Context, ticketID int, author, text string) (Ticket, error) {
	return d.change(ctx, ticketID, func(t *Ticket) error {
		t.Comments = append(t.Comments, Comment{Author: author, Text: text, At: d.now()})
		return nil
	})
}

// Close ends a ticket and says how it was solved.
func (d *Desk) Close(ctx context.Context, ticketID int, author, solution string) (Ticket, error) {
	return d.change(ctx, ticketID, func(t *Ticket) error {
		if t.Status == StatusClosed {
			return fmt.Errorf("ticket %d is closed already", t.ID)
		}
		now := d.now()
		t.Status, t.Closed = StatusClosed, &now
		t.Comments = append(t.Comments, Comment{Author: author, Text: solution, At: now})
		return nil
	})
}

// Statistics counts tickets by their state, and finds the one that has waited
// longest; 0 if none waits.
func (d *Desk) Statistics(ctx context.Context) (counts map[Status]int, longestWaiting int, err error) {
	leave, err := d.work(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer leave()
	counts = map[Status]int{}
	for _, id := range slices.Sorted(maps.Keys(d.tickets)) {
		t := d.tickets[id]
		counts[t.Status]++
		if t.Status == StatusOpen && longestWaiting == 0 {
			longestWaiting = id // numbers are given in the order of time
		}
	}
	return counts, longestWaiting, nil
}

func (d *Desk) get(id int) (kept, error) {
	t, ok := d.tickets[id]
	if !ok {
		return kept{}, fmt.Errorf("there is no ticket %d", id)
	}
	return t, nil
}

// change applies edit to a ticket and returns the outcome.
func (d *Desk) change(ctx context.Context, id int, edit func(*Ticket) error) (Ticket, error) {
	leave, err := d.work(ctx)
	if err != nil {
		return Ticket{}, err
	}
	defer leave()
	t, err := d.get(id)
	if err != nil || d.made(ctx, t) {
		return t.clone(), err
	}
	t.Ticket = t.clone()
	if err := edit(&t.Ticket); err != nil {
		return Ticket{}, err
	}
	return d.keep(ctx, t)
}

// made tells whether a ticket is what a call has made of it already.
func (d *Desk) made(ctx context.Context, t kept) bool {
	call := tool.CallFrom(ctx)
	return d.store != nil && call != nil && call.ID != "" && slices.Contains(t.Calls, call.ID)
}

// keep keeps what a call has made of a ticket, both at once.
func (d *Desk) keep(ctx context.Context, t kept) (Ticket, error) {
	if d.store != nil {
		if call := tool.CallFrom(ctx); call != nil && call.ID != "" {
			t.Calls = append(slices.Clone(t.Calls), call.ID)
		}
		if err := d.store.Write(ctx, key(t.ID), t); err != nil {
			return Ticket{}, err
		}
	}
	d.tickets[t.ID], d.last = t, max(d.last, t.ID)
	return t.clone(), nil
}

func (t Ticket) clone() Ticket {
	t.Tags, t.Comments = slices.Clone(t.Tags), slices.Clone(t.Comments)
	return t
}

func (t Ticket) matches(words string) bool {
	text := strings.ToLower(t.Title + " " + t.Details + " " + strings.Join(t.Tags, " "))
	for _, word := range strings.Fields(strings.ToLower(words)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

func rank(p Priority) int {
	return slices.Index([]Priority{Low, Normal, High, Urgent}, p)
}
