package ask

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

// Validate returns what is wrong with the question; nil if it can be asked.
func (q Question) Validate() error {
	if size := len(q.From) + len(q.Text) + len(q.Schema) + len(q.URL); size > longestText {
		return fmt.Errorf("it is %d bytes long, and may be %d", size, longestText)
	}
	if q.Text == "" && q.Kind != KindRoots {
		return errors.New("it has no text")
	}
	if len(q.Name) > longestName || strings.ContainsFunc(q.Name, notInName) {
		return fmt.Errorf("%s is no name: write up to %d letters, digits, - and _", jsontext.Quote(words.Cut(q.Name, longest)), longestName)
	}
	switch q.Kind {
	case KindPerson:
		_, err := q.Fields()
		return err
	case KindVisit:
		if u, err := url.Parse(q.URL); err != nil || !u.IsAbs() || u.Host == "" {
			return fmt.Errorf("%s is no absolute URL", jsontext.Quote(words.Cut(q.URL, longest)))
		}
	case KindModel:
		if q.MaxTokens < 1 {
			return fmt.Errorf("the answer may have %d tokens: let it have at least one", q.MaxTokens)
		}
	case KindRoots:
	default:
		return fmt.Errorf("there is no kind of question %s: one is made by Person, Visit, Model or Roots", jsontext.Quote(words.Cut(string(q.Kind), longest)))
	}
	return nil
}

// Field is a member of the object that a person is asked for.
type Field struct {
	Name        string          // in the object
	Title       string          // for people, if it has one
	Description string          // for people, if it has one
	Type        string          // string, number, integer or boolean; array of several choices
	Format      string          // of a string: email, uri, date, date-time
	Choices     []Choice        // one of these, or some of an array; none if all is allowed
	Default     json.RawMessage // nil if there is none
	Required    bool
}

// Choice is one of some values.
type Choice struct {
	Value string
	Title string // for people, if it has one
}

// Fields returns what a person is asked for, in the order of the schema; none if the
// answer is yes or no. An error says where the schema is not that of a flat object.
func (q Question) Fields() ([]Field, error) {
	if len(q.Schema) == 0 {
		return nil, nil
	}
	s, err := jsonschema.Parse(q.Schema)
	if err != nil {
		return nil, fmt.Errorf("its schema cannot be used: %w", err)
	}
	if textOf(s.Node, "type") != "object" {
		return nil, errors.New(`its schema must be of an object: {"type":"object","properties":{…}}`)
	}
	if len(s.Properties) > mostFields {
		return nil, fmt.Errorf("its schema has %d properties, and may have %d", len(s.Properties), mostFields)
	}
	required := map[string]bool{}
	for _, name := range s.Required {
		required[name] = true
	}
	var fields []Field
	for _, p := range s.Properties {
		f, err := field(p.Schema.Node)
		if err != nil {
			return nil, fmt.Errorf("its schema: %s: %w", jsontext.Join("/properties", p.Name), err)
		}
		f.Name, f.Required = p.Name, required[p.Name]
		delete(required, p.Name)
		fields = append(fields, f)
	}
	for name := range required {
		if len(required) == 1 {
			return nil, fmt.Errorf("its schema requires %s, which is no property", jsontext.Quote(name))
		}
		return nil, fmt.Errorf("its schema requires %d names that are no properties", len(required))
	}
	return fields, nil
}

// field reads the schema of a property.
func field(n *jsontext.Node) (f Field, err error) {
	f = Field{Title: textOf(n, "title"), Description: textOf(n, "description"), Type: textOf(n, "type"), Format: textOf(n, "format")}
	if d := n.Member("default"); d != nil {
		f.Default = json.RawMessage(d.String())
	}
	switch f.Type {
	case "string":
		f.Choices = choices(n)
	case "number", "integer", "boolean":
	case "array":
		if f.Choices = choices(n.Member("items")); f.Choices == nil {
			return f, errors.New(`a list must be of choices: {"type":"array","items":{"type":"string","enum":["a","b"]}}`)
		}
	default:
		return f, errors.New(`a person can be asked for a string, a number, an integer, a boolean or a list of choices: say so by "type"`)
	}
	return f, nil
}

// choices returns what a schema of strings allows, if it lists that.
func choices(n *jsontext.Node) (all []Choice) {
	if n == nil {
		return nil
	}
	if values := n.Member("enum"); values != nil {
		titles := n.Member("enumNames")
		for i, v := range values.Items {
			c := Choice{Value: v.Str()}
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
				all = append(all, Choice{Value: textOf(c, "const"), Title: textOf(c, "title")})
			}
		}
	}
	return all
}

// textOf returns the text that a member of a schema says, "" if there is none.
func textOf(n *jsontext.Node, name string) string {
	if m := n.Member(name); m != nil && m.Is(jsontext.String) {
		return m.Str()
	}
	return ""
}
