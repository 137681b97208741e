package conversation

import (
	"slices"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// pairCalls removes calls without results and results without calls, which endpoints reject.
func pairCalls(messages []llm.Message) (paired []llm.Message) {
	for len(messages) > 0 {
		m := messages[0]
		results := leadingResults(messages)
		messages = messages[1+len(results):]
		if m.Role == llm.RoleTool {
			continue
		}
		if answered := answeredCalls(m.Calls, results); len(answered) < len(m.Calls) {
			m.Calls, m.Provider = answered, nil
			if len(m.Calls) == 0 && m.Text == "" {
				continue
			}
		}
		paired = append(paired, m)
		for _, call := range m.Calls {
			paired = append(paired, findResult(call, results))
		}
	}
	return paired
}

// splitOpenCalls does the same as pairCalls, but keeps the calls without results if only results
// follow their message, and also returns them.
func splitOpenCalls(messages []llm.Message) (paired []llm.Message, open []tool.Request) {
	last := len(messages) - 1
	for last >= 0 && messages[last].Role == llm.RoleTool {
		last--
	}
	if last < 0 || len(messages[last].Calls) == 0 {
		return pairCalls(messages), nil
	}
	m, results := messages[last], leadingResults(messages[last:])
	paired = append(pairCalls(messages[:last]), m)
	for _, call := range m.Calls {
		if result := findResult(call, results); result.Result != nil {
			paired = append(paired, result)
		} else {
			open = append(open, call)
		}
	}
	return paired, open
}

// leadingResults returns the results that directly follow the first message.
func leadingResults(messages []llm.Message) []llm.Message {
	end := 1
	for end < len(messages) && messages[end].Role == llm.RoleTool {
		end++
	}
	return messages[1:end]
}

// answeredCalls returns the calls that have a result.
func answeredCalls(calls []tool.Request, results []llm.Message) []tool.Request {
	return slices.DeleteFunc(slices.Clone(calls), func(r tool.Request) bool { return findResult(r, results).Result == nil })
}

// findResult returns the result of a call, or a zero message.
func findResult(call tool.Request, results []llm.Message) llm.Message {
	i := slices.IndexFunc(results, func(m llm.Message) bool { return m.Result != nil && m.Result.ID == call.ID })
	if i < 0 {
		return llm.Message{}
	}
	return results[i]
}
