// Package mistakes has lambdas that do not compile.
package mistakes

//lint:file-ignore U1000 only lambdas refer to what is here

import "errors"

// User is one who may log in.
type User struct {
	Name string `json:"name"`
	Age  int    `json:"age"`
	note string
}

// Rename gives the user another name.
func (u *User) Rename(name string) {}

// FindUser finds a user.
func FindUser(name string, limit int) (*User, error) { return nil, errors.New(name) }

// Pair returns two values.
func Pair(n int) (int, string) { return n, "" }

// Pick is generic.
func Pick[T any](list []T) T { return list[0] }

// Send takes any number of texts.
func Send(subject string, to ...string) {}

// Small takes a small integer.
func Small(n int8) {}

// MaxRows is a constant.
const MaxRows = 3

// Huge and Endless fit no type.
const (
	Huge    = 1 << 70
	Endless = 1e400
)

// Narrow takes a float of 32 bits.
func Narrow(x float32) float32 { return x }

var failure error

// Point takes an array.
func Point(at [2]int) {}

// Log and Audit are embedded.
type (
	Log   struct{ EntryCount int }
	Audit struct{}
)

// Touch is a method of an embedded pointer, which may be nil.
func (*Audit) Touch() {}

// Admin embeds others.
type Admin struct {
	User
	Log
	*Audit
}

var admin Admin

var current User

// GetURL and GetUrl are two spellings of one name.
func GetURL() {}

// GetUrl is the other one.
func GetUrl() {}
