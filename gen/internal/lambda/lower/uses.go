package lower

import (
	"slices"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
)

// stepUse counts the uses of a step.
type stepUse struct {
	count    int
	home     location // of the step
	usedAt   location // of the only use, if count is 1
	assigned bool     // a step assigns to it
}

// location is a block and the innermost repeated block, which is that block or contains it. The body of a loop
// or of a function literal is a repeated block.
type location struct{ block, repeated *ir.Block }

type useTable map[*ir.Step]*stepUse

// countUses counts the uses of each step. A use counts only if the step that uses it has an effect or is itself
// used.
func countUses(body *ir.Block) useTable {
	u := useTable{}
	u.recordHomes(body, nil)
	u.countBlock(body)
	return u
}

// recordHomes records the location of every step of a block.
func (u useTable) recordHomes(b *ir.Block, repeated *ir.Block) {
	for _, s := range b.Steps {
		u[s] = &stepUse{home: location{b, repeated}}
		for _, inner := range s.Blocks {
			if s.Op == ir.Range || s.Op == ir.Func {
				u.recordHomes(inner, inner)
			} else {
				u.recordHomes(inner, repeated)
			}
		}
	}
}

func (u useTable) countBlock(b *ir.Block) {
	for _, s := range b.Steps {
		if hasEffect(s) {
			u.countParts(s)
		}
	}
}

// hasEffect reports whether a step must be executed even if its value is not used.
func hasEffect(s *ir.Step) bool {
	switch s.Op {
	case ir.Call:
		return s.Fails || s.Foreign
	case ir.Logic, ir.Choose:
		for _, b := range s.Blocks {
			if slices.ContainsFunc(b.Steps, hasEffect) {
				return true
			}
		}
		return false
	}
	return s.Op >= ir.Assign
}

// isLive reports whether code must be written for a step.
func (u useTable) isLive(s *ir.Step) bool { return u[s].count > 0 || u[s].assigned || hasEffect(s) }

// addUse counts a use of s at a location. If it is the first use of s, it also counts the uses of other steps by
// s.
func (u useTable) addUse(s *ir.Step, at location) {
	use := u[s]
	if use == nil { // not part of a block: a literal or a parameter
		use = &stepUse{}
		u[s] = use
	}
	use.count++
	use.usedAt = at
	if use.count == 1 && !use.assigned && !hasEffect(s) {
		u.countParts(s)
	}
}

// countParts counts the uses of other steps by s.
func (u useTable) countParts(s *ir.Step) {
	for _, arg := range s.Args {
		u.addUse(arg, u[s].home)
	}
	if s.Target != nil && !u[s.Target].assigned {
		u[s.Target].assigned = true
		if u[s.Target].count == 0 {
			u.countParts(s.Target)
		}
	}
	for _, b := range s.Blocks {
		u.countBlock(b)
		if b.Result != nil {
			u.addUse(b.Result, location{b, u[s].home.repeated})
		}
	}
}
