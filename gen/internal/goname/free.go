package goname

import (
	"go/token"
	"go/types"
	"strconv"

	"github.com/aiongen/aiongen/internal/words"
)

// Names hands out names that are still free.
type Names map[string]bool

// Take returns name, or name2, name3 … where it is taken or a keyword.
func (n Names) Take(name string) string {
	if token.IsKeyword(name) {
		n.Reserve(name)
	}
	return n.Distinct(name)
}

// Distinct does so for names that are no Go identifiers.
func (n Names) Distinct(name string) string {
	free := name
	if n[name] {
		free = name + strconv.Itoa(words.FreeNumber(func(i int) bool { return n[name+strconv.Itoa(i)] }))
	}
	n[free] = true
	return free
}

// Reserve says that names are taken.
func (n Names) Reserve(taken ...string) {
	for _, name := range taken {
		n[name] = true
	}
}

// Reserved returns a set with Go's predeclared names, and the given ones.
func Reserved(taken ...string) Names {
	n := make(Names, 4*len(taken)) // about as many as are taken of them for tools
	n.Reserve(types.Universe.Names()...)
	n.Reserve("init", "_")
	n.Reserve(taken...)
	return n
}
