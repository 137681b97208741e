package shape

import (
	"cmp"
	"fmt"
	"go/types"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/values"
	"github.com/aiongen/aiongen/internal/words"
)

// EnumValues converts literals to values of a type and returns the problems of invalid ones.
// An open enum may have values that are not constants of the type.
func (s *Shapes) EnumValues(t *model.Type, literals []values.Literal, open bool) (consts []model.Const, problems []string) {
	if t.Kind != model.String && t.Kind != model.Int && t.Kind != model.Uint {
		return nil, []string{fmt.Sprintf("an enum does not apply to the Go type %s: only strings and integers can have one", t.Go)}
	}
	bounds := LimitsOf(t)
	bounds.Enum = nil // a note may allow other values than a tag
	e, closed := s.enums[enumKey(t.Go)]
	if t.Form == model.ProtoJSON { // its values are names in JSON, but numbers in Go
		e, closed = constantSet{values: slices.Concat(t.Enum, t.Known)}, len(t.Enum)+len(t.Known) > 0
	}
	closed = closed && !open
	constants, declared, seen := indexByValue(e.values), indexByValue(t.Enum, t.Known), map[string]bool{}
	for _, l := range literals {
		value, problem := readLiteral(l, t)
		if problem != "" {
			problems = append(problems, fmt.Sprintf("the enum value %v %s: it is %s in Go", l, problem, t.Go))
			continue
		}
		if problem := bounds.CheckValue(wordKind(t), constLiteral(value)); problem != "" {
			problems = append(problems, fmt.Sprintf("the enum value %v %s", l, problem))
			continue
		}
		if _, ok := constants[value]; closed && !ok {
			problems = append(problems, fmt.Sprintf("the enum value %v is not a constant of %s: %s", l, t.Go, s.listConstants(e)))
			continue
		}
		if seen[value] {
			continue
		}
		seen[value] = true
		c, ok := declared[value] // with a name and a comment
		if !ok {
			c = model.Const{Value: value}
		}
		consts = append(consts, c)
	}
	return consts, problems
}

// indexByValue returns constants by value. Of several with the same value, it keeps the
// first.
func indexByValue(lists ...[]model.Const) map[string]model.Const {
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

// A constantSet holds the constants of a type that allows no other values.
type constantSet struct {
	pkg    *types.Package // nil if they have no names in Go
	values []model.Const
}

func enumKey(t model.GoType) string { return t.Path + " " + t.String() }

// listConstants lists the values of a set, at most eight, and where the first is declared.
func (s *Shapes) listConstants(e constantSet) string {
	var list []string
	for _, c := range e.values {
		list = append(list, constLiteral(c.Value).String())
	}
	if e.pkg == nil {
		return words.Join(list, ", ", 8)
	}
	return words.Join(list, ", ", 8) + s.write.Package.DescribePlace(e.pkg.Scope().Lookup(e.values[0].Name))
}

// LimitsOf returns the limits of a type. For a pointer these are the limits of its element, for a
// represented type those of its form.
func LimitsOf(t *model.Type) values.Limits {
	for t.Kind == model.Pointer || t.Kind == model.Represented || t.Kind == model.Asserted {
		t = t.Elem
	}
	limits := values.Limits{Min: t.Min, Max: t.Max, Above: t.Above, Below: t.Below}
	for _, c := range t.Enum {
		limits.Enum = append(limits.Enum, constLiteral(c.Value))
	}
	return limits
}

// constLiteral returns a JSON value as a literal of a note.
func constLiteral(value string) values.Literal {
	if strings.HasPrefix(value, `"`) {
		return values.Literal{Text: jsontext.Unquote(value), Quoted: true}
	}
	return tagLiteral(value)
}

// wordKind returns the kind of the type word that a note would use for a type.
func wordKind(t *model.Type) values.Kind { return values.WordOf(simpleWord(t)).Kind }

// ReadBound converts a literal to a bound of a number, or to a bound of the length of a string or list.
func ReadBound(t *model.Type, name string, l values.Literal) (value, problem string) {
	number := t
	switch t.Kind {
	case model.String, model.Slice:
		number = &model.Type{Kind: model.Uint, Bits: 31}
	case model.Uint:
		number = &model.Type{Kind: model.Uint, Bits: min(bitSize(t), 63)} // generated code compares as int64
	case model.Int, model.Float:
	default:
		return "", fmt.Sprintf("%s does not apply to the Go type %s: bounds apply to numbers, and to the length of strings and of lists other than bytes", name, t.Go)
	}
	if value, problem = readLiteral(l, number); problem == "" {
		return value, ""
	}
	if _, mismatch := readLiteral(l, t); t.Kind == model.Uint && mismatch == "" {
		return "", fmt.Sprintf("the bound %v is more than %d, the largest that a bound can be", l, int64(math.MaxInt64))
	}
	return "", fmt.Sprintf("the bound %v %s: it is %s in Go", l, problem, t.Go)
}

// ReadDefault converts a literal to the default of a type. The limits of the type must allow the value.
func ReadDefault(t *model.Type, l values.Literal) (value, problem string) {
	if t.Kind == model.Asserted {
		t = t.Elem
	}
	if t.Kind == model.Pointer {
		return "", fmt.Sprintf("a default does not apply to the Go type %s, whose default is nil: use %s in Go, or delete the default", t.Go, t.Elem.Go)
	}
	if value, problem = readLiteral(l, t); problem != "" {
		return "", fmt.Sprintf("the default %v %s: it is %s in Go", l, problem, t.Go)
	}
	if problem = cmp.Or(LimitsOf(t).CheckValue(wordKind(t), constLiteral(value)), checkPattern(t, value)); problem != "" {
		return "", fmt.Sprintf("the default %v %s", l, problem)
	}
	return value, ""
}

// checkPattern returns why the tags of a field do not allow a value, "" if they do.
func checkPattern(t *model.Type, value string) string {
	switch {
	case t.MultipleOf != "" && !jsontext.ParseDecimal(value).IsMultiple(jsontext.ParseDecimal(t.MultipleOf)):
		return "is not a multiple of " + t.MultipleOf
	case t.Kind == model.String && t.Pattern != "" && !regexp.MustCompile(t.Pattern).MatchString(jsontext.Unquote(value)):
		return "does not match the pattern " + t.Pattern
	}
	return ""
}

// readLiteral converts a literal to a JSON value of a type, or returns the problem with it.
func readLiteral(l values.Literal, t *model.Type) (value, problem string) {
	if t.Kind == model.Quoted && t.Form == model.ProtoJSON {
		value, problem = readNumber(l, t.Elem)
		return jsontext.Quote(value), problem
	}
	switch t.Kind {
	case model.String, model.ByteText:
		return jsontext.Quote(l.Text), ""
	case model.Bytes:
		return "", "needs the option text, because bytes are base64 without it"
	case model.Bool:
		if values.FormOf(l) == values.BoolForm {
			return strings.ToLower(l.Text), ""
		}
		return "", "is neither true nor false"
	case model.Int, model.Uint, model.Float:
		return readNumber(l, t)
	case model.Slice:
		if values.FormOf(l) == values.ListForm {
			return "[]", ""
		}
		return "", "is not [], the only default of a list"
	}
	return "", "cannot be written in a note or tag"
}

// readNumber implements readLiteral for numbers.
func readNumber(l values.Literal, t *model.Type) (value, problem string) {
	var err error
	what := "an integer"
	switch t.Kind {
	case model.Int:
		var n int64
		n, err = strconv.ParseInt(l.Text, 10, bitSize(t))
		value = strconv.FormatInt(n, 10)
	case model.Uint:
		var n uint64
		n, err = strconv.ParseUint(l.Text, 10, bitSize(t))
		value = strconv.FormatUint(n, 10)
	default:
		what, value = "a number", l.Text
		_, err = strconv.ParseFloat(l.Text, bitSize(t))
	}
	if values.FormOf(l) != values.NumberForm || err != nil {
		return "", "is not " + what + " in the range of the type"
	}
	return value, ""
}

func bitSize(t *model.Type) int {
	if t.Bits == 0 {
		return 64
	}
	return t.Bits
}

// tagLiteral returns the value of a tag as a literal. Text in tags needs no quotes, even if a
// note would need them.
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
