package shape

import (
	"cmp"
	"fmt"
	"go/types"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/values"
	"github.com/aiongen/aiongen/internal/words"
)

// EnumValues are literals as values of a type, and what is wrong with others. An
// open enum may have values beside the constants of the type.
func (s *Shapes) EnumValues(t *model.Type, literals []values.Literal, open bool) (consts []model.Const, problems []string) {
	if t.Kind != model.String && t.Kind != model.Int && t.Kind != model.Uint {
		return nil, []string{fmt.Sprintf("an enum does not fit the Go type %s: strings and integers can have one", t.Go)}
	}
	bounds := LimitsOf(t)
	bounds.Enum = nil // a note may allow other values than a tag
	e, closed := s.enums[enumKey(t.Go)]
	closed = closed && !open
	constants, known, given := byValue(e.values), byValue(t.Enum, t.Known), map[string]bool{}
	for _, l := range literals {
		value, problem := Literal(l, t)
		if problem != "" {
			problems = append(problems, fmt.Sprintf("the enum value %v %s: it is %s in Go", l, problem, t.Go))
			continue
		}
		if problem := bounds.Refuse(WordKind(t), ConstLiteral(value)); problem != "" {
			problems = append(problems, fmt.Sprintf("the enum value %v %s", l, problem))
			continue
		}
		if _, ok := constants[value]; closed && !ok {
			problems = append(problems, fmt.Sprintf("the enum value %v is none of the constants of %s: %s", l, t.Go, s.listConstants(e)))
			continue
		}
		if given[value] {
			continue
		}
		given[value] = true
		c, ok := known[value] // with a name and a comment
		if !ok {
			c = model.Const{Value: value}
		}
		consts = append(consts, c)
	}
	return consts, problems
}

// byValue returns constants by value, the first of several with the same.
func byValue(lists ...[]model.Const) map[string]model.Const {
	all := map[string]model.Const{}
	for _, list := range lists {
		for _, c := range list {
			if _, ok := all[c.Value]; !ok {
				all[c.Value] = c
			}
		}
	}
	return all
}

// An enum is what the constants of a type are that has no other values.
type enum struct {
	pkg    *types.Package
	values []model.Const
}

func enumKey(t model.GoType) string { return t.Path + " " + t.String() }

// listConstants shows the values of an enum, at most eight, and, of a type of the
// package, where the first is declared.
func (s *Shapes) listConstants(e enum) string {
	var list []string
	for _, c := range e.values {
		list = append(list, ConstLiteral(c.Value).String())
	}
	return words.Join(list, ", ", 8) + s.write.Package.Beside(e.pkg.Scope().Lookup(e.values[0].Name))
}

// LimitsOf are what a type allows. A pointer's are those of what it points to.
func LimitsOf(t *model.Type) values.Limits {
	for t.Kind == model.Pointer {
		t = t.Elem
	}
	limits := values.Limits{Min: t.Min, Max: t.Max, Above: t.Above, Below: t.Below}
	for _, c := range t.Enum {
		limits.Enum = append(limits.Enum, ConstLiteral(c.Value))
	}
	return limits
}

// ConstLiteral is a JSON value as a note would write it.
func ConstLiteral(value string) values.Literal {
	if strings.HasPrefix(value, `"`) {
		return values.Literal{Text: jsontext.Unquote(value), Quoted: true}
	}
	return tagLiteral(value)
}

// WordKind is the kind of the type word for a type.
func WordKind(t *model.Type) values.Kind { return values.WordOf(simpleWord(t)).Kind }

// BoundOf is a literal as a bound of a type: of a number itself, or of a length.
func BoundOf(t *model.Type, name string, l values.Literal) (value, problem string) {
	number := t
	switch t.Kind {
	case model.String, model.Slice:
		number = &model.Type{Kind: model.Uint, Bits: 31}
	case model.Uint:
		number = &model.Type{Kind: model.Uint, Bits: min(bitSize(t), 63)} // generated code compares as int64
	case model.Int, model.Float:
	default:
		return "", fmt.Sprintf("%s does not fit the Go type %s: numbers have bounds, and the length of strings and of lists other than bytes", name, t.Go)
	}
	if value, problem = Literal(l, number); problem == "" {
		return value, ""
	}
	if _, mismatch := Literal(l, t); t.Kind == model.Uint && mismatch == "" {
		return "", fmt.Sprintf("the bound %v is more than %d, the largest that a bound can be", l, int64(math.MaxInt64))
	}
	return "", fmt.Sprintf("the bound %v %s: it is %s in Go", l, problem, t.Go)
}

// DefaultOf is a literal as the default of a type, which is one of its values.
func DefaultOf(t *model.Type, l values.Literal) (value, problem string) {
	if t.Kind == model.Pointer {
		return "", fmt.Sprintf("a default does not fit the Go type %s, whose default is nil: take %s in Go, or leave out the default", t.Go, t.Elem.Go)
	}
	if value, problem = Literal(l, t); problem != "" {
		return "", fmt.Sprintf("the default %v %s: it is %s in Go", l, problem, t.Go)
	}
	if problem = cmp.Or(LimitsOf(t).Refuse(WordKind(t), ConstLiteral(value)), offPattern(t, value)); problem != "" {
		return "", fmt.Sprintf("the default %v %s", l, problem)
	}
	return value, ""
}

// offPattern says so where a value is none that the tags of its field allow.
func offPattern(t *model.Type, value string) string {
	switch {
	case t.MultipleOf != "" && !jsontext.ParseDecimal(value).IsMultiple(jsontext.ParseDecimal(t.MultipleOf)):
		return "is no multiple of " + t.MultipleOf
	case t.Kind == model.String && t.Pattern != "" && !regexp.MustCompile(t.Pattern).MatchString(jsontext.Unquote(value)):
		return "does not match the pattern " + t.Pattern
	}
	return ""
}

// Literal is a literal as a JSON value of a Go type, or the problem with it.
func Literal(l values.Literal, t *model.Type) (value, problem string) {
	switch t.Kind {
	case model.String:
		return jsontext.Quote(l.Text), ""
	case model.Bool:
		if values.FormOf(l) == values.BoolForm {
			return map[bool]string{true: "true", false: "false"}[l.Text[0] == 't' || l.Text[0] == 'T'], ""
		}
		return "", "is neither true nor false"
	case model.Int:
		n, err := strconv.ParseInt(l.Text, 10, bitSize(t))
		if values.FormOf(l) != values.NumberForm || err != nil {
			return "", "is no integer in the range of the type"
		}
		return strconv.FormatInt(n, 10), ""
	case model.Uint:
		n, err := strconv.ParseUint(l.Text, 10, bitSize(t))
		if values.FormOf(l) != values.NumberForm || err != nil {
			return "", "is no integer in the range of the type"
		}
		return strconv.FormatUint(n, 10), ""
	case model.Float:
		if _, err := strconv.ParseFloat(l.Text, bitSize(t)); values.FormOf(l) != values.NumberForm || err != nil {
			return "", "is no number in the range of the type"
		}
		return l.Text, ""
	case model.Slice:
		if values.FormOf(l) == values.ListForm {
			return "[]", ""
		}
		return "", "is not [], the only default of a list"
	}
	return "", "cannot be written here"
}

func bitSize(t *model.Type) int {
	if t.Bits == 0 {
		return 64
	}
	return t.Bits
}

// tagLiteral is a value as a tag writes it: text has no quotes, also where a note
// would need them.
func tagLiteral(value string) values.Literal {
	l := values.Literal{Text: value}
	switch values.FormOf(l) {
	case values.BoolForm:
		l.Quoted = value != "true" && value != "false"
	case values.NoneForm:
		l.Quoted = true
	}
	return l
}
