// Package variations compiles the three examples in the documentation of AIONS
// 1.0.5, by Sourav Modak under the MIT licence, as they stand there. What they
// call is ours.
package variations

import "errors"

// SendOutputSchema has the arguments of SendOutput.
type SendOutputSchema struct {
	User string `json:"user"`
}

// Status is what became of it.
type Status struct {
	Sent bool   `json:"sent"`
	To   string `json:"to"`
}

// SendOutput sends the output to a user.
func SendOutput(user string) (Status, error) {
	if user == "" {
		return Status{}, errors.New("no user")
	}
	return Status{true, user}, nil
}

// Profile is a new user.
type Profile struct {
	Name  string `json:"name"`
	Email string `json:"email"`
	Admin bool   `json:"admin"`
}

// AdminSignup makes an administrator.
func AdminSignup(name, email, password string) (*Profile, error) {
	if len(password) < 8 {
		return nil, errors.New("the password is short")
	}
	return &Profile{name, email, true}, nil
}
