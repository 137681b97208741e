// Package tools is the package of the mistakes in mistakes.txt.
package tools

import "errors"

// Status is the state of an account.
type Status string

// The states of an account.
const (
	Open   Status = "open"
	Closed Status = "closed"
)

// User is somebody with an account.
type User struct {
	ID     int      `json:"id"`
	Name   string   `json:"name"`
	Age    int      `json:"age"`
	Tags   []string `json:"tags"`
	Status Status   `json:"status"`
}

// Store holds the users.
type Store struct{ users []User }

// Find returns the user with an ID.
func (s *Store) Find(id int) (*User, error) {
	for i := range s.users {
		if s.users[i].ID == id {
			return &s.users[i], nil
		}
	}
	return nil, errors.New("there is no such user")
}

// FindUser returns the user with an ID.
func FindUser(id int) (*User, error) { return (&Store{}).Find(id) }

// Save stores a user.
func Save(u User) error { return nil }

// SendOutput sends a text.
func SendOutput(text string) string { return text }

// ListUsers lists users.
func ListUsers(status Status, limit int) []User { return nil }

// Gen returns its argument.
func Gen[T any](x T) T { return x }

// Pair returns the first of two values.
func Pair[K comparable, V any](key K, value V) K { return key }

// MaxUsers is the most users that a store holds.
const MaxUsers = 100
