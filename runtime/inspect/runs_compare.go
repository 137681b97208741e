package inspect

import (
	"net/http"

	"github.com/aiongen/aiongen/runtime/inspect/internal/history"
)

var comparePage = parsePage("compare.html", "runparts.html")

// comparison is two runs side by side.
type comparison struct {
	Left, Right string
	Sides       []comparedRun // none until both runs are chosen
	Rows        []comparedRow
	First       int // number of the first row that differs, from 1; 0 if there is none
	Different   int // rows that differ
	Complete    bool
}

// comparedRun is one side of a comparison.
type comparedRun struct {
	ID, Request string
	Status      badge
	Took, Cost  string
	Tokens      int
	Answer      string
}

// comparedRow is a row of a comparison; see [history.Pair].
type comparedRow struct {
	Number      int
	Left, Right *itemRow
	Same, First bool
}

// showComparison shows two runs side by side.
func (h *Handler) showComparison(w http.ResponseWriter, r *http.Request) {
	v := comparison{Left: r.FormValue("left"), Right: r.FormValue("right")}
	if v.Left != "" && v.Right != "" && !h.fillComparison(w, r, &v) {
		return
	}
	h.showPage(w, r, page{template: comparePage, title: "Compare runs", section: "runs", body: v})
}

// fillComparison reads and aligns the runs. If it cannot, it answers the request and returns false.
func (h *Handler) fillComparison(w http.ResponseWriter, r *http.Request, v *comparison) bool {
	left := h.openRun(w, r, v.Left)
	if left == nil {
		return false
	}
	right := h.openRun(w, r, v.Right)
	if right == nil {
		return false
	}
	v.Sides = []comparedRun{newComparedRun(left), newComparedRun(right)}
	pairs, first, complete := history.Compare(left, right)
	v.First, v.Complete = first+1, complete
	for i, p := range pairs {
		row := comparedRow{Number: i + 1, Left: comparedItem(left, p.Left), Right: comparedItem(right, p.Right), Same: p.Same, First: i == first}
		if !p.Same {
			v.Different++
		}
		v.Rows = append(v.Rows, row)
	}
	return true
}

func newComparedRun(runHistory *history.Run) comparedRun {
	answer, _ := runHistory.ShowResult()
	return comparedRun{
		ID: runHistory.ID, Request: cutText(runHistory.ShowRequest()), Status: statusBadge(runHistory.Status, runHistory.WaitsFor), Took: durationText(runHistory.Last.Sub(runHistory.Began)),
		Cost: costText(runHistory.Usage.Cost), Tokens: runHistory.Usage.Tokens.Total(), Answer: cutText(prettyJSON(answer)),
	}
}

// comparedItem returns the row of an item, or nil.
func comparedItem(runHistory *history.Run, item *history.Item) *itemRow {
	if item == nil {
		return nil
	}
	row := newRow(runHistory, runHistory.ShowRow(item))
	return &row
}
