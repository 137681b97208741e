package plan

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool"
)

// sortSteps moves steps after those that they refer to, if that is safe; see isSafe. Otherwise it keeps the
// order, and checkReference reports references to later steps.
func (c *compiler) sortSteps() {
	needs := c.stepNeeds()
	if !slices.ContainsFunc(needs, func(steps []int) bool { return len(steps) > 0 }) {
		return
	}
	order, ok := topologicalOrder(needs)
	if !ok || !c.isSafe(order) {
		return
	}
	var before, after []string
	steps := make([]Step, len(order))
	for i, from := range order {
		steps[i] = c.plan.Steps[from]
		before, after = append(before, c.plan.Steps[i].ID), append(after, steps[i].ID)
	}
	if slices.Equal(before, after) {
		return
	}
	c.plan.Steps, c.originalIndexes = steps, order
	c.nameSteps()
	c.edits = append(c.edits, tool.Edit{Kind: "order", Pointer: "/steps", Before: cutText(strings.Join(before, " ")), After: cutText(strings.Join(after, " "))})
}

// stepNeeds returns, for each step, the steps that it refers to. It returns nil if no step refers to a later one,
// so that sorting is unnecessary. It also returns nil if a step refers to itself or two IDs are equal, so that
// sorting is impossible.
func (c *compiler) stepNeeds() [][]int {
	if len(c.byID) < len(c.plan.Steps) || len(c.plan.Steps) > MaxSteps {
		return nil
	}
	needs := make([][]int, len(c.plan.Steps))
	forward := false
	for i, s := range c.plan.Steps {
		if s.Status.Final() {
			continue
		}
		for _, j := range c.referredSteps(i) {
			if j == i {
				return nil
			}
			needs[i] = append(needs[i], j)
			forward = forward || j > i
		}
	}
	if !forward {
		return nil
	}
	return needs
}

// referredSteps returns the steps that the arguments of a step refer to, in any spelling.
func (c *compiler) referredSteps(i int) (steps []int) {
	n, err := jsontext.Parse(string(c.plan.Steps[i].Arguments), jsontext.MaxDepth)
	if err != nil {
		return nil
	}
	a := speller{compiler: c, step: len(c.plan.Steps)} // accepts references to all steps
	visitStrings(n, func(text string) {
		for _, p := range splitReferences(a.readText(text).text) {
			if j, known := c.byID[p.to.Step]; p.refers && !p.broken && known && !slices.Contains(steps, j) {
				steps = append(steps, j)
			}
		}
	})
	return steps
}

// topologicalOrder returns an order in which each step comes after those that it needs. Steps otherwise keep
// their order. It returns false if there is a cycle.
func topologicalOrder(needs [][]int) (order []int, ok bool) {
	done := make([]bool, len(needs))
	for len(order) < len(needs) {
		next := -1
		for i := range needs {
			if !done[i] && !slices.ContainsFunc(needs[i], func(j int) bool { return !done[j] }) {
				next = i
				break
			}
		}
		if next < 0 {
			return nil, false
		}
		done[next] = true
		order = append(order, next)
	}
	return order, true
}

// isSafe reports whether an order swaps two steps only if at least one of them is read-only. A step without a
// tool does not count as read-only, because its result depends on all steps before it.
func (c *compiler) isSafe(order []int) bool {
	reads := func(i int) bool {
		t := c.tools[c.plan.Steps[i].Tool]
		return t != nil && t.definition.Annotations.Is(tool.ReadOnly)
	}
	latest := -1 // the largest index so far of a step that is not read-only
	for _, i := range order {
		if !reads(i) {
			if i < latest {
				return false
			}
			latest = i
		}
	}
	return true
}
