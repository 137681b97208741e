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
)

// Desk keeps the tickets of a help desk in memory. It is safe for concurrent
// use.
type Desk struct {
	now func() time.Time

	mu      sync.Mutex
	tickets map[int]*Ticket
	last    int // ID of the newest ticket
}

// NewDesk returns an empty desk that dates its tickets by now.
func NewDesk(now func() time.Time) *Desk {
	return &Desk{now: now, tickets: map[int]*Ticket{}}
}

// MarshalJSON writes the tickets, so that a desk can be kept.
func (d *Desk) MarshalJSON() ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return json.Marshal(slices.SortedFunc(maps.Values(d.tickets), func(a, b *Ticket) int { return cmp.Compare(a.ID, b.ID) }))
}

// UnmarshalJSON replaces the tickets by those that MarshalJSON wrote.
func (d *Desk) UnmarshalJSON(text []byte) error {
	var tickets []*Ticket
	if err := json.Unmarshal(text, &tickets); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last, d.tickets = 0, map[int]*Ticket{}
	for _, t := range tickets {
		if t == nil || d.tickets[t.ID] != nil {
			return errors.New("every ticket has a number of its own")
		}
		d.tickets[t.ID], d.last = t, max(d.last, t.ID)
	}
	return nil
}

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

// Open files a new ticket and returns it with its number.
func (d *Desk) Open(ctx context.Context, t NewTicket) (Ticket, error) {
	if strings.TrimSpace(t.Title) == "" {
		return Ticket{}, fmt.Errorf("a ticket needs a title")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last++
	ticket := &Ticket{
		ID:        d.last,
		Title:     t.Title,
		Details:   t.Details,
		Status:    StatusOpen,
		Priority:  t.Priority,
		Requester: t.Requester,
		Tags:      slices.Clone(t.Tags),
		Opened:    d.now(),
	}
	d.tickets[ticket.ID] = ticket
	return ticket.clone(), nil
}

// Get returns one ticket with all its comments.
func (d *Desk) Get(ticketID int) (Ticket, error) {
	return d.change(ticketID, func(*Ticket) error { return nil })
}

// Find returns the tickets whose title, details or tags hold the words, the
// most pressing first.
//
//   - limit: how many tickets at most; 0 is all of them
func (d *Desk) Find(ctx context.Context, words string, status *Status, limit int) ([]Ticket, error) {
	if limit < 0 {
		return nil, fmt.Errorf("limit is %d, but must not be negative", limit)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
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
func (d *Desk) Assign(ticketID int, assignee string) (Ticket, error) {
	return d.change(ticketID, func(t *Ticket) error {
		if t.Status == StatusClosed {
			return fmt.Errorf("ticket %d is closed", t.ID)
		}
		t.Status, t.Assignee = StatusAssigned, assignee
		return nil
	})
}

// Comment adds a remark to a ticket.
func (d *Desk) Comment(ticketID int, author, text string) (Ticket, error) {
	return d.change(ticketID, func(t *Ticket) error {
		t.Comments = append(t.Comments, Comment{Author: author, Text: text, At: d.now()})
		return nil
	})
}

// Close ends a ticket and says how it was solved.
func (d *Desk) Close(ticketID int, author, solution string) (Ticket, error) {
	return d.change(ticketID, func(t *Ticket) error {
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
func (d *Desk) Statistics() (counts map[Status]int, longestWaiting int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	counts = map[Status]int{}
	for _, id := range slices.Sorted(maps.Keys(d.tickets)) {
		t := d.tickets[id]
		counts[t.Status]++
		if t.Status == StatusOpen && longestWaiting == 0 {
			longestWaiting = id // numbers are given in the order of time
		}
	}
	return counts, longestWaiting
}

// change applies edit to a ticket and returns the outcome.
func (d *Desk) change(id int, edit func(*Ticket) error) (Ticket, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t, ok := d.tickets[id]
	if !ok {
		return Ticket{}, fmt.Errorf("there is no ticket %d", id)
	}
	if err := edit(t); err != nil {
		return Ticket{}, err
	}
	return t.clone(), nil
}

func (t *Ticket) clone() Ticket {
	c := *t
	c.Tags, c.Comments = slices.Clone(t.Tags), slices.Clone(t.Comments)
	return c
}

func (t *Ticket) matches(words string) bool {
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
