package inspecttest

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/plan"
)

const editedMail = `{"to":"ada@example.org","subject":"It has arrived"}`

// checkApproval watches a run until it waits, approves its call with other arguments, and watches it until it ends.
func (d *desk) checkApproval(t *testing.T) {
	id := d.startRun(t, "approved", mailRequest, nil)
	d.page.WatchRun(t, id, "waits for an approval")
	page := d.page.Get(t, "run?id="+id)
	CheckTexts(t, page, mailRequest, "waits for an approval", `<svg class="plan"`, "model: plan", "call: find_customer", `{"id":4711,"email":"ada@example.org"}`, "result of step", "find /email")
	CheckTexts(t, d.page.Get(t, FindLink(t, page, "model: plan")), "Make a plan for this request.", mailRequest, "find_customer(name: string)")
	d.page.Post(t, "signal", signalForm(id, "approve", "call", id+"/mail/1", "approval", "Grace", "arguments", editedMail))
	d.page.WatchRun(t, id, "completed")
	page = d.page.Get(t, "run?id="+id)
	CheckTexts(t, page, "completed", "It has arrived", "model: reasoning for step sum", "Answer ")
	CheckTexts(t, d.page.Get(t, FindLink(t, page, "call: send_email")), "edited by", "Grace", "It has arrived", `"sent"`)
	d.mu.Lock()
	defer d.mu.Unlock()
	if !slices.Equal(d.mails, []string{editedMail}) {
		t.Errorf("these e-mails were sent: %q", d.mails)
	}
}

// checkDenial first sends invalid arguments, which the page reports, and then denies the call.
func (d *desk) checkDenial(t *testing.T) {
	id := d.startRun(t, "denied", mailRequest, nil)
	d.page.WatchRun(t, id, "waits for an approval")
	status, page, _ := d.page.send(t, http.MethodPost, "signal", signalForm(id, "approve", "call", id+"/mail/1", "approval", "Grace", "arguments", `{"to":7}`))
	if status != http.StatusUnprocessableEntity {
		t.Errorf("wrong arguments: %d", status)
	}
	CheckTexts(t, page, "Nothing was sent")
	d.page.Post(t, "signal", signalForm(id, "deny", "call", id+"/mail/1", "reason", tooEarly))
	d.page.WatchRun(t, id, "failed")
	page = d.page.Get(t, "run?id="+id)
	CheckTexts(t, page, "It was denied.")
	CheckTexts(t, d.page.Get(t, FindLink(t, page, "call: send_email")), "Denied", tooEarly)
}

// checkComparison compares the runs of checkApproval and checkDenial.
func (d *desk) checkComparison(t *testing.T) {
	page := d.page.Get(t, "compare?left="+d.prefix+"-approved&right="+d.prefix+"-denied")
	CheckTexts(t, page, "The first difference is in row", "call: find_customer", "differs", "completed", "failed")
}

// checkReply answers the question of a tool.
func (d *desk) checkReply(t *testing.T) {
	id := d.startRun(t, "replied", roomRequest, nil)
	d.page.WatchRun(t, id, "Which day?")
	d.page.Post(t, "signal", signalForm(id, "reply", "call", id+"/room/1", "answer0", "accept", "value0", `{"day":"Monday"}`))
	d.page.WatchRun(t, id, "completed")
	page := d.page.Get(t, "run?id="+id)
	CheckTexts(t, d.page.Get(t, FindLink(t, page, "call: book_room")), "A person replies", "Monday", "booked for")
}

// checkCancellation cancels a run that waits.
func (d *desk) checkCancellation(t *testing.T) {
	id := d.startRun(t, "canceled", roomRequest, nil)
	d.page.WatchRun(t, id, "waits for an answer")
	d.page.Post(t, "signal", signalForm(id, "cancel", "reason", "nobody comes"))
	d.page.WatchRun(t, id, "canceled")
	CheckTexts(t, d.page.Get(t, "run?id="+id), "canceled", "nobody comes")
}

// checkFork forks the approved run before the last answer of the model, so that workers ask the model for that
// answer again. If the engine cannot fork, checkFork checks that the page does not offer a fork.
func (d *desk) checkFork(t *testing.T) {
	id := d.prefix + "-approved"
	last := FindLink(t, d.page.Get(t, "run?id="+id), "model: reasoning for step sum")
	target, err := url.Parse(last)
	if err != nil {
		t.Fatal(err)
	}
	page := d.page.Get(t, last)
	form := url.Values{"id": {id}, "entry": {target.Query().Get("n")}}
	if d.engine.Page.Fork == nil {
		if status, _, _ := d.page.send(t, http.MethodPost, "fork", form); status != http.StatusForbidden || strings.Contains(page, `action="fork?`) {
			t.Errorf("the page offers a fork: %d", status)
		}
		return
	}
	CheckTexts(t, page, `action="fork?`, "Answer ")
	forked := strings.TrimPrefix(d.page.Post(t, "fork", form), "run?id=")
	d.page.WatchRun(t, forked, "completed")
	CheckTexts(t, d.page.Get(t, "run?id="+forked), "Forked from", id, "It has arrived")
	CheckTexts(t, d.page.Get(t, "compare?left="+id+"&right="+forked), "1 of ", "The first difference is in row")
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.mails) != 1 {
		t.Errorf("the fork repeats a call: %q", d.mails)
	}
}

// checkList starts more runs than one page of the list shows, searches for some of them, and follows the links to
// further pages.
func (d *desk) checkList(t *testing.T) {
	const many = 52
	for i := range many {
		d.startRun(t, fmt.Sprint("many-", i), "Do nothing.", &plan.Plan{Goal: "nothing", Steps: []plan.Step{{ID: "1", Description: "Say hello", Agent: "llm"}}})
	}
	d.waitForList(t, "runs?group=ended&q=denied", d.prefix+"-denied") // the list may contain the run only later
	page := d.page.Get(t, "runs?q=denied")
	if found := listedRuns(page); !slices.Equal(found, []string{d.prefix + "-denied"}) {
		t.Errorf("a search finds %v", found)
	}
	CheckTexts(t, d.page.Get(t, "runs?q=order+ADA&group=ended"), d.prefix+"-approved", mailRequest)
	for end := time.Now().Add(timeout); ; {
		first := d.page.Get(t, "runs")
		second := d.page.Get(t, FindLink(t, first, "Earlier runs"))
		all := append(listedRuns(first), listedRuns(second)...)
		slices.Sort(all)
		if all = slices.Compact(all); len(listedRuns(first)) == 50 && len(all) >= many+4 && !strings.Contains(second, "Earlier runs") {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the pages list %d runs: %v", len(all), all)
		}
	}
}

// waitForList waits until a list contains a run.
func (d *desk) waitForList(t *testing.T, target, id string) {
	t.Helper()
	for end := time.Now().Add(timeout); !slices.Contains(listedRuns(d.page.Get(t, target)), id); {
		if time.Now().After(end) {
			t.Fatalf("%s never lists %s", target, id)
		}
	}
}

// listedRuns returns the IDs of the runs on a page of the list.
func listedRuns(page string) (ids []string) {
	for _, link := range strings.Split(page, `<a class="subject" href="run?id=`)[1:] {
		id, _, _ := strings.Cut(link, `"`)
		ids = append(ids, id)
	}
	return ids
}
