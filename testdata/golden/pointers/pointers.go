// Package pointers has functions that return pointers, which may be nil or not.
package pointers

import "errors"

// User is somebody.
type User struct {
	Name string `json:"name"`
	Boss *User  `json:"boss,omitempty"`
}

// Team is some users.
type Team struct {
	Users []*User `json:"users"`
}

// Find finds a user. As most functions of Go do, it returns nil beside an error alone,
// or so one takes it.
func Find(name string) (*User, error) {
	switch name {
	case "nobody":
		return nil, nil
	case "error":
		return nil, errors.New("there is no such user")
	}
	return &User{Name: name}, nil
}

// FindTeam finds a team, in the same way.
func FindTeam(name string) (*Team, error) {
	if name == "none" {
		return nil, nil
	}
	return &Team{Users: []*User{{Name: name}, nil}}, nil
}

// Guess finds a user, and has no other way than nil to say that there is none.
func Guess(name string) *User {
	u, _ := Find(name)
	return u
}

// Nick returns what a user is called, if anything.
func Nick(name string) (*string, error) {
	if name == "nobody" {
		return nil, nil
	}
	return &name, nil
}

// Pair returns two users, or one.
func Pair(a, b string) (first, second *User, err error) {
	return Guess(a), Guess(b), nil
}

// Count counts, too.
func Count(name string) (*User, int, error) {
	u, err := Find(name)
	return u, len(name), err
}
