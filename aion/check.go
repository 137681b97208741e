package aion

import "github.com/aiongen/aiongen/aion/diag"

// Check checks documents that are compiled together: the names of tools must be unique,
// and each prompt may be given only once. A clash is reported at the later place and
// refers to the first.
func Check(docs ...*Document) diag.List {
	var list diag.Collector
	tools := map[string]diag.Span{}
	prompts := map[string]diag.Span{}
	for _, doc := range docs {
		if doc == nil {
			continue
		}
		for _, e := range doc.Elements {
			if e != nil {
				checkTool(&list, tools, e)
			}
		}
		if doc.SystemPrompt != nil {
			checkPrompt(&list, prompts, "system_prompt", doc.SystemPrompt.Key)
		}
		if doc.WrappedQuery != nil {
			checkPrompt(&list, prompts, "wrapped_query", doc.WrappedQuery.Key)
		}
		if doc.Rules != nil {
			checkPrompt(&list, prompts, "rules", doc.Rules.Key)
		}
	}
	all := list.Finish()
	setCauses(all)
	return all
}

func checkTool(list *diag.Collector, seen map[string]diag.Span, e *Element) {
	name := e.Name.Value
	if name == "" {
		return
	}
	if first, clash := seen[name]; clash {
		list.Errorf("repeated-tool", e.Name.Span, "the name %q is already used by another tool", name).
			WithRelated(first, "%q is first defined here", name).
			WithHelp("give one of them another name: models call tools by name")
		return
	}
	seen[name] = e.Name.Span
}

func checkPrompt(list *diag.Collector, seen map[string]diag.Span, name string, at diag.Span) {
	if first, clash := seen[name]; clash {
		list.Errorf("repeated-prompt", at, "%q is given twice", name).
			WithRelated(first, "%q is first given here", name).
			WithHelp("a package has one %s: merge the two, or delete one", name)
		return
	}
	seen[name] = at
}
