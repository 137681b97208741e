package plan

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/reference"
)

// textSpelling is a text with its references.
type textSpelling struct {
	text     string // the text with each reference in standard spelling
	expected string // the first fault; empty if there is none
	found    string
	suspect  bool // it is unclear whether a part is a reference, a placeholder or text
}

func (s *textSpelling) setFault(expected, found string) {
	if s.expected == "" {
		s.expected, s.found = expected, found
	}
}

// speller reads the references in the texts of one step. The following table lists how models write a reference,
// and how the speller treats each spelling. That depends on whether the text names a step, and whether it has
// exactly one reading:
//
//	spelling                                 step, one reading          step, otherwise     no step
//	<<step:1/id>>                            a reference                a fault             a fault
//	<<1.id>> {{1.id}} ${1.id} {%1.id%} …     a reference                a fault             suspect
//	{step1.id} <step1.id> [step1.id] %…%     a reference                a fault, suspect    see suspect.go
//	$1.id $step1.id @step1.id #E1.id $.…     a reference                a fault             text
//	step1.id STEP_1_RESULT.id find_user.id   a reference                suspect             text
//
// A text may name a step by its ID, by its number, or by its tool if only one earlier step calls that tool.
// <<<step: is an escape for the text <<step:, and <<var:name>> is a variable.
//
// A reference extends to the end of its token: a following .name, [n] or /name is part of its path, unless the
// value before it cannot have members or elements. If the value can have some, anything else that follows must
// begin with a space or end a sentence.
type speller struct {
	*compiler
	step  int  // the index of the step that contains the texts
	reads bool // the tool of the step is read-only
}

// readText reads a text.
func (a speller) readText(text string) (s textSpelling) {
	var b strings.Builder
	done, i := 0, 0
	for {
		m, ok := nextMark(text, i)
		if !ok {
			break
		}
		if a.marks++; a.marks > maxMarks {
			s.suspect = true
			break
		}
		end, r, ok := a.readMark(&s, text, m)
		switch {
		case ok:
			b.WriteString(text[done:m.start] + r.String())
			done, i = end, end
		case m.form == doubled || m.form == single:
			i = m.start + 1 // it may contain other marks
		default:
			i = m.end
		}
	}
	s.text = b.String() + text[done:]
	return s
}

// readMark reads one mark. It returns the end of the reference and the reference, or false if the mark is
// not a reference.
func (a speller) readMark(s *textSpelling, text string, m mark) (int, Reference, bool) {
	written := text[m.start:m.end]
	whole := strings.TrimSpace(text) == written
	if m.form == canonical {
		return a.readCanonical(s, text, m)
	}
	if (m.form == sigil || m.form == bare) && !isToken(text, m) {
		return 0, Reference{}, false
	}
	if _, isVariable := reference.ParseName(written); isVariable {
		return 0, Reference{}, false
	}
	e := a.parseMark(m, whole)
	e.readings = a.viableReadings(e)
	if len(e.readings) == 1 && isEven(text, m) && a.isClear(e.readings[0], m.form, whole) {
		return a.extendPath(s, text, m.end, e.readings[0])
	}
	a.reportMark(s, m, e, written, whole)
	return 0, Reference{}, false
}

// reportMark adds a fault for a mark that is not clearly a reference, or marks the text as suspect.
func (a speller) reportMark(s *textSpelling, m mark, e expression, written string, whole bool) {
	isReference := m.form != bare && (m.form != single || whole) // the form shows that a reference is meant
	switch {
	case len(e.readings) > 1 && isReference:
		var all []string
		for _, r := range e.readings[:min(len(e.readings), 3)] {
			all = append(all, r.String())
		}
		s.setFault(words.Join(all, " or ", len(all)), quoteText(written)+", which may be either")
	case e.names && isReference:
		expected := "a reference to a step of the plan, such as " + a.exampleReference()
		if m.form == single {
			expected = "a value, or " + expected
		}
		s.setFault(expected, quoteText(written))
	case e.names || m.form == doubled:
		s.suspect = s.suspect || whole || !a.reads || e.names && m.form != bare
	}
}

// readCanonical is [speller.readMark] for marks in standard spelling. An unknown ID in the mark may be another
// name of a step, such as its number. If it is not, [argumentCompiler.checkReference] reports a fault.
func (a speller) readCanonical(s *textSpelling, text string, m mark) (int, Reference, bool) {
	p := readReference(text[m.start:m.end])
	if p.broken {
		return 0, Reference{}, false
	}
	if _, known := a.byID[p.to.Step]; known {
		return a.extendPath(s, text, m.end, a.unwrapReference(p.to))
	}
	m.inner = "step:" + m.inner
	readings := a.viableReadings(a.parseMark(m, strings.TrimSpace(text) == text[m.start:m.end]))
	if len(readings) != 1 {
		return 0, Reference{}, false
	}
	return a.extendPath(s, text, m.end, readings[0])
}

// viableReadings returns the readings of an expression that are viable; see isViable. If none is, it returns all
// readings.
func (a speller) viableReadings(e expression) []Reference {
	viable := slices.DeleteFunc(slices.Clone(e.readings), func(r Reference) bool { return !a.isViable(r) })
	if len(viable) == 0 {
		return e.readings
	}
	return viable
}

// isViable reports whether a reference leads to an earlier step and to a place that may exist.
func (a speller) isViable(r Reference) bool { return a.byID[r.Step] < a.step && a.isPlace(r) }

// isClear reports whether a mark with only one reading is a reference and not text. A bare
// word inside a text is a reference only if a schema declares the value that it refers to.
func (a speller) isClear(r Reference, f form, whole bool) bool {
	switch {
	case f != single && f != bare:
		return true // if the value does not exist, checkReference reports it
	case !a.isViable(r):
		return false
	case r.Pointer == "":
		return f == bare && whole
	case whole && !(f == bare && isFileName(r.Pointer)):
		return true
	}
	return a.isDeclared(r)
}

// isDeclared reports whether schemas declare the value that a reference refers to.
func (c *compiler) isDeclared(r Reference) bool {
	return !slices.Contains(schemasAt(c.outputSchemas(r.Step), r.Pointer), anySchema)
}

var fileEndings = regexp.MustCompile(`(?i)/(?:pdf|png|jpe?g|gif|svg|txt|csv|tsv|html?|xml|json|ya?ml|md|docx?|xlsx?|pptx?|zip|gz|tar|go|py|js|ts|java|sh|sql|log|com|org|net|io|dev)$`)

// isFileName reports whether the end of a path may be the end of a file name or a domain, such as .txt or .com.
func isFileName(pointer string) bool { return fileEndings.MatchString(pointer) }

// unwrapReference removes a first name such as "result" from the path of a reference. It does so only if the
// result of the step has no such member but contains the rest of the path.
func (a speller) unwrapReference(r Reference) Reference {
	path := slices.Collect(jsontext.Names(r.Pointer))
	if len(path) < 2 || !slices.Contains(wrappers, strings.ToLower(path[0])) || slices.Contains(propertyNames(a.outputSchemas(r.Step)), path[0]) {
		return r
	}
	if inner := (Reference{r.Step, joinPointer(path[1:])}); a.isDeclared(inner) && a.isPlace(inner) {
		return inner
	}
	return r
}

// pathAfter matches the text after a reference that belongs to its path.
var pathAfter = regexp.MustCompile(`^(?:(?:\.|->|/)[\pL_][\pL\pN_-]*|\.?\[(?:[0-9]+|"[^"\]]+"|'[^'\]]+')\])+`)

// extendPath adds the path that follows a reference in the text, as in {step1}.id, to the reference. It returns the
// index at which the path ends, the reference, and true. If the value cannot have members or elements, the text after
// the reference is not a path.
func (a speller) extendPath(s *textSpelling, text string, end int, r Reference) (int, Reference, bool) {
	rest := text[end:min(len(text), end+4*maxMarkLength)]
	schemas := schemasAt(a.outputSchemas(r.Step), r.Pointer)
	if !hasParts(schemas) {
		return end, r, true
	}
	more := pathAfter.FindString(rest)
	if strings.HasPrefix(rest, "'s ") && !slices.Contains(schemas, anySchema) || len(more) > maxMarkLength {
		s.setFault("a reference to the place in the result", quoteText(r.String()+rest))
		return end, r, true
	}
	if more != "" {
		path, _ := readPath(more)
		longer := Reference{r.Step, r.Pointer + joinPointer(path)}
		switch {
		case !a.isPlace(longer):
			s.setFault(a.nearestPlace(longer), quoteText(r.String()+more))
		case !a.isDeclared(longer) && !strings.HasPrefix(more, "["):
			s.setFault(longer.String()+", or a space after "+r.String(), quoteText(r.String()+more)+", which may be either")
		}
		r, rest, schemas = longer, rest[len(more):], schemasAt(a.outputSchemas(r.Step), longer.Pointer)
	}
	if hasParts(schemas) && continuesPath(rest, slices.ContainsFunc(schemas, mayBeScalar)) {
		s.setFault("a reference to the place in the result, or a space after "+r.String(), quoteText(r.String()+rest))
	}
	return end + len(more), r, true
}

var (
	// accessor matches the beginning of a path in other notations.
	accessor = regexp.MustCompile(`^(?:(?:\?\.|::|\$\.|\\\.)[\pL_]|\.[\pL_]+\(|\s+\.[\pL_])`)
	// sentenceEnd matches punctuation up to the next space, which may follow any value.
	sentenceEnd = regexp.MustCompile("^[.,;:!?)\\]}>\"'’”*_`]*(?:\\s|<|$)")
)

// continuesPath reports whether rest, the text after a reference, is a path in an unknown notation, such as ::id.
// If mayBeScalar is false, the value is an object or an array. In that case, any text counts as a path unless it
// begins with a space or ends a sentence.
func continuesPath(rest string, mayBeScalar bool) bool {
	return accessor.MatchString(rest) || !mayBeScalar && !sentenceEnd.MatchString(rest)
}

// mayBeScalar reports whether values of a schema may be neither an object nor an array.
func mayBeScalar(s *jsonschema.Schema) bool {
	kinds := s.Kinds()
	return kinds == 0 || kinds.Has(jsontext.String) || kinds.Has(jsontext.Number) || kinds.Has(jsonschema.Integer) || kinds.Has(jsontext.Bool)
}

// hasParts reports whether values of one of the schemas may have elements or members.
func hasParts(schemas []*jsonschema.Schema) bool {
	return slices.ContainsFunc(schemas, func(s *jsonschema.Schema) bool {
		kinds := s.Kinds()
		return kinds == 0 || kinds.Has(jsontext.Object) || kinds.Has(jsontext.Array)
	})
}

// expression is the meaning of the text inside a mark.
type expression struct {
	readings []Reference // the references that the text may mean
	names    bool        // the text names or mentions a step
}

// wrappers are names that models use for the complete result of a step.
var wrappers = []string{"result", "results", "output", "outputs", "response"}

var (
	// sigils at the beginning of a reference, as in $step1 and #E1
	sigils = regexp.MustCompile(`^(?:[$@#%=&*~]\.?|\.)+`)
	// words that may precede the ID of a step
	beforeID = regexp.MustCompile(`^(?i:the|steps?|tasks?|outputs?|results?|responses?|observations?|answers?|nodes?|calls?|of|from)(?:[ ._:#/-]+|([\[(0-9]))`)
	// one letter before a number, as in #E1
	letterID = regexp.MustCompile(`^[EeSsTt]([0-9]+)(.*)$`)
	// the ID of a step with a number, which is the group
	numberID = regexp.MustCompile(`^(?i:steps?|tasks?|s|e|t|no)?[ ._#-]*0*([0-9]{1,4})$`)
	// spaces around the separators of a path
	spaced = regexp.MustCompile(`\s*(\.|->|::|\[|\]|/|:|\(|\))\s*`)
	// one name of a path
	pathName = regexp.MustCompile(`^(?:(?:\.|->|::|/|:)([\pL\pN_~-]+)|\.?\[([0-9]+)\]|\.?\["([^"\]]+)"\]|\.?\['([^'\]]+)'\]|\.?\[([\pL_][\pL\pN_-]*)\])`)
	// the beginning of a text that may be the ID of a step; an ID with a suffix such as _result; an ID joined with a name
	headOf   = regexp.MustCompile(`^[\pL\pN_]+(?:-[\pL\pN_]+)*`)
	afterID  = regexp.MustCompile(`^(.+?)[ _-]?(?i:results?|outputs?|response|data|value)$`)
	joinedID = regexp.MustCompile(`^([0-9]+)[_-](.+)$`)
)

// parseMark returns the possible meanings of a mark. whole states that the mark is the whole text. In the
// canonical and doubled forms, and in a single mark that is the whole text, a word such as "step" may be enough
// for the expression to name a step.
func (a speller) parseMark(m mark, whole bool) expression {
	inner := strings.Trim(strings.TrimSpace(m.inner), "<>{}\"'`")
	inner = spaced.ReplaceAllString(strings.TrimSpace(inner), "$1")
	core := strings.TrimSpace(sigils.ReplaceAllString(inner, ""))
	separate := whole || m.form <= doubled || len(core) < len(inner) // the mark is not a word of a sentence
	e, hasStepWord := a.readSpellings(core, separate)
	mentions := m.form == single && whole && mentionsStep(inner)
	switch {
	case m.form <= doubled:
		e.names = e.names || mentionsStep(inner)
	case m.form == bare && isWord(core, e, hasStepWord, whole):
		return expression{}
	case hasStepWord:
		e.names = e.names || mentions
	case !isPath(core) || isAmount(core, separate || m.form == single):
		return expression{names: mentions}
	}
	return e
}

// readSpellings returns the readings of a text, and reports whether a word or letter before an ID mentions a
// step, as in step1 and E1. A letter counts only if separate is true: the text is not a word of a sentence.
func (a speller) readSpellings(core string, separate bool) (e expression, hasStepWord bool) {
	spellings, hasStepWord, plural := a.stripWords(core)
	if n := letterID.FindStringSubmatch(core); n != nil && separate {
		spellings, hasStepWord = append(spellings, n[1]+n[2]), true
	}
	for _, written := range spellings {
		a.readAs(&e, written, plural)
	}
	return e, hasStepWord
}

// isWord reports whether a bare text is an ordinary word and not a reference: a word such as step1 without a
// path, or the name of a tool or an ID in a sentence. e contains the readings of the text.
func isWord(core string, e expression, hasStepWord, whole bool) bool {
	if hasStepWord {
		return !isPath(core) && !slices.ContainsFunc(e.readings, func(r Reference) bool { return r.Pointer != "" })
	}
	return !whole && !strings.Contains(core, "_")
}

// isPath reports whether a text may be a path in a result.
func isPath(core string) bool {
	return strings.ContainsAny(core, ".[/:>(") || afterID.MatchString(core)
}

// isAmount reports whether a text is a number such as 1.50 and not a path such as 1.email. If separate is false, the
// text is a word of a sentence, and cannot be a path.
func isAmount(core string, separate bool) bool {
	return core != "" && core[0] >= '0' && core[0] <= '9' && !(separate && hasNamedPath(core))
}

// stripWords removes the words that may precede the ID of a step, one after another, and returns all resulting
// texts. For "result of step 1", these are the text itself, "of step 1", "step 1" and "1". It reports whether a
// word such as "step" or "result" is among them, and whether the last word is a plural before an index, as in
// steps[0].
func (a speller) stripWords(core string) (spellings []string, hasStepWord, plural bool) {
	spellings = []string{core}
	for rest := core; ; spellings = append(spellings, rest) {
		m := beforeID.FindStringSubmatchIndex(rest)
		if m == nil {
			return spellings, hasStepWord, plural
		}
		word := strings.ToLower(strings.TrimRight(rest[:m[1]], "[( ._:#/-0123456789"))
		hasStepWord = hasStepWord || slices.ContainsFunc([]string{"step", "task", "result", "output"}, func(w string) bool { return strings.HasPrefix(word, w) })
		if m[2] >= 0 {
			m[1] = m[2]
		}
		rest = rest[m[1]:]
		plural = strings.HasPrefix(rest, "[") && strings.HasSuffix(word, "s")
	}
}

// hasNamedPath reports whether a name follows a number, as in 1.email and 1[0].email, but not in
// 1.50.
func hasNamedPath(text string) bool {
	after := strings.TrimLeft(text, "0123456789")
	rest := pathIndexes.ReplaceAllLiteralString(after, "")
	if len(rest) < len(after) && (rest == "" || isWordByte(rest[0])) {
		return false
	}
	rest = strings.TrimLeft(rest, ".[\"'-/>:")
	return rest != "" && len(rest) < len(text) && isWordByte(rest[0]) && !(rest[0] >= '0' && rest[0] <= '9')
}

var pathIndexes = regexp.MustCompile(`^(?:\[[0-9]+\]|[./][0-9]+)+`)

// readAs adds the readings of a text that begins with the ID of a step or the name of a tool.
func (a speller) readAs(e *expression, written string, plural bool) {
	for _, id := range a.oddIDs {
		if rest, ok := strings.CutPrefix(written, id); ok {
			a.addPath(e, id, nil, rest)
		}
	}
	if strings.HasPrefix(written, "[") || strings.HasPrefix(written, "(") {
		a.readIndex(e, written, plural)
		return
	}
	head := headOf.FindString(written)
	if head == "" {
		return
	}
	rest := written[len(head):]
	rest = strings.TrimPrefix(rest, "()")
	a.addStep(e, head, nil, rest)
	if m := afterID.FindStringSubmatch(head); m != nil {
		a.addStep(e, m[1], nil, rest)
	}
	if m := joinedID.FindStringSubmatch(head); m != nil {
		a.addStep(e, m[1], []string{m[2]}, rest)
	}
}

// readIndex adds the readings of a text such as [0].id, ["1"].id or (1).id. If plural is true, as for
// steps[0].id, the number may also be the index of a step.
func (a speller) readIndex(e *expression, written string, plural bool) {
	closing := strings.IndexAny(written, "])")
	if closing < 0 {
		return
	}
	id, rest := strings.Trim(written[1:closing], " \"'"), written[closing+1:]
	a.addStep(e, id, nil, rest)
	if i, err := strconv.Atoi(id); err == nil && plural && i >= 0 && i < len(a.plan.Steps) {
		a.addPath(e, a.plan.Steps[i].ID, nil, rest)
	}
}

// addStep adds a reading for each step that name may mean. The path of the reading is path, followed by the path
// in the text rest.
func (a speller) addStep(e *expression, name string, path []string, rest string) {
	for _, id := range a.stepsNamed(name, a.step) {
		a.addPath(e, id, path, rest)
	}
}

// maxReadings is the maximum number of steps for a name that are considered. Two are enough to make the name
// ambiguous.
const maxReadings = 8

// stepsNamed returns the IDs of the steps that a name may mean. If it is the name of a tool, only steps before
// the given index count.
func (c *compiler) stepsNamed(name string, before int) (ids []string) {
	add := func(all []int) {
		for _, i := range all[:min(len(all), maxReadings)] {
			if id := c.plan.Steps[i].ID; !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	if i, ok := c.byID[name]; ok {
		add([]int{i})
		return ids
	}
	add(c.byName[strings.ToLower(name)])
	if m := numberID.FindStringSubmatch(name); m != nil && len(ids) == 0 {
		add(c.byNumber[m[1]])
		if n, err := strconv.Atoi(m[1]); err == nil && len(c.byNumber) == 0 && n >= 1 && n <= len(c.plan.Steps) {
			add([]int{n - 1})
		}
	}
	if len(ids) == 0 {
		add(slices.DeleteFunc(slices.Clone(c.byTool[words.FoldName(name)]), func(i int) bool { return i >= before }))
	}
	return ids
}

// addPath adds the readings of a path in the result of a step. The path consists of path and the path in the text
// rest.
func (a speller) addPath(e *expression, id string, path []string, rest string) {
	e.names = true
	more, ok := readPath(rest)
	if !ok {
		return
	}
	path = append(slices.Clone(path), more...)
	add := func(r Reference) {
		if !slices.Contains(e.readings, r) {
			e.readings = append(e.readings, r)
		}
	}
	if len(path) > 0 && slices.Contains(wrappers, strings.ToLower(path[0])) {
		add(Reference{id, joinPointer(path[1:])})
		if !slices.Contains(propertyNames(a.outputSchemas(id)), path[0]) {
			return
		}
	}
	add(Reference{id, joinPointer(path)})
}

// readPath splits a path such as .a[0]["b"] into its names. It returns false if the text is not a path.
func readPath(rest string) (path []string, ok bool) {
	for rest != "" {
		m := pathName.FindStringSubmatch(rest)
		if m == nil {
			return nil, false
		}
		name := m[1] + m[2] + m[3] + m[4] + m[5]
		if rest[0] == '/' {
			name = jsontext.Name(name)
		}
		path = append(path, name)
		rest = rest[len(m[0]):]
	}
	return path, true
}

func joinPointer(path []string) (pointer string) {
	for _, name := range path {
		pointer = jsontext.Join(pointer, name)
	}
	return pointer
}

var stepWords = regexp.MustCompile(`(?:^|[^A-Za-z])(?i:steps?|results?|outputs?)(?:[^a-z]|$)|(?:[a-z])(?:Steps?|Results?|Outputs?)(?:[^a-z]|$)`)

// mentionsStep reports whether a text contains a word for a step, even as a part of a name.
func mentionsStep(text string) bool { return stepWords.MatchString(text) }
