package goname

import (
	"go/token"
	"go/types"
	"strconv"

	"github.com/aiongen/aiongen/internal/words"
)

// Names is a set of names that are in use.
type Names map[string]bool

// Take adds a name that is not in use and returns it: name itself, or name2, name3 and so on if
// name is in use or a keyword.
func (n Names) Take(name string) string {
	if token.IsKeyword(name) {
		n.Reserve(name)
	}
	return n.TakeAny(name)
}

// TakeAny is like Take for names that are not Go identifiers.
func (n Names) TakeAny(name string) string {
	free := name
	if n[name] {
		free = name + strconv.Itoa(words.FreeNumber(func(i int) bool { return n[name+strconv.Itoa(i)] }))
	}
	n[free] = true
	return free
}

// Reserve adds names.
func (n Names) Reserve(taken ...string) {
	for _, name := range taken {
		n[name] = true
	}
}

// NewNames returns a set with Go's predeclared names, init, _ and the given names.
func NewNames(taken ...string) Names {
	n := make(Names, 4*len(taken)) // each tool needs about four names
	n.Reserve(types.Universe.Names()...)
	n.Reserve("init", "_")
	n.Reserve(taken...)
	return n
}
