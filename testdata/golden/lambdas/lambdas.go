// Package lambdas has tools that are lambdas.
package lambdas

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
)

// MaxRows bounds what a search returns.
const MaxRows = 3

// Greeting is what a greeting starts with.
var Greeting = "Hello"

// Level is how important a user is.
type Level int

// User is one who may log in.
type User struct {
	Name  string   `json:"name"`
	Email string   `json:"email_address"`
	Age   int32    `json:"age"`
	Level Level    `json:"level"`
	Tags  []string `json:"tags"`
	Boss  *User    `json:"boss,omitempty"`
}

// FullName is the name with the address.
func (u User) FullName() string { return fmt.Sprintf("%s <%s>", u.Name, u.Email) }

// Rename gives the user another name.
func (u *User) Rename(name string) string {
	old := u.Name
	u.Name = name
	return old
}

// Directory finds users.
type Directory struct{ users []User }

// Find returns the users whose name starts so.
func (d *Directory) Find(ctx context.Context, prefix string, limit int) ([]User, error) {
	var found []User
	for _, u := range d.users {
		if strings.HasPrefix(u.Name, prefix) && len(found) < limit {
			found = append(found, u)
		}
	}
	if len(found) == 0 {
		return nil, errors.New("nobody is called " + prefix)
	}
	return found, ctx.Err()
}

var directory = Directory{users: []User{
	{Name: "Ada", Email: "ada@example.com", Age: 36, Level: 2, Tags: []string{"math", "poetry"}},
	{Name: "Alan", Email: "alan@example.com", Age: 41, Level: 1},
	{Name: "Grace", Email: "grace@example.com", Age: 85, Level: 2, Boss: &User{Name: "Howard"}},
}}

// FindUser finds a user by name.
func FindUser(ctx context.Context, name string) (*User, error) {
	users, err := directory.Find(ctx, name, 1)
	if err != nil {
		return nil, err
	}
	return &users[0], nil
}

// SendMail sends a text to several people, and returns how many.
func SendMail(subject string, priority float64, to ...string) (int, error) {
	return len(to), nil
}

// Renaming is what is renamed how.
type Renaming struct {
	UserID  string `json:"userId"`
	NewName string `json:"new_name"`
}

// SplitName returns first and last name.
func SplitName(name string) (first, last string, err error) {
	first, last, ok := strings.Cut(name, " ")
	if !ok {
		return "", "", errors.New("one name only")
	}
	return first, last, nil
}

func forget(user string) error {
	if user == "" {
		return errors.New("nobody to forget")
	}
	return nil
}

// Logged logs a text.
func Logged(logger *slog.Logger, text string) int {
	logger.Info(text)
	return len(text)
}

func score(u User) int { return int(u.Age) * int(u.Level) }

// URLs are the addresses of pages.
type URLs []string

// HomePages returns the home pages of a user, if there is one.
func HomePages(name string) (URLs, error) { return URLs{"https://example.com/" + name}, nil }
