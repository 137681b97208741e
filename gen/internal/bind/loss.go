package bind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/internal/words"
)

// losses are the parts of the arguments or of the result of a tool that JSON cannot carry.
type losses struct {
	content []model.Unseen // the tool may not be able to do its work without them
	options []model.Unseen // variadic parameters for functional options
	others  []model.Unseen

	one, many, loses string // texts of notes about one tool, of notes about many, and of warnings
}

// argumentLosses returns what the arguments of a tool leave out.
func argumentLosses(args *model.Type, params []model.Unseen) losses {
	l := losses{one: "the arguments leave out fields that JSON cannot carry", many: "tools leave out fields of arguments that JSON cannot carry,", loses: "the arguments lose"}
	l.addUnseen(append(shape.ListUnseen(args), params...))
	return l
}

// resultLosses returns what the result of a tool leaves out.
func resultLosses(result *model.Type) losses {
	l := losses{one: "the result leaves out fields that JSON cannot carry", many: "tools leave out fields of results that JSON cannot carry,", loses: "the result loses"}
	l.addUnseen(shape.ListUnseen(result))
	return l
}

// LostArguments returns the arguments that JSON cannot carry and that the function of a tool may
// need. It lists each path to them.
func LostArguments(t *model.Tool) []model.Unseen {
	var l losses
	l.addUnseen(append(shape.ListContent(t.Args), t.LeftOut...))
	return l.content
}

// LostResults returns the parts of the result that JSON cannot carry and that a model may need.
func LostResults(t *model.Tool) []model.Unseen { return shape.ListContent(t.DescribedResult()) }

func (l *losses) addUnseen(unseen []model.Unseen) {
	for _, u := range unseen {
		switch {
		case u.Content:
			l.content = append(l.content, u)
		case u.Param:
			l.options = append(l.options, u)
		default:
			l.others = append(l.others, u)
		}
	}
}

// reportLosses adds a warning about lost content, and Notes about other losses. The function omit returns the
// notes with which the user confirms that a loss is intended.
func (el *element) reportLosses(l losses, omit func(*element, []model.Unseen) omission) {
	if el.faults.Err() != nil {
		return // the proposed notes would depend on notes with errors
	}
	if len(l.content) > 0 {
		o := omit(el, l.content)
		el.faults.Warnf("lost-value", el.functionSpan(), "%s: %s what JSON cannot carry: %s", el.tool.Name, l.loses, joinUnseen(l.content)).
			WithHelp("if the tool needs this, write a Go function that takes and returns values that JSON can carry, and name it here").
			WithHelp("otherwise write %s", o.text).
			WithGuess(o.edits...)
	}
	if len(l.others) > 0 {
		el.addNote("left-out", diag.Group{One: l.one, Items: listUnseen(l.others), Many: l.many}, "%s: %s", l.one, joinUnseen(l.others)).
			WithHelp("if this is intended, write %s", omit(el, l.others).text).
			WithHelp("to pass a field by reference, write ref= instead of omit=")
	}
	if len(l.options) > 0 {
		var types []string
		for _, u := range l.options {
			types = append(types, "("+u.Type+")")
		}
		el.addNote("left-out", diag.Group{Items: types, Many: "tools leave out options", Joined: true}, "the arguments leave out options: %s", joinUnseen(l.options)).
			WithHelp("if this is intended, write %s", omit(el, l.options).text)
	}
}

// addNote adds a diagnostic of severity Note about a tool, which also becomes a comment in the
// generated code.
func (el *element) addNote(code diag.Code, g diag.Group, format string, args ...any) *diag.Diagnostic {
	g.Subject = el.tool.Name
	d := el.faults.Notef(code, el.functionSpan(), "%s: %s", el.tool.Name, fmt.Sprintf(format, args...)).WithGroup(g)
	el.tool.Notes = append(el.tool.Notes, d.Message)
	return d
}

func joinUnseen(unseen []model.Unseen) string {
	var list []string
	for _, u := range unseen {
		list = append(list, fmt.Sprintf("%s (%s)", u.Name, u.Type))
	}
	return words.Join(list, ", ", maxListed)
}

// listUnseen lists fields without the paths to them, for notes about several tools.
func listUnseen(unseen []model.Unseen) (list []string) {
	for _, u := range unseen {
		item := fmt.Sprintf("%s (%s)", u.Name[strings.LastIndexByte(u.Name, '.')+1:], u.Type)
		if !slices.Contains(list, item) {
			list = append(list, item)
		}
	}
	return list
}
