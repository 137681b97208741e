package history

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/plan"
)

// Graph is a drawing of the steps of a plan and of the references between them.
type Graph struct {
	Width, Height int // in pixels
	Nodes         []Node
	Edges         []Edge
	Omitted       int // steps that are not drawn
}

// Node is a step in a [Graph].
type Node struct {
	plan.Step
	Title string // short
	X, Y  int    // of the left upper corner
	layer int
}

// Edge is a reference of a step to the result of an earlier one.
type Edge struct {
	From, To string // IDs of steps
	Pointer  string // in the result of From

	X1, Y1, X2, Y2 int
}

// MaxNodes limits the steps that a [Graph] has.
const MaxNodes = 100

// Sizes in pixels, and limits.
const (
	NodeWidth  = 168
	NodeHeight = 52
	gapX       = 24
	gapY       = 44
	margin     = 8
	maxColumns = 5
	maxTitle   = 24 // bytes
)

// DrawPlan arranges the steps of a plan in layers: a step is below all steps that it refers to.
func DrawPlan(p plan.Plan) Graph {
	g := Graph{Omitted: max(len(p.Steps)-MaxNodes, 0)}
	byID := map[string]int{}
	deepest := -1
	for i, s := range p.Steps[:min(len(p.Steps), MaxNodes)] {
		n := Node{Step: s, Title: words.Cut(cmp.Or(s.Tool, "the model"), maxTitle)}
		for _, to := range s.References() {
			if from, ok := byID[to.Step]; ok {
				n.layer = max(n.layer, g.Nodes[from].layer+1)
				g.Edges = append(g.Edges, Edge{From: to.Step, To: s.ID, Pointer: to.Pointer})
			}
		}
		if s.Tool == "" { // the model sees all earlier results
			n.layer = deepest + 1
		}
		deepest = max(deepest, n.layer)
		g.Nodes, byID[s.ID] = append(g.Nodes, n), i
	}
	g.placeNodes(byID)
	for i := range g.Edges {
		e := &g.Edges[i]
		from, to := g.Nodes[byID[e.From]], g.Nodes[byID[e.To]]
		e.X1, e.Y1, e.X2, e.Y2 = from.X+NodeWidth/2, from.Y+NodeHeight, to.X+NodeWidth/2, to.Y
	}
	return g
}

// placeNodes places the nodes of each layer from left to right, near those that they refer to. A layer
// with many nodes takes several rows.
func (g *Graph) placeNodes(byID map[string]int) {
	var layers [][]int
	for i, n := range g.Nodes {
		for len(layers) <= n.layer {
			layers = append(layers, nil)
		}
		layers[n.layer] = append(layers[n.layer], i)
	}
	y := margin
	for _, layer := range layers {
		positions := map[int]int{}
		for _, i := range layer {
			positions[i] = g.meanPosition(g.Nodes[i].ID, byID)
		}
		slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(positions[a], positions[b]) })
		for row := range slices.Chunk(layer, maxColumns) {
			for column, i := range row {
				g.Nodes[i].X, g.Nodes[i].Y = margin+column*(NodeWidth+gapX), y
				g.Width = max(g.Width, g.Nodes[i].X+NodeWidth+margin)
			}
			g.Height = y + NodeHeight + margin
			y += NodeHeight + gapY
		}
	}
}

// meanPosition returns the mean horizontal position of the steps that a step refers to.
func (g *Graph) meanPosition(step string, byID map[string]int) int {
	sum, count := 0, 0
	for _, e := range g.Edges {
		if e.To == step {
			sum += g.Nodes[byID[e.From]].X
			count++
		}
	}
	return sum / max(count, 1)
}

// Uses returns the references of a step, as a text for people.
func (n Node) Uses() string {
	var all []string
	for _, to := range n.References() {
		all = append(all, strings.TrimSpace("step "+to.Step+" "+to.Pointer))
	}
	return strings.Join(all, ", ")
}

// MiddleY returns the height at which the line of a reference turns.
func (e Edge) MiddleY() int { return (e.Y1 + e.Y2) / 2 }

// ShortID returns the ID of the step, cut to the width of its box.
func (n Node) ShortID() string { return words.Cut(n.ID, maxTitle-4) }
