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

	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Desk manages the tickets of a help desk. It is safe for concurrent use.
type Desk struct {
	now   func() time.Time
	enter Enter        // nil if no other processes share the tickets
	store memory.Store // nil if tickets are only in memory

	mu      sync.Mutex
	tickets map[int]storedTicket
	last    int // ID of the newest ticket
}

// storedTicket is a ticket in a store.
type storedTicket struct {
	Ticket
	Calls []string `json:"calls,omitempty"` // IDs of the calls that created or changed it
}

// NewDesk returns an empty desk that keeps its tickets in memory and dates them by now.
func NewDesk(now func() time.Time) *Desk {
	return &Desk{now: now, tickets: map[int]storedTicket{}}
}

// keyPrefix is the prefix of the keys of tickets.
const keyPrefix = "ticket/"

// OpenDesk returns a desk with the tickets in a store, and writes each change there. A call that is repeated with the
// same ID changes nothing and returns the ticket, so callers may repeat a call whose outcome they do not know.
func OpenDesk(ctx context.Context, now func() time.Time, store memory.Store) (*Desk, error) {
	d := NewDesk(now)
	return d, d.readTickets(ctx, store)
}

// Enter waits for exclusive access to a store and returns the store. Call leave to release it.
type Enter func(ctx context.Context) (store memory.Store, leave func(), err error)

// ShareDesk is like [OpenDesk] for a desk that several processes share: each call has exclusive access to the store and
// sees the changes of other processes.
func ShareDesk(now func() time.Time, enter Enter) *Desk {
	d := NewDesk(now)
	d.enter = enter
	return d
}

// lockStore gives a call exclusive access to the desk until leave is called.
func (d *Desk) lockStore(ctx context.Context) (leave func(), err error) {
	d.mu.Lock()
	if d.enter == nil {
		return d.mu.Unlock, nil
	}
	store, release, err := d.enter(ctx)
	if err == nil {
		if err = d.readTickets(ctx, store); err == nil {
			return func() { release(); d.mu.Unlock() }, nil
		}
		release()
	}
	d.mu.Unlock()
	return nil, err
}

// readTickets reads the tickets from a store.
func (d *Desk) readTickets(ctx context.Context, store memory.Store) error {
	d.store, d.tickets, d.last = store, map[int]storedTicket{}, 0
	for entry, err := range store.Search(ctx, keyPrefix) {
		if err != nil {
			return err
		}
		var t storedTicket
		if err := json.Unmarshal(entry.Value, &t); err != nil || t.ID < 1 || ticketKey(t.ID) != entry.Key {
			return fmt.Errorf("the value of %q is not a ticket", entry.Key)
		}
		d.tickets[t.ID], d.last = t, max(d.last, t.ID)
	}
	return nil
}

func ticketKey(ticket int) string { return fmt.Sprintf("%s%09d", keyPrefix, ticket) }

// Status is the state of a ticket.
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

// NewTicket contains the data for opening a ticket.
type NewTicket struct {
	Title     string   `json:"title"`             // the problem in one line
	Details   string   `json:"details,omitempty"` // what was tried, error messages, anything that helps
	Priority  Priority `json:"priority"`
	Requester Person   `json:"requester"`      // who has the problem
	Tags      []string `json:"tags,omitempty"` // keywords, in lower case
}

// Ticket is a problem with its history.
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

// Open files a new ticket and returns it with its number. If there is an open ticket with the
// same title, Open asks a person whether to file another one, and otherwise returns the existing
// one. If nobody can be asked, it files another one.
func (d *Desk) Open(ctx context.Context, t NewTicket) (Ticket, error) {
	if strings.TrimSpace(t.Title) == "" {
		return Ticket{}, fmt.Errorf("a ticket needs a title")
	}
	same, found, err := d.findDuplicate(ctx, t.Title)
	if err != nil {
		return Ticket{}, err
	}
	if found {
		another, err := d.askForAnother(ctx, same)
		if err != nil || !another {
			return same, err
		}
	}
	leave, err := d.lockStore(ctx)
	if err != nil {
		return Ticket{}, err
	}
	defer leave()
	for _, existing := range d.tickets {
		if d.isDone(ctx, existing) {
			return existing.clone(), nil
		}
	}
	return d.storeTicket(ctx, storedTicket{Ticket: Ticket{
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

// findDuplicate returns the first open ticket with a title, unless the call has already opened one.
func (d *Desk) findDuplicate(ctx context.Context, title string) (same Ticket, found bool, err error) {
	leave, err := d.lockStore(ctx)
	if err != nil {
		return same, false, err
	}
	defer leave()
	for _, id := range slices.Sorted(maps.Keys(d.tickets)) {
		t := d.tickets[id]
		if d.isDone(ctx, t) {
			return Ticket{}, false, nil
		}
		if !found && t.Status != StatusClosed && strings.EqualFold(t.Title, title) {
			same, found = t.clone(), true
		}
	}
	return same, found, nil
}

// askForAnother asks whether to open another ticket although a similar one exists.
func (d *Desk) askForAnother(ctx context.Context, same Ticket) (bool, error) {
	question := fmt.Sprintf("There is ticket %d already: %s. Open another one?", same.ID, same.Title)
	answers, err := tool.ExchangeFrom(ctx).Ask(ctx, tool.AskPerson(question, nil))
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
	leave, err := d.lockStore(ctx)
	if err != nil {
		return Ticket{}, err
	}
	defer leave()
	t, err := d.findTicket(ticketID)
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
	leave, err := d.lockStore(ctx)
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
		return cmp.Or(cmp.Compare(priorityRank(b.Priority), priorityRank(a.Priority)), cmp.Compare(a.ID, b.ID))
	})
	if limit > 0 && len(found) > limit {
		found = found[:limit]
	}
	return found, nil
}

// Assign gives a ticket to somebody, or to somebody else.
func (d *Desk) Assign(ctx context.Context, ticketID int, assignee string) (Ticket, error) {
	return d.changeTicket(ctx, ticketID, func(t *Ticket) error {
		if t.Status == StatusClosed {
			return fmt.Errorf("ticket %d is closed", t.ID)
		}
		t.Status, t.Assignee = StatusAssigned, assignee
		return nil
	})
}

// Comment adds a remark to a ticket.
func (d *Desk) Comment(ctx context.Context, ticketID int, author, text string) (Ticket, error) {
	return d.changeTicket(ctx, ticketID, func(t *Ticket) error {
		t.Comments = append(t.Comments, Comment{Author: author, Text: text, At: d.now()})
		return nil
	})
}

// Close ends a ticket and says how it was solved.
func (d *Desk) Close(ctx context.Context, ticketID int, author, solution string) (Ticket, error) {
	return d.changeTicket(ctx, ticketID, func(t *Ticket) error {
		if t.Status == StatusClosed {
			return fmt.Errorf("ticket %d is already closed", t.ID)
		}
		now := d.now()
		t.Status, t.Closed = StatusClosed, &now
		t.Comments = append(t.Comments, Comment{Author: author, Text: solution, At: now})
		return nil
	})
}

// Statistics counts tickets by their state, and returns the ID of the one that has
// waited longest, or 0 if none is waiting.
func (d *Desk) Statistics(ctx context.Context) (counts map[Status]int, longestWaiting int, err error) {
	leave, err := d.lockStore(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer leave()
	counts = map[Status]int{}
	for _, id := range slices.Sorted(maps.Keys(d.tickets)) {
		t := d.tickets[id]
		counts[t.Status]++
		if t.Status == StatusOpen && longestWaiting == 0 {
			longestWaiting = id // tickets are numbered in order of time
		}
	}
	return counts, longestWaiting, nil
}

func (d *Desk) findTicket(id int) (storedTicket, error) {
	t, ok := d.tickets[id]
	if !ok {
		return storedTicket{}, fmt.Errorf("there is no ticket %d", id)
	}
	return t, nil
}

// changeTicket applies edit to a ticket and returns the changed ticket.
func (d *Desk) changeTicket(ctx context.Context, id int, edit func(*Ticket) error) (Ticket, error) {
	leave, err := d.lockStore(ctx)
	if err != nil {
		return Ticket{}, err
	}
	defer leave()
	t, err := d.findTicket(id)
	if err != nil || d.isDone(ctx, t) {
		return t.clone(), err
	}
	t.Ticket = t.clone()
	if err := edit(&t.Ticket); err != nil {
		return Ticket{}, err
	}
	return d.storeTicket(ctx, t)
}

// isDone reports whether a ticket already has the changes of the current call.
func (d *Desk) isDone(ctx context.Context, t storedTicket) bool {
	call := tool.CallFrom(ctx)
	return d.store != nil && call != nil && call.ID != "" && slices.Contains(t.Calls, call.ID)
}

// storeTicket stores a changed ticket together with the ID of the call that changed it.
func (d *Desk) storeTicket(ctx context.Context, t storedTicket) (Ticket, error) {
	if d.store != nil {
		if call := tool.CallFrom(ctx); call != nil && call.ID != "" {
			t.Calls = append(slices.Clone(t.Calls), call.ID)
		}
		if err := d.store.Write(ctx, ticketKey(t.ID), t); err != nil {
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

func priorityRank(p Priority) int {
	return slices.Index([]Priority{Low, Normal, High, Urgent}, p)
}
