package lower

import (
	"slices"

	"github.com/aiongen/aiongen/gen/internal/python/code"
)

// A use says how often a step is used and, if that is once, where. A step that is not
// used has none, unless it counts for itself.
type use struct {
	times    int
	home, at place
	set      bool // something is assigned to it
}

// A place is a block, and the loop or function that repeats it.
type place struct{ block, repeated *code.Block }

type uses map[*code.Step]*use

// count finds what is used, beginning with what counts for itself.
func count(body *code.Block) uses {
	u := uses{}
	u.home(body, nil)
	u.block(body)
	return u
}

// home notes where the steps of a block are.
func (u uses) home(b *code.Block, repeated *code.Block) {
	for _, s := range b.Steps {
		u[s] = &use{home: place{b, repeated}}
		for _, inner := range s.Blocks {
			if s.Op == code.Range || s.Op == code.Func {
				u.home(inner, inner)
			} else {
				u.home(inner, repeated)
			}
		}
	}
}

func (u uses) block(b *code.Block) {
	for _, s := range b.Steps {
		if counts(s) {
			u.parts(s)
		}
	}
}

// counts reports whether a step does something, be its value used or not.
func counts(s *code.Step) bool {
	switch s.Op {
	case code.Call:
		return s.Fails || s.Foreign
	case code.Logic, code.Choose:
		for _, b := range s.Blocks {
			if slices.ContainsFunc(b.Steps, counts) {
				return true
			}
		}
		return false
	}
	return s.Op >= code.Assign
}

// live reports whether a step is written.
func (u uses) live(s *code.Step) bool { return u[s].times > 0 || u[s].set || counts(s) }

// add counts a use.
func (u uses) add(s *code.Step, at place) {
	known := u[s]
	if known == nil { // no step of a block: a literal, a parameter
		known = &use{}
		u[s] = known
	}
	known.times++
	known.at = at
	if known.times == 1 && !known.set && !counts(s) {
		u.parts(s)
	}
}

// parts counts the uses of what a step needs.
func (u uses) parts(s *code.Step) {
	for _, arg := range s.Args {
		u.add(arg, u[s].home)
	}
	if s.Target != nil && !u[s.Target].set {
		u[s.Target].set = true
		if u[s.Target].times == 0 {
			u.parts(s.Target)
		}
	}
	for _, b := range s.Blocks {
		u.block(b)
		if b.Result != nil {
			at := place{b, u[s].home.repeated}
			if s.Op == code.Func {
				at.repeated = b
			}
			u.add(b.Result, at)
		}
	}
}
