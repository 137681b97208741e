package plan

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Models write references as they were taught to elsewhere.
var (
	// what is not read again; {{…}} and ${…}; #E1
	spelled = regexp.MustCompile(`<<<step:|<<step:.*?>>|\{\{([^{}<>]{1,256})\}\}|\$\{([^{}<>]{1,256})\}|#E([0-9]{1,4})\b`)
	// what may stand before the ID of a step
	beforeID = regexp.MustCompile(`^(?i:steps?|outputs?|results?)[ ._-]?`)
	// one name of a path
	pathName = regexp.MustCompile(`^(?:[./]([A-Za-z0-9_-]+)|\[([0-9]+)\]|\["([^"\]]+)"\]|\['([^'\]]+)'\])`)
)

// wrappers are how models call the whole result of a step.
var wrappers = []string{"result", "results", "output", "outputs", "response"}

// respell returns a text in which references have the one spelling, if each other
// one names a step of the plan and has one reading. Those that have several are
// given to unclear, as is what speaks of a step or a result and names none.
func (c *compiler) respell(text string, unclear func(found string, readings []Reference)) string {
	if !strings.ContainsAny(text, "{#") {
		return text
	}
	var b strings.Builder
	done := 0
	for _, m := range spelled.FindAllStringSubmatchIndex(text, -1) {
		var readings []Reference
		whole, inner := text[m[0]:m[1]], ""
		switch {
		case m[2] >= 0:
			inner = strings.TrimSpace(text[m[2]:m[3]])
			readings = c.readings(inner)
		case m[4] >= 0:
			inner = strings.TrimSpace(text[m[4]:m[5]])
			readings = c.readings(inner)
		case m[6] >= 0:
			readings = c.named(text[m[6]:m[7]], "E"+text[m[6]:m[7]])
		default:
			continue
		}
		if len(readings) > 1 {
			if there := slices.DeleteFunc(slices.Clone(readings), func(r Reference) bool { return !c.isPlace(r) }); len(there) > 0 {
				readings = there
			}
		}
		if len(readings) != 1 {
			if len(readings) > 1 || speaksOfStep(inner) {
				unclear(whole, readings)
			}
			continue
		}
		b.WriteString(text[done:m[0]] + readings[0].String())
		done = m[1]
	}
	if done == 0 {
		return text
	}
	return b.String() + text[done:]
}

// named returns references to the whole results of the steps of such IDs.
func (c *compiler) named(ids ...string) (all []Reference) {
	for _, id := range ids {
		if _, ok := c.byID[id]; ok {
			all = append(all, Reference{Step: id})
		}
	}
	return all
}

// readings returns what a text such as "step1.result.id" may refer to.
func (c *compiler) readings(inner string) (all []Reference) {
	add := func(r Reference) {
		if !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	spellings := []string{inner, beforeID.ReplaceAllString(inner, "")}
	for _, s := range c.plan.Steps {
		for _, written := range spellings {
			path, ok := afterID(written, s.ID)
			if !ok {
				continue
			}
			if len(path) > 0 && slices.Contains(wrappers, strings.ToLower(path[0])) {
				add(Reference{s.ID, pointerOf(path[1:])})
				if !slices.Contains(namesIn(c.output(s.ID)), path[0]) {
					continue
				}
			}
			add(Reference{s.ID, pointerOf(path)})
		}
	}
	return all
}

// afterID returns the path behind the ID of a step, with which a text begins.
func afterID(written, id string) (path []string, ok bool) {
	rest, ok := strings.CutPrefix(written, id)
	if !ok && strings.HasPrefix(written, "[") {
		for _, form := range [][2]string{{"[", "]"}, {`["`, `"]`}, {"['", "']"}} {
			if !ok {
				rest, ok = strings.CutPrefix(written, form[0]+id+form[1])
			}
		}
	}
	for ok && rest != "" {
		m := pathName.FindStringSubmatch(rest)
		if m == nil {
			return nil, false
		}
		path = append(path, m[1]+m[2]+m[3]+m[4])
		rest = rest[len(m[0]):]
	}
	return path, ok
}

func pointerOf(path []string) (pointer string) {
	for _, name := range path {
		pointer = jsontext.Join(pointer, name)
	}
	return pointer
}

// longestPlaceholder bounds what is taken for one, in bytes.
const longestPlaceholder = 256

// isPlaceholder reports whether a whole text is what models write where they do not
// know a value of an earlier step: <the id from step 1>, [result of step 1].
func isPlaceholder(text string) bool {
	text = strings.TrimSpace(text)
	for _, form := range [][2]string{{"{{", "}}"}, {"${", "}"}, {"<", ">"}, {"[", "]"}} {
		inner, opens := strings.CutPrefix(text, form[0])
		inner, closes := strings.CutSuffix(inner, form[1])
		if opens && closes {
			return len(inner) <= longestPlaceholder && !strings.ContainsAny(inner, form[0]+form[1]) && speaksOfStep(inner) && !json.Valid([]byte(text))
		}
	}
	return false
}

var stepWords = regexp.MustCompile(`(?:^|[^A-Za-z])(?i:steps?|results?|outputs?)(?:[^a-z]|$)|(?:[a-z])(?:Steps?|Results?|Outputs?)(?:[^a-z]|$)`)

// speaksOfStep reports whether a text has such a word, also as a part of a name.
func speaksOfStep(text string) bool { return stepWords.MatchString(text) }
