// Package inspecttest checks that the inspection page shows and controls the runs of an engine. Call [Run] from a
// test of the engine.
package inspecttest

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aiongen/aiongen/runtime/inspect"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Engine is an engine with a page.
type Engine struct {
	Page  inspect.Config // the configuration of the page that shows the runs of the engine
	Start func(context.Context, orchestrator.Input) (id string, err error)
}

// Run checks the page of an engine. It calls open once. The workers of the engine that open returns must execute
// runs of the kind "plan", and ask the model and call the tools in this process. The engine must not have other
// runs.
func Run(t *testing.T, open func(t *testing.T, model llm.Model, tools *tool.Registry) Engine) {
	d := &desk{prefix: strings.ToLower(rand.Text()[:8])}
	tools, err := d.newRegistry()
	if err != nil {
		t.Fatal(err)
	}
	engine := open(t, llm.Func(d.generateAnswer), tools)
	handler, err := inspect.New(engine.Page)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	d.page, d.engine = Page{server.URL}, engine
	t.Run("approve", d.checkApproval)
	t.Run("deny", d.checkDenial)
	t.Run("compare", d.checkComparison)
	t.Run("reply", d.checkReply)
	t.Run("cancel", d.checkCancellation)
	t.Run("fork", d.checkFork)
	t.Run("list", d.checkList)
}

// desk is an agent that writes e-mails after an approval, and books rooms after a question.
type desk struct {
	page   Page
	engine Engine
	prefix string // of the IDs of runs
	number atomic.Int64

	mu    sync.Mutex
	mails []string // arguments of the e-mails that were sent
}

// Requests, and the plans with which the model answers them.
const (
	mailRequest = "Write to Ada about her order."
	mailPlan    = `{"goal":"Write to Ada","steps":[
	{"step_id":"find","description":"Find the customer","tool":"find_customer","arguments":{"name":"Ada"}},
	{"step_id":"mail","description":"Write to her","tool":"send_email","arguments":{"to":"<<step:find/email>>","subject":"Your order"}},
	{"step_id":"sum","description":"Sum up","agent":"llm"}]}`
	roomRequest = "Book a room for 12."
	roomPlan    = `{"goal":"Book","steps":[{"step_id":"room","description":"Book it","tool":"book_room","arguments":{"seats":12}}]}`
	tooEarly    = "it is too early"
)

// generateAnswer answers as the model. Each answer such as "Answer 3." has a new number.
func (d *desk) generateAnswer(_ context.Context, r llm.Request) (llm.Response, error) {
	text := fmt.Sprintf("Answer %d.", d.number.Add(1))
	switch {
	case strings.Contains(r.Prompt, tooEarly):
		text = `{"give_up":"It was denied."}`
	case strings.HasPrefix(r.Prompt, "Make a plan") && strings.Contains(r.Prompt, mailRequest):
		text = mailPlan
	case strings.HasPrefix(r.Prompt, "Make a plan"):
		text = roomPlan
	}
	return llm.Response{Text: text, Usage: llm.Usage{Input: 20, Output: 10}}, nil
}

// newRegistry returns the tools.
func (d *desk) newRegistry() (*tool.Registry, error) {
	r := tool.NewRegistry(tool.Use(middleware.Gate(middleware.RequireApproval(middleware.NameMatches("send_email")), middleware.Allow())))
	for _, t := range []struct {
		name, input string
		f           func(context.Context, json.RawMessage) (json.RawMessage, error)
	}{
		{"find_customer", `{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`, findCustomer},
		{"send_email", `{"type":"object","properties":{"to":{"type":"string"},"subject":{"type":"string"}},"required":["to","subject"]}`, d.sendEmail},
		{"book_room", `{"type":"object","properties":{"seats":{"type":"integer"}},"required":["seats"]}`, bookRoom},
	} {
		dynamicTool, err := schema.Dynamic(tool.Definition{Name: t.name, Description: "Does " + t.name + ".", Input: json.RawMessage(t.input)}, t.f)
		if err == nil {
			err = r.Register(dynamicTool)
		}
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

func findCustomer(context.Context, json.RawMessage) (json.RawMessage, error) {
	return json.RawMessage(`{"id":4711,"email":"ada@example.org"}`), nil
}

func (d *desk) sendEmail(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.mails = append(d.mails, string(arguments))
	return json.RawMessage(`"sent"`), nil
}

// bookRoom asks for the day before it books.
func bookRoom(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
	q := tool.AskPerson("Which day?", json.RawMessage(`{"type":"object","properties":{"day":{"type":"string"}},"required":["day"]}`))
	a, err := tool.ExchangeFrom(ctx).Ask(ctx, q)
	if err != nil {
		return nil, err
	}
	return json.Marshal("booked for " + string(a[0].Value))
}

// startRun starts a run with a name, and returns its ID.
func (d *desk) startRun(t *testing.T, name, request string, given *plan.Plan) string {
	t.Helper()
	id, err := d.engine.Start(t.Context(), orchestrator.Input{ID: d.prefix + "-" + name, Request: request, Plan: given})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// signalForm returns the form of a signal.
func signalForm(id, kind string, more ...string) url.Values {
	form := url.Values{"id": {id}, "signal": {kind}}
	for i := 0; i < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}
