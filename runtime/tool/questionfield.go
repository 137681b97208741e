package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// Validate returns an error if the question cannot be asked.
func (q Question) Validate() error {
	if size := len(q.From) + len(q.Text) + len(q.Schema) + len(q.URL); size > longestQuestionText {
		return fmt.Errorf("it is %d bytes long, the limit is %d", size, longestQuestionText)
	}
	if q.Text == "" && q.Kind != QuestionRoots {
		return errors.New("it has no text")
	}
	if len(q.Name) > longestQuestionName || strings.ContainsFunc(q.Name, func(c rune) bool { return !words.IsToolNameChar(c) }) {
		return fmt.Errorf("invalid name %s: use up to %d letters, digits, - and _", jsontext.Quote(words.Cut(q.Name, longestQuoted)), longestQuestionName)
	}
	switch q.Kind {
	case QuestionPerson:
		_, err := q.Fields()
		return err
	case QuestionVisit:
		if u, err := url.Parse(q.URL); err != nil || !u.IsAbs() || u.Host == "" {
			return fmt.Errorf("%s is not an absolute URL", jsontext.Quote(words.Cut(q.URL, longestQuoted)))
		}
	case QuestionModel:
		if q.MaxTokens < 1 {
			return fmt.Errorf("the limit of the answer is %d tokens, want at least 1", q.MaxTokens)
		}
	case QuestionRoots:
	default:
		return fmt.Errorf("unknown kind of question %s: use AskPerson, AskVisit, AskModel or AskRoots", jsontext.Quote(words.Cut(string(q.Kind), longestQuoted)))
	}
	return nil
}

// QuestionField is a field that a person fills in: a member of the object that is the answer.
type QuestionField struct {
	Name        string           // name of the member
	Title       string           // for people; may be empty
	Description string           // for people; may be empty
	Type        string           // string, number, integer, boolean, or array for several choices
	Format      string           // of a string: email, uri, date or date-time; may be empty
	Choices     []QuestionChoice // allowed values, or allowed elements of an array; empty if all are allowed
	Default     json.RawMessage  // nil if there is none
	Required    bool
}

// QuestionChoice is an allowed value of a field.
type QuestionChoice struct {
	Value string
	Title string // for people; may be empty
}

// Fields returns the fields that a person fills in, in the order of the schema. It returns none if the answer is
// yes or no. It returns an error if the schema does not describe a flat object.
func (q Question) Fields() ([]QuestionField, error) {
	if len(q.Schema) == 0 {
		return nil, nil
	}
	s, err := jsonschema.Parse(q.Schema)
	if err != nil {
		return nil, fmt.Errorf("its schema cannot be used: %w", err)
	}
	if s.Node.Member("type").Str() != "object" {
		return nil, errors.New(`its schema must describe an object: {"type":"object","properties":{…}}`)
	}
	if len(s.Properties) > maxQuestionFields {
		return nil, fmt.Errorf("its schema has %d properties, the limit is %d", len(s.Properties), maxQuestionFields)
	}
	required := map[string]bool{}
	for _, name := range s.Required {
		required[name] = true
	}
	var fields []QuestionField
	for _, p := range s.Properties {
		f, err := parseField(p.Schema.Node)
		if err != nil {
			return nil, fmt.Errorf("its schema: %s: %w", jsontext.Join("/properties", p.Name), err)
		}
		f.Name, f.Required = p.Name, required[p.Name]
		delete(required, p.Name)
		fields = append(fields, f)
	}
	for name := range required {
		if len(required) == 1 {
			return nil, fmt.Errorf("its schema requires %s, which is not a property", jsontext.Quote(name))
		}
		return nil, fmt.Errorf("its schema requires %d names that are not properties", len(required))
	}
	return fields, nil
}

// parseField reads the schema of a property.
func parseField(n *jsontext.Node) (f QuestionField, err error) {
	f = QuestionField{Title: n.Member("title").Str(), Description: n.Member("description").Str(), Type: n.Member("type").Str(), Format: n.Member("format").Str()}
	if d := n.Member("default"); d != nil {
		f.Default = json.RawMessage(d.String())
	}
	switch f.Type {
	case "string":
		f.Choices = parseChoices(n)
	case "number", "integer", "boolean":
	case "array":
		if f.Choices = parseChoices(n.Member("items")); f.Choices == nil {
			return f, errors.New(`a list must have choices: {"type":"array","items":{"type":"string","enum":["a","b"]}}`)
		}
	default:
		return f, errors.New(`a person can be asked for a string, a number, an integer, a boolean or a list of choices: set "type"`)
	}
	return f, nil
}

// parseChoices returns the values that a schema of strings lists, or nil if it lists none.
func parseChoices(n *jsontext.Node) (all []QuestionChoice) {
	if values := n.Member("enum"); values != nil {
		titles := n.Member("enumNames")
		for i, v := range values.Items {
			c := QuestionChoice{Value: v.Str()}
			if titles != nil && i < len(titles.Items) {
				c.Title = titles.Items[i].Str()
			}
			all = append(all, c)
		}
		return all
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if list := n.Member(keyword); list != nil {
			for _, c := range list.Items {
				all = append(all, QuestionChoice{Value: c.Member("const").Str(), Title: c.Member("title").Str()})
			}
		}
	}
	return all
}
