package redact_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	middlewarepkg "github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/redact"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
)

// form is a way in which a secret is written: as text, and as a JSON string or number.
type form struct{ name, text, literal string }

// secrets contain letters, digits, punctuation, spaces, and characters that need escapes.
var secrets = []string{"hunter2-7f", "+44 7700 900123", `sk-Live_9aB3/xY+7z"q\w`, "swordfish", "Zoë Müller", "4929123456781234", "Q1w!@#$%^&*()", "ada.lovelace@example.com", "東京都千代田区"}

func forms(secret string) []form {
	text := func(name, text string) form { return form{name, text, jsontext.Quote(text)} }
	encode := base64.StdEncoding.EncodeToString
	all := []form{
		text("raw", secret),
		{"unicode escapes in JSON", secret, `"` + encodeUnits(secret, `\u%04x`) + `"`},
		text("unicode escapes as text", encodeUnits(secret, `\u%04x`)),
		text("JSON", jsontext.Quote(secret)),
		text("JSON in JSON", jsontext.Quote(jsontext.Quote(secret))),
		text("Go escapes", bytewise(secret, `\x%02x`)),
		text("query", url.QueryEscape(secret)),
		text("path", url.PathEscape(secret)),
		text("percent", bytewise(secret, "%%%02X")),
		text("base64", encode([]byte(secret))),
		text("base64 of more", encode([]byte("k="+secret+"&"))),
		text("base64 at 1", encode([]byte("x"+secret))),
		text("base64 URL, no padding", base64.RawURLEncoding.EncodeToString([]byte("token:"+secret))),
		text("base64 in a URL", "https://a.example/b?c="+encode([]byte(secret))),
		text("hex", hex.EncodeToString([]byte(secret))),
		text("HEX", strings.ToUpper(hex.EncodeToString([]byte("a"+secret)))),
		text("hex with colons", strings.TrimSuffix(bytewise(secret, "%02x:"), ":")),
		text("upper case", strings.ToUpper(secret)),
		text("lower case", strings.ToLower(secret)),
		text("octal escapes", bytewise(secret, `\%03o`)),
		text("JavaScript escapes", encodeUnits(secret, "%%u%04X")),
		text("bytes", fmt.Sprint([]byte(secret))),
		text("hexadecimal bytes", bytewise(secret, "0x%02x, ")),
		form{"list of bytes", strings.Join(strings.Fields(strings.Trim(fmt.Sprint([]byte(secret)), "[]")), ","), strings.Join(strings.Fields(fmt.Sprint([]byte(secret))), ",")},
		form{"list of characters", "[" + quotedEach(secret) + "]", "[" + quotedEach(secret) + "]"},
		form{"list of two halves", secret, halves(secret)},
		text("HTML", html.EscapeString(secret)),
		text("HTML numbers", encodeUnits(secret, "&#%d;")),
		text("inside", "it is "+secret+", they say"),
		text("inside a word", "x"+secret+"y"),
		text("in quotes", "'"+secret+"'"),
		text("with a tag", string([]rune(secret)[:3])+"<b class='x'>"+string([]rune(secret)[3:])+"</b>"),
		text("with a line break of HTML", string([]rune(secret)[:3])+"<br/>"+string([]rune(secret)[3:])),
		text("base64 of percent", encode([]byte(bytewise(secret, "%%%02x")))),
		text("hex of base64", hex.EncodeToString([]byte(encode([]byte(secret))))),
	}
	if strings.IndexFunc(secret, func(r rune) bool { return strings.ContainsRune("!#@.+", r) }) < 0 {
		all = append(all, text("with dashes", strings.Join(strings.Split(strings.ReplaceAll(secret, " ", ""), ""), "-")), text("with spaces", strings.Join(strings.Split(secret, ""), " ")))
	}
	if strings.IndexFunc(secret, func(r rune) bool { return r >= 0x80 }) < 0 {
		all = append(all, text("base64 of UTF-16", encode(utf16Bytes(secret))), text("hex of UTF-16", hex.EncodeToString(utf16Bytes(secret))))
	}
	if strings.Trim(secret, "0123456789") == "" {
		all = append(all, form{"number", secret, secret}, form{"number with a fraction", secret + ".0", secret + ".0"}, form{"number with an exponent", secret + "0e-1", secret + "0e-1"})
	}
	return all
}

// encodeUnits encodes the UTF-16 units of a text.
func encodeUnits(text, format string) (escaped string) {
	if strings.HasPrefix(format, "&") {
		for _, r := range text {
			escaped += fmt.Sprintf(format, r)
		}
		return escaped
	}
	for _, unit := range utf16.Encode([]rune(text)) {
		escaped += fmt.Sprintf(format, unit)
	}
	return escaped
}

// utf16Bytes encodes the UTF-16 units of a text in little-endian order.
func utf16Bytes(text string) (b []byte) {
	for _, unit := range utf16.Encode([]rune(text)) {
		b = append(b, byte(unit), byte(unit>>8))
	}
	return b
}

// quotedEach encodes the characters of a text as JSON strings.
func quotedEach(text string) string {
	var all []string
	for _, r := range text {
		all = append(all, jsontext.Quote(string(r)))
	}
	return strings.Join(all, ",")
}

func halves(text string) string {
	all := []rune(text)
	return "[" + jsontext.Quote(string(all[:len(all)/2])) + "," + jsontext.Quote(string(all[len(all)/2:])) + "]"
}

func bytewise(text, format string) (escaped string) {
	for _, b := range []byte(text) {
		escaped += fmt.Sprintf(format, b)
	}
	return escaped
}

var matrixTools = []tool.Definition{
	{Name: "find_customer", Description: "Finds.", Input: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"}},"additionalProperties":false}`),
		Output: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"},"secret":{}}}`)},
	{Name: "open_vault", Description: "Opens.", Input: json.RawMessage(`{"type":"object","properties":{"user":{"type":"string"},"password":{}},"additionalProperties":false}`)},
	{Name: "send", Description: "Sends.", Input: json.RawMessage(`{"type":"object","properties":{"to":{},"body":{},"list":{"type":"array"},"map":{"type":"object"}},"additionalProperties":false}`)},
}

// hidesSecrets hides a member of a result and an argument.
func hidesSecrets(name, pointer string, value json.RawMessage) json.RawMessage {
	if name == "find_customer" && pointer == "/output/secret" || name == "open_vault" && pointer == "/arguments/password" {
		return json.RawMessage(`"hidden"`)
	}
	return value
}

// learningEvent returns an event in which the rule hides a secret.
func learningEvent(secret string) run.CallEnd {
	r := tool.Request{ID: "r/1/1", Name: "find_customer", Arguments: json.RawMessage(`{"id":"C-1"}`)}
	return run.CallEnd{Call: &tool.Call{ID: r.ID, Request: r, Arguments: r.Arguments, Status: tool.StatusCompleted, Output: json.RawMessage(`{"id":"C-1","secret":` + jsontext.Quote(secret) + `}`)}}
}

// matrixShape is a place in which a secret may occur after it was hidden elsewhere.
type matrixShape struct {
	name string
	what any
}

func matrixShapes(f form) []matrixShape {
	value := json.RawMessage(f.literal)
	quoted := jsontext.Quote(f.text)
	send := func(arguments string) tool.Request {
		return tool.Request{ID: "r/2/1", Name: "send", Arguments: json.RawMessage(arguments)}
	}
	plainCall := func() *tool.Call {
		r := send(`{"body":"x"}`)
		return &tool.Call{ID: r.ID, Request: r, Arguments: r.Arguments, Status: tool.StatusCompleted, Output: json.RawMessage(`1`)}
	}
	ended := func(change func(c *tool.Call)) run.CallEnd {
		c := plainCall()
		change(c)
		return run.CallEnd{Call: c, Attempt: 1}
	}
	failed := func(err error) run.CallEnd {
		return ended(func(c *tool.Call) { c.Status, c.Output, c.Err = tool.StatusFailed, nil, err })
	}
	asked := func(q tool.Question) run.RunStopped {
		r := send(`{"body":"x"}`)
		return run.RunStopped{Result: &run.Result{Status: run.Waiting, WaitsFor: run.ForAnswer, Calls: []run.Wait{{Call: r.ID, For: run.ForAnswer, Request: &r, Questions: []tool.Question{q}}}}}
	}
	answered := func(purpose, about string, r llm.Response) run.ModelEnd {
		return run.ModelEnd{ModelStart: run.ModelStart{For: purpose, Tool: about}, Answer: run.Answer{Response: r}}
	}
	attached := func(p content.Part) run.CallEnd {
		return ended(func(c *tool.Call) { c.Content = []content.Part{p} })
	}
	step := plan.Step{ID: "2", Description: "send it", Tool: "send", Arguments: json.RawMessage(`{"body":"x"}`)}
	described, thought, wrong, resolved := step, step, step, step
	described.Description, wrong.Errors, resolved.Arguments = f.text, []string{f.text}, json.RawMessage(`{"to":`+f.literal+`}`)
	thought.Tool, thought.Agent, thought.Description, thought.Arguments = "", plan.AgentLLM, f.text, nil
	planText := func(goal, description, arguments string) llm.Response {
		return llm.Response{Text: `{"goal":` + goal + `,"steps":[{"step_id":"2","description":` + description + `,"tool":"send","arguments":` + arguments + `}]}`}
	}
	edited := tool.Edit{Kind: "type", Pointer: "/body", Before: f.text, After: f.literal}
	action := supervisor.Action{Kind: supervisor.ToolCall, Original: `{"body":` + f.literal + `}`, Repaired: json.RawMessage(`{"to":` + f.literal + `}`), Error: f.text}
	unknown := tool.Request{ID: "r/2/1", Name: "sned", Arguments: json.RawMessage(`{"body":` + f.literal + `}`)}
	return []matrixShape{
		{"argument", run.CallStart{Request: send(`{"body":` + f.literal + `}`)}},
		{"argument in a list", run.CallStart{Request: send(`{"list":[1,[` + f.literal + `]]}`)}},
		{"argument in a map", run.CallStart{Request: send(`{"map":{"a":{"b":` + f.literal + `}}}`)}},
		{"name of a member of an argument", run.CallStart{Request: send(`{"map":{` + quoted + `:1}}`)}},
		{"JSON in an argument", run.CallStart{Request: send(`{"body":` + jsontext.Quote(`{"a":[`+f.literal+`]}`) + `}`)}},
		{"wrong argument", run.CallStart{Request: send(`{"other":` + f.literal + `}`)}},
		{"arguments that are no JSON", run.CallStart{Request: send(`{'body':` + f.literal + `,`)}},
		{"arguments that ran", ended(func(c *tool.Call) { c.Arguments = json.RawMessage(`{"to":` + f.literal + `}`) })},
		{"edited arguments", run.CallStart{Request: tool.Request{ID: "r/2/1", Name: "send", Arguments: json.RawMessage(`{"to":` + f.literal + `}`), Approval: "ada"}, Attempt: 2}},
		{"arguments of an unknown tool", run.CallStart{Request: unknown}},
		{"name of an unknown tool", run.CallStart{Request: tool.Request{ID: "r/2/1", Name: f.text}}},
		{"approval", run.CallStart{Request: tool.Request{ID: "r/2/1", Name: "send", Approval: f.text}}},
		{"meta", run.CallStart{Request: tool.Request{ID: "r/2/1", Name: "send", Meta: map[string]string{"user": f.text}}}},
		{"name in meta", run.CallStart{Request: tool.Request{ID: "r/2/1", Name: "send", Meta: map[string]string{f.text: "x"}}}},
		{"answer to a question", run.CallStart{Request: tool.Request{ID: "r/2/1", Name: "send", Answers: []tool.Answer{{Action: tool.AnswerAccepted, Value: json.RawMessage(`{"a":` + f.literal + `}`)}}}}},
		{"question", asked(tool.AskPerson(f.text, json.RawMessage(`{"type":"object"}`)))},
		{"schema of a question", asked(tool.AskPerson("Which?", json.RawMessage(`{"properties":{"a":{"enum":[`+f.literal+`]}}}`)))},
		{"address of a question", asked(tool.AskVisit("There", f.text))},
		{"result", ended(func(c *tool.Call) { c.Output = value })},
		{"member of a result", ended(func(c *tool.Call) { c.Output = json.RawMessage(`{"body":` + f.literal + `}`) })},
		{"result in lists", ended(func(c *tool.Call) { c.Output = json.RawMessage(`[[1,{"a":[` + f.literal + `]}]]`) })},
		{"name of a member of a result", ended(func(c *tool.Call) { c.Output = json.RawMessage(`{` + quoted + `:[]}`) })},
		{"JSON in a result", ended(func(c *tool.Call) { c.Output = json.RawMessage(jsontext.Quote(`{"x":` + f.literal + `}`)) })},
		{"result of an unknown tool", run.CallEnd{Call: &tool.Call{Request: unknown, Output: value}}},
		{"note", ended(func(c *tool.Call) { c.Note = f.text })},
		{"repair of arguments", ended(func(c *tool.Call) { c.Repairs = []tool.Edit{edited} })},
		{"place of a repair", ended(func(c *tool.Call) { c.Repairs = []tool.Edit{{Kind: "name", Pointer: jsontext.Join("", f.text)}} })},
		{"text attached to a result", attached(content.Text(f.text))},
		{"link attached to a result", attached(content.Link(f.text, f.text))},
		{"data attached to a result", attached(content.Part{Media: "text/plain", Data: []byte(f.text), Name: f.text, Description: f.text})},
		{"type of what is attached", attached(content.Part{Media: f.text})},
		{"reply", ended(func(c *tool.Call) { c.Meta = map[string]json.RawMessage{"a": value} })},
		{"name in a reply", ended(func(c *tool.Call) { c.Meta = map[string]json.RawMessage{f.text: json.RawMessage("1")} })},
		{"error of a tool", failed(&tool.ToolError{Tool: "send", Err: errors.New(f.text)})},
		{"error that quotes", failed(&tool.ToolError{Tool: "send", Err: fmt.Errorf("cannot send %q", f.text)})},
		{"panic", failed(&tool.PanicError{Value: f.text, Stack: []byte(f.text)})},
		{"code of an error", failed(&run.Error{Kind: f.text, Text: "no"})},
		{"wrong argument in an error", failed(&tool.ArgumentError{Tool: "send", Count: 1, Faults: []tool.Fault{{Pointer: "/body", Expected: "x", Found: f.text}}})},
		{"place in an error", failed(&tool.ArgumentError{Tool: "send", Count: 1, Faults: []tool.Fault{{Pointer: jsontext.Join("", f.text), Expected: "x", Found: "y"}}})},
		{"reason of a denial", failed(&run.Error{Kind: "denied", Text: "a person refused send: " + f.text})},
		{"unknown tool in an error", failed(&tool.UnknownToolError{Name: f.text})},
		{"late outcome", run.OutcomeDropped{Call: ended(func(c *tool.Call) { c.Output = value }).Call}},
		{"progress", run.Progress{Call: "r/2/1", Tool: "send", Text: f.text}},
		{"log", run.CallLogged{Call: "r/2/1", Tool: "send", Text: f.text}},
		{"chunk", run.Chunk{For: run.PurposeTurn, Text: f.text, Reasoning: f.text}},
		{"turn", answered(run.PurposeTurn, "", llm.Response{Text: f.text})},
		{"reasoning", answered(run.PurposeTurn, "", llm.Response{Text: "So.", Reasoning: f.text})},
		{"call of a turn", answered(run.PurposeTurn, "", llm.Response{Calls: []tool.Request{send(`{"body":` + f.literal + `}`)}})},
		{"call in a text", answered(run.PurposeTurn, "", llm.Response{Text: `{"name":"send","arguments":{"body":` + f.literal + `}}`})},
		{"text before a call", answered(run.PurposeTurn, "", llm.Response{Text: "I send " + f.text + ".\n" + `{"name":"send","arguments":{"body":"x"}}`})},
		{"text after a call", answered(run.PurposeTurn, "", llm.Response{Text: `{"name":"send","arguments":{"body":"x"}}` + "\nThat was " + f.text})},
		{"reason for the end of an answer", answered(run.PurposeTurn, "", llm.Response{Text: "x", Finish: llm.Finish(f.text), Model: f.text})},
		{"error of a model", run.ModelEnd{Answer: run.Answer{Error: &run.Error{Kind: llm.ServerError, Text: f.text}}}},
		{"arguments that were asked for", answered(run.PurposeArguments, "send", llm.Response{Text: `{"body":` + f.literal + `}`})},
		{"answer to a question of a tool", answered(run.PurposeQuestion, "send", llm.Response{Text: f.text})},
		{"goal of a plan as written", answered(run.PurposePlan, "", planText(quoted, `"d"`, `{}`))},
		{"description as written", answered(run.PurposeReplan, "", planText(`"g"`, quoted, `{}`))},
		{"argument as written", answered(run.PurposePlan, "", planText(`"g"`, `"d"`, `{"body":`+f.literal+`}`))},
		{"plan that is none", answered(run.PurposePlan, "", llm.Response{Text: "First I send " + f.text})},
		{"goal", run.PlanMade{Plan: plan.Plan{Goal: f.text, Steps: []plan.Step{step}}}},
		{"description", run.PlanMade{Plan: plan.Plan{Goal: "g", Steps: []plan.Step{described}}, Replanned: true}},
		{"thought", run.PlanMade{Plan: plan.Plan{Goal: "g", Steps: []plan.Step{thought}}}},
		{"fault of a step", run.PlanMade{Plan: plan.Plan{Goal: "g", Steps: []plan.Step{wrong}}}},
		{"reference that was resolved", run.StepStart{Step: resolved, Mode: run.ModeTool}},
		{"result of a step", run.StepEnd{Step: step, Result: run.StepResult{StepID: "2", Mode: run.ModeTool, Success: true, Result: value}}},
		{"result of a thought", run.StepEnd{Step: thought, Result: run.StepResult{StepID: "2", Mode: run.ModeLLM, Success: true, Result: json.RawMessage(quoted)}}},
		{"error of a step", run.StepEnd{Step: step, Result: run.StepResult{StepID: "2", Mode: run.ModeTool, Error: &run.Error{Kind: "tool_failed", Text: f.text}}}},
		{"repair", run.RepairAttempted{Kind: supervisor.ToolCall, Tool: "send", Actions: []supervisor.Action{action}}},
		{"repair of a plan", run.RepairAttempted{Kind: supervisor.Plan, Actions: []supervisor.Action{{Kind: supervisor.Plan, Original: planText(quoted, `"d"`, `{}`).Text, Error: f.text}}, Error: &run.Error{Kind: "repair_failed", Text: f.text}}},
		{"store that failed", run.StoreFailed{Error: &run.Error{Kind: "store", Text: f.text}}},
		{"message", run.MessageRead{Message: llm.Message{Role: llm.RoleUser, Text: f.text}}},
		{"part of a message", run.MessageRead{Message: llm.Message{Role: llm.RoleUser, Parts: []content.Part{{Text: f.text}, {Media: "text/plain", Data: []byte(f.text), URL: f.text}}}}},
		{"result in a message", run.MessageRead{Message: llm.Message{Role: llm.RoleTool, Result: ended(func(c *tool.Call) { c.Output = value }).Call}}},
		{"answer", run.RunStopped{Result: &run.Result{Status: run.Completed, Answer: json.RawMessage(quoted)}}},
		{"member of an answer", run.RunStopped{Result: &run.Result{Status: run.Completed, Answer: json.RawMessage(`{"a":[` + f.literal + `]}`)}}},
		{"error of a run", run.RunStopped{Result: &run.Result{Status: run.Failed, Error: &run.Error{Kind: "denied", Text: f.text}}}},
		{"call that waits", run.RunStopped{Result: &run.Result{Status: run.Waiting, Calls: []run.Wait{{Call: "r/2/1", For: run.ForApproval, Request: &unknown}}}}},
		{"run that was lost", run.RunDetached{Error: &run.Error{Kind: "taken_over", Text: f.text}}},
	}
}

// sameEvent are shapes that show a secret in one place and hide it in another.
func sameEvent(f form, secret string) []matrixShape {
	password := `{"user":"ada","password":` + jsontext.Quote(secret) + `}`
	quoted := jsontext.Quote(f.text)
	r := tool.Request{ID: "r/2/1", Name: "open_vault", Arguments: json.RawMessage(password)}
	misspelled := tool.Request{ID: "r/2/1", Name: "opne_vault", Arguments: json.RawMessage(password)}
	wrongName := tool.Request{ID: "r/2/1", Name: "open_vault", Arguments: json.RawMessage(strings.Replace(password, "password", "pasword", 1))}
	plans := func(goal, description, name string) llm.Response {
		return llm.Response{Text: `{"goal":` + goal + `,"steps":[{"step_id":"1","description":` + description + `,"tool":"` + name + `","arguments":` + password + `}]}`}
	}
	answered := func(purpose string, r llm.Response) run.ModelEnd {
		return run.ModelEnd{ModelStart: run.ModelStart{For: purpose}, Answer: run.Answer{Response: r}}
	}
	made := func(goal, description string, arguments json.RawMessage) run.PlanMade {
		return run.PlanMade{Plan: plan.Plan{Goal: goal, Steps: []plan.Step{{ID: "1", Description: description}, {ID: "2", Description: "d", Tool: "open_vault", Arguments: arguments}}}}
	}
	return []matrixShape{
		{"goal before a step as written", answered(run.PurposePlan, plans(quoted, `"d"`, "open_vault"))},
		{"description before arguments as written", answered(run.PurposePlan, plans(`"g"`, quoted, "open_vault"))},
		{"goal before a misspelled step", answered(run.PurposePlan, plans(quoted, `"d"`, "opne_vault"))},
		{"goal before a step that is misspelled twice", answered(run.PurposePlan, llm.Response{Text: strings.ReplaceAll(plans(quoted, `"d"`, "opne_vault").Text, "password", "pasword")})},
		{"text beside a call that is misspelled twice", answered(run.PurposeTurn, llm.Response{Text: f.text, Calls: []tool.Request{{Name: "opne_vault", Arguments: wrongName.Arguments}}})},
		{"reasoning beside a plan that is cut off", answered(run.PurposePlan, llm.Response{Reasoning: f.text, Text: strings.TrimSuffix(plans(`"g"`, `"d"`, "open_vault").Text, `}]}`)})},
		{"reasoning beside a text that names an argument", answered(run.PurposeTurn, llm.Response{Reasoning: f.text, Text: "I use\npassword: " + secret + "\nnow."})},
		{"goal before a step", made(f.text, "d", r.Arguments)},
		{"description before a step", made("g", f.text, r.Arguments)},
		{"text beside a call", answered(run.PurposeTurn, llm.Response{Text: f.text, Reasoning: f.text, Calls: []tool.Request{r}})},
		{"text beside a misspelled call", answered(run.PurposeTurn, llm.Response{Text: f.text, Calls: []tool.Request{misspelled}})},
		{"text beside a misspelled argument", answered(run.PurposeTurn, llm.Response{Text: f.text, Calls: []tool.Request{wrongName}})},
		{"reasoning beside a call in a text", answered(run.PurposeTurn, llm.Response{Reasoning: f.text, Text: `<tool_call>{"name":"open_vault","arguments":` + password + `}</tool_call>`})},
		{"calls before one that hides", answered(run.PurposeTurn, llm.Response{Calls: []tool.Request{{Name: "send", Arguments: json.RawMessage(`{"body":` + f.literal + `}`)}, r}})},
		{"meta of a call", run.CallStart{Request: tool.Request{ID: "r/2/1", Name: "open_vault", Arguments: r.Arguments, Approval: f.text, Meta: map[string]string{"a": f.text}}}},
		{"note beside a result", run.CallEnd{Call: &tool.Call{Request: tool.Request{Name: "find_customer", Approval: f.text}, Output: learningEvent(secret).Call.Output, Note: f.text, Content: []content.Part{{Text: f.text}}}}},
		{"answer beside a call that waits", run.RunStopped{Result: &run.Result{Status: run.Waiting, Answer: json.RawMessage(quoted), Calls: []run.Wait{{Call: "r/2/1", For: run.ForApproval, Request: &r}}}}},
		{"message with a call", run.MessageRead{Message: llm.Message{Role: llm.RoleAssistant, Text: f.text, Calls: []tool.Request{r}}}},
		{"original before a repair", run.RepairAttempted{Kind: supervisor.ToolCall, Actions: []supervisor.Action{{Kind: supervisor.JSON, Original: f.text}, {Kind: supervisor.ToolCall, Original: string(requests(r))}}}},
	}
}

// containsSecret reports whether an output contains a secret in a form.
func containsSecret(output string, f form, secret string) bool {
	for _, text := range []string{secret, f.text, f.literal} {
		if strings.Contains(output, text) || strings.Contains(output, strings.Trim(jsontext.Quote(text), `"`)) || strings.Contains(output, strings.Trim(jsontext.Quote(jsontext.Quote(text)), `"\`)) {
			return true
		}
	}
	return false
}

// writtenOutput returns the events that a sink receives, and the log of cycles.
func writtenOutput(t *testing.T, r *redact.Redactor, events ...any) (told, log string) {
	t.Helper()
	var all, lines strings.Builder
	sink := r.Events(func(_ context.Context, e run.Event) { all.WriteString(text(t, e.What) + fmt.Sprintf("%+v", e.What)) })
	cycles := orchestrator.CycleLog(&lines, r, nil)
	for i, what := range append(events, run.RunStopped{Result: &run.Result{}}) {
		e := run.Event{Run: "r", Step: fmt.Sprint(i), Number: i, Tools: matrixTools, What: what}
		sink(t.Context(), e)
		cycles(t.Context(), e)
	}
	return all.String(), lines.String()
}

// TestMatrix shows two secrets in each shape and form, and the others in every second form, after the
// rule has hidden them. It counts the cells with the secret in the events or in the log of cycles.
// Without redaction it is in nearly all.
func TestMatrix(t *testing.T) {
	cells, seen, clear, leaks := 0, 0, 0, 0
	for i, secret := range secrets {
		if testing.Short() && i > 0 {
			break
		}
		for j, f := range forms(secret) {
			if i > 1 && (i+j)%2 > 0 || testing.Short() && j%4 > 0 { // to save time
				continue
			}
			for _, s := range matrixShapes(f) {
				for _, events := range [][]any{{learningEvent(secret), s.what}} {
					told, log := writtenOutput(t, redact.New(hidesSecrets), events...)
					for writer, output := range map[string]string{"events": told, "the log of cycles": log} {
						if cells++; containsSecret(output, f, secret) {
							leaks++
							t.Errorf("%s, %s of %q: %s have %s", s.name, f.name, secret, writer, output)
						}
					}
					if secret != secrets[0] {
						continue
					}
					seen++
					if told, _ := writtenOutput(t, nil, s.what); containsSecret(told, f, secret) {
						clear++
					}
				}
			}
			for _, s := range sameEvent(f, secret) {
				told, log := writtenOutput(t, redact.New(hidesSecrets), s.what)
				for writer, output := range map[string]string{"events": told, "the log of cycles": log} {
					if cells++; containsSecret(output, f, secret) {
						leaks++
						t.Errorf("%s, %s of %q: %s have %s", s.name, f.name, secret, writer, output)
					}
				}
			}
			if t.Failed() && leaks > 40 {
				t.Fatal("there are more")
			}
		}
	}
	t.Logf("%d cells, %d leaks; without redaction %d of %d events show the first secret", cells, leaks, clear, seen)
	if clear < seen*9/10 {
		t.Errorf("only %d of %d events can show a secret", clear, seen)
	}
}

// outcome is what the tools of a registry return.
type outcome struct {
	result json.RawMessage
	err    error
	panics any
}

// matrixRegistry returns a registry whose tools end as o says, and which logs calls.
func matrixRegistry(t *testing.T, log *strings.Builder, r *redact.Redactor, o *outcome, options ...tool.Option) *tool.Registry {
	t.Helper()
	logger := slog.New(slog.NewTextHandler(log, nil))
	middleware := middlewarepkg.LogValues(logger)
	if r != nil {
		middleware = middlewarepkg.LogRedacted(logger, r.Call)
	}
	registry := tool.NewRegistry(append(options, tool.Use(middleware))...)
	for _, d := range matrixTools {
		made, err := schema.Dynamic(d, func(context.Context, json.RawMessage) (json.RawMessage, error) {
			if o.panics != nil {
				panic(o.panics)
			}
			return o.result, o.err
		})
		if err != nil {
			t.Fatal(err)
		}
		registry.Replace(made)
	}
	return registry
}

// codeError is an error of a tool with its own code.
type codeError struct{ code string }

func (e codeError) Error() string { return "no" }
func (e codeError) Code() string  { return e.code }

// TestMatrixOfCalls is TestMatrix for the log of calls. Each secret was hidden in the result of an
// earlier call. The tools are strict or tolerant.
func TestMatrixOfCalls(t *testing.T) {
	type shape struct {
		name, tool, arguments string
		outcome               outcome
	}
	one := json.RawMessage("1")
	cells, clear := 0, 0
	for i, secret := range secrets {
		if testing.Short() && i > 0 {
			break
		}
		for _, f := range forms(secret) {
			quoted := jsontext.Quote(f.text)
			for _, s := range []shape{
				{"argument", "send", `{"body":` + f.literal + `}`, outcome{result: one}},
				{"list", "send", `{"list":[[` + f.literal + `]]}`, outcome{result: one}},
				{"map", "send", `{"map":{"a":` + f.literal + `}}`, outcome{result: one}},
				{"name of a member", "send", `{"map":{` + quoted + `:1}}`, outcome{result: one}},
				{"JSON in an argument", "send", `{"body":` + jsontext.Quote(`{"a":`+f.literal+`}`) + `}`, outcome{result: one}},
				{"repaired argument", "send", `{Body:` + f.literal + `,}`, outcome{result: one}},
				{"text around arguments", "send", "I send " + f.text + "\n```json\n{\"body\":\"x\"}\n```", outcome{result: one}},
				{"wrong type", "send", `{"map":` + f.literal + `}`, outcome{result: one}},
				{"wrong member", "send", `{"other":` + f.literal + `}`, outcome{result: one}},
				{"name of a wrong member", "send", `{` + quoted + `:1}`, outcome{result: one}},
				{"no JSON", "send", f.text, outcome{result: one}},
				{"unknown tool", "sned", `{"body":` + f.literal + `}`, outcome{result: one}},
				{"name of an unknown tool", f.text, `{}`, outcome{result: one}},
				{"result", "send", `{}`, outcome{result: json.RawMessage(f.literal)}},
				{"result in lists", "send", `{}`, outcome{result: json.RawMessage(`[{"a":[` + f.literal + `]}]`)}},
				{"name in a result", "send", `{}`, outcome{result: json.RawMessage(`{` + quoted + `:1}`)}},
				{"JSON in a result", "send", `{}`, outcome{result: json.RawMessage(jsontext.Quote(`[` + f.literal + `]`))}},
				{"error", "send", `{}`, outcome{err: errors.New(f.text)}},
				{"error that quotes", "send", `{}`, outcome{err: fmt.Errorf("send to %q", f.text)}},
				{"code", "send", `{}`, outcome{err: codeError{f.text}}},
				{"panic", "send", `{}`, outcome{panics: f.text}},
			} {
				for _, mode := range []string{"strict", "tolerant"} {
					var log, plain strings.Builder
					var options []tool.Option
					if mode == "tolerant" {
						options = append(options, tool.Tolerant(repair.Arguments))
					}
					var o outcome
					for _, r := range []*tool.Registry{matrixRegistry(t, &log, redact.New(hidesSecrets), &o, options...), matrixRegistry(t, &plain, nil, &o, options...)} {
						o = outcome{result: learningEvent(secret).Call.Output}
						r.Call(t.Context(), tool.Request{ID: "r/1/1", Name: "find_customer", Arguments: json.RawMessage(`{"id":"C-1"}`)})
						if plain.Len() > 0 {
							plain.Reset()
						}
						o = s.outcome
						r.Call(t.Context(), tool.Request{ID: "r/2/1", Name: s.tool, Arguments: json.RawMessage(s.arguments)})
					}
					if cells++; containsSecret(log.String(), f, secret) {
						t.Errorf("%s, %s of %q, %s: %s", s.name, f.name, secret, mode, log.String())
					}
					if containsSecret(plain.String(), f, secret) {
						clear++
					}
				}
			}
		}
	}
	t.Logf("%d cells; without redaction %d show the secret", cells, clear)
	if clear < cells*85/100 {
		t.Errorf("only %d of %d cells can show a secret", clear, cells)
	}
}
