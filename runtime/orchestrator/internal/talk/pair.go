package talk

import (
	"slices"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// paired returns messages without calls that have no results and results that have no
// calls, which endpoints refuse.
func paired(messages []llm.Message) (kept []llm.Message) {
	for len(messages) > 0 {
		m := messages[0]
		results := resultsOf(messages)
		messages = messages[1+len(results):]
		if m.Role == llm.RoleTool {
			continue
		}
		if answered := answeredOf(m.Calls, results); len(answered) < len(m.Calls) {
			m.Calls, m.Provider = answered, nil
			if len(m.Calls) == 0 && m.Text == "" {
				continue
			}
		}
		kept = append(kept, m)
		for _, call := range m.Calls {
			kept = append(kept, resultOf(call, results))
		}
	}
	return kept
}

// openCalls returns messages as paired does, and the calls that they end with and that
// have no results; then calls and results are the last of the messages.
func openCalls(messages []llm.Message) (there []llm.Message, open []tool.Request) {
	last := len(messages) - 1
	for last >= 0 && messages[last].Role == llm.RoleTool {
		last--
	}
	if last < 0 || len(messages[last].Calls) == 0 {
		return paired(messages), nil
	}
	m, results := messages[last], resultsOf(messages[last:])
	answered := answeredOf(m.Calls, results)
	there = append(paired(messages[:last]), m)
	for _, call := range m.Calls {
		if slices.ContainsFunc(answered, func(r tool.Request) bool { return r.ID == call.ID }) {
			there = append(there, resultOf(call, results))
		} else {
			open = append(open, call)
		}
	}
	return there, open
}

// resultsOf returns the results behind the first message.
func resultsOf(messages []llm.Message) []llm.Message {
	end := 1
	for end < len(messages) && messages[end].Role == llm.RoleTool {
		end++
	}
	return messages[1:end]
}

// answeredOf returns the calls that have a result.
func answeredOf(calls []tool.Request, results []llm.Message) []tool.Request {
	return slices.DeleteFunc(slices.Clone(calls), func(r tool.Request) bool { return resultOf(r, results).Result == nil })
}

// resultOf returns the result of a call; a message without one if there is none.
func resultOf(call tool.Request, results []llm.Message) llm.Message {
	i := slices.IndexFunc(results, func(m llm.Message) bool { return m.Result != nil && m.Result.ID == call.ID })
	if i < 0 {
		return llm.Message{}
	}
	return results[i]
}
