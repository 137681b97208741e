package desk

import (
	"strings"
	"testing"

	"github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/agenttest"
	"github.com/aiongen/aiongen/runtime/run"
)

// TestLogin repeats a run of the program, with the answers of its model and the tools of the desk. The flag -case
// printed it; only the tools and the last two checks were written by hand.
func TestLogin(t *testing.T) {
	model := scripted.New(
		scripted.Text(`{"goal":"Have somebody help Grace log in","steps":[{"step_id":"1","description":"Open a ticket","tool":"open_ticket","arguments":{"title":"Cannot log in","requester":{"name":"Grace"}}},{"step_id":"2","description":"Assign the new ticket to linus","tool":"assign_ticket","arguments":{"ticket_id":"<<step:1/id>>","assignee":"linus"}},{"step_id":"3","description":"Tell Grace who helps her","agent":"llm"}]}`),
		scripted.Text(`{"priority":"high"}`),
		scripted.Text("Your ticket has number 1, Grace, and linus works on it."),
	)
	registry, err := newRegistry(tools.NewDesk(recordedTime))
	if err != nil {
		t.Fatal(err)
	}
	agent, err := orchestrator.New(model, registry)
	if err != nil {
		t.Fatal(err)
	}
	r := agenttest.Run(t, agent, orchestrator.Input{
		ID:      "20261127T102118.604719",
		Kind:    "plan",
		Request: "Grace cannot log in. Open a ticket and assign it to linus.",
	})
	r.Ended(run.Completed)
	r.CalledExactly(
		`open_ticket({"title":"Cannot log in","requester":{"name":"Grace"},"priority":"high"})`,
		`assign_ticket({"ticket_id":1,"assignee":"linus"})`,
	)
	r.Answered("Your ticket has number 1, Grace, and linus works on it.")
	if err := model.Err(); err != nil {
		t.Error(err)
	}
	r.NotCalled("notify", "close_ticket")
	r.Within(agenttest.Budget{ModelCalls: 3, ToolCalls: 2})
}

// TestCase makes a test from a stored run, and from runs and flags from which none can be made.
func TestCase(t *testing.T) {
	folder, id := newWaitingRun(t)
	for _, test := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"-memory", folder, "-case", id}, 0, `r.CalledExactly(` + "`" + `notify({"user":"linus","message":"The VPN is down."})`},
		{[]string{"-memory", folder, "-case", "x"}, 1, `example: journal: run "x" does not exist`},
		{[]string{"-memory", folder + "/none", "-case", id}, 1, "no such file"},
		{[]string{"-case", id}, 2, "-case needs -memory"},
		{[]string{"-memory", folder, "-case", id, "-yes"}, 2, "takes no request and no other flag"},
		{[]string{"-memory", folder, "-case", id, "runs"}, 2, "takes no request and no other flag"},
	} {
		if status, stdout, stderr := runExample(t.Context(), &person{}, test.args...); status != test.status || !strings.Contains(stdout+stderr, test.want) {
			t.Errorf("%q: exit status %d: %s%s", test.args, status, stdout, stderr)
		}
	}
}
