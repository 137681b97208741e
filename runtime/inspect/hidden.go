package inspect

import (
	"encoding/json"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
)

// restoreHidden returns the arguments that a person has edited on the page, with the hidden values restored. A
// value that the person left as the page showed it becomes the original value; otherwise, the function would
// receive the placeholder. Arguments that are not JSON are returned unchanged: the check of the call rejects them.
func restoreHidden(edited, shown, original json.RawMessage) json.RawMessage {
	if jsontext.EqualTexts(edited, shown, jsontext.Depth) {
		return original // which need not be JSON
	}
	var trees [3]*jsontext.Node
	for i, text := range []json.RawMessage{edited, shown, original} {
		var err error
		if trees[i], err = jsontext.Parse(string(text), jsontext.Depth); err != nil {
			return edited
		}
	}
	return restoreNode(trees[0], trees[1], trees[2]).Append(nil)
}

// restoreNode returns edited with its hidden values restored. shown and original are the values at the same place
// in the arguments that the page showed, and in the original arguments.
func restoreNode(edited, shown, original *jsontext.Node) *jsontext.Node {
	switch {
	case shown == nil || original == nil:
		return edited
	case jsontext.Equal(edited, shown):
		restored := *original
		restored.Key = edited.Key
		return &restored
	case edited.Kind != shown.Kind || edited.Kind != original.Kind:
		return edited
	}
	restored := *edited
	restored.Items = nil
	for i, item := range edited.Items {
		if edited.Is(jsontext.Object) {
			item = restoreNode(item, shown.Member(item.Name()), original.Member(item.Name()))
		} else if i < len(shown.Items) && i < len(original.Items) {
			item = restoreNode(item, shown.Items[i], original.Items[i])
		}
		restored.Add(item)
	}
	return &restored
}

// redactText returns a message about a run without the values that must be hidden. It redacts the message like the
// text of an event.
func (h *Handler) redactText(id, text string) string {
	shown, _ := h.config.Redact.Event(run.Event{Run: id, What: run.MessageRead{Message: llm.Message{Text: text}}}).What.(run.MessageRead)
	return shown.Message.Text
}
