package endpoint

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
)

// A PartEncoder converts parts of messages to P, the type of parts in a protocol.
type PartEncoder[P any] struct {
	Text  func(text string) P             // converts a text, or a link without a media type
	Media func(p content.Part) (P, error) // converts any other part
}

// Message converts the text and the parts of a message. It omits an empty text. It returns an error for a
// message with parts that is not from the user.
func (e PartEncoder[P]) Message(m llm.Message) (all []P, err error) {
	if m.Parts != nil && m.Role != llm.RoleUser {
		return nil, fmt.Errorf("a message with the role %q has parts: only a message of the user can have parts", m.Role)
	}
	if m.Text != "" {
		all = append(all, e.Text(m.Text))
	}
	for i, p := range m.Parts {
		encoded, err := e.part(p)
		if err != nil {
			return nil, fmt.Errorf("part %d of a message: %w", i+1, err)
		}
		all = append(all, encoded)
	}
	return all, nil
}

func (e PartEncoder[P]) part(p content.Part) (none P, err error) {
	if err := p.Check(); err != nil {
		return none, err
	}
	if isText(p) {
		return e.Text(p.String()), nil
	}
	return e.Media(p)
}

func isText(p content.Part) bool { return p.Kind() == content.KindText || p.Media == "" }

// Result converts the result of a call: it returns the text, and the media that the tool attached. The
// text describes media for which Media returns an error. It is "null" if it would be empty.
func (e PartEncoder[P]) Result(m llm.Message) (text string, media []P) {
	if m.Result != nil && m.Result.Err == nil {
		described := *m.Result
		described.Content = nil
		for _, p := range m.Result.Content {
			encoded, err := e.part(p)
			if err == nil && !isText(p) {
				media = append(media, encoded)
			} else {
				described.Content = append(described.Content, p)
			}
		}
		m.Result = &described
	}
	if text = m.Content(); text == "" {
		text = "null"
	}
	return text, media
}
