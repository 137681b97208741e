// Package mistakes is sound Go that its .aion files get wrong.
package mistakes

import "context"

// FindUser finds a user.
func FindUser(ctx context.Context, userID string) (User, error) { return User{}, nil }

// User is a user.
type User struct {
	Name string `json:"name"`
}

// Rename renames a user.
func (u *User) Rename(name string) error { return nil }

// Limit is a number.
const Limit = 3

// Twice is generic.
func Twice[T any](x T) []T { return []T{x, x} }

// Box is generic.
type Box[T comparable] struct{ content T }

// Put puts something into the box.
func (b *Box[T]) Put(content T) { b.content = content }

// Somebody is a variable.
var Somebody User

// Greet is a variable, too.
var Greet = func(name string) {}

// Spread takes any number of arguments.
func Spread(first string, rest ...[]int) {}

// Watch cannot be a tool.
func Watch(phase complex128) {}

func sendMail(to string) {}

var _ = sendMail

// SendMail sends mail.
func SendMail(to string) {}

// GetURL and GetUrl differ by the spelling of an initialism.
func GetURL() {}

// GetUrl is not how Go spells it.
func GetUrl() {}

// Number is a type.
type Number int

// Pointless uses a package that another file uses by another name.
func Pointless() context.Context { return nil }
