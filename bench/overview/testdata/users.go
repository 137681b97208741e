package users

import "context"

//go:generate go tool aiongen

// User is a row of the table users.
type User struct {
	Login    string `json:"login"`
	Email    string `json:"email"`
	Password []byte `json:"password"`
}

// Store reads users from a database.
type Store struct{}

// FindUser is cached, see ticket 4711.
func (s *Store) FindUser(
	ctx context.Context, login string,
) (*User, error) {
	return &User{Login: login}, ctx.Err()
}
