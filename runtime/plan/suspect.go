package plan

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// Suspect is a text in the arguments of a step that may be a placeholder for a value that the model did not know.
// It may also be meant literally. When the results of the earlier steps are known, ask the model for the argument
// before the call.
//
// These texts are suspect for all tools:
//
//   - a whole text in delimiters: <customer email>, {email}, [customer's email], $email
//   - a whole text such as CUSTOMER_EMAIL
//   - {{email}} or ${email} as a whole text
//   - a word such as step1.email that names a step, but no value in its result
//   - a reference whose delimiters are escaped or replaced by similar characters, such as
//     &lt;&lt;1.id&gt;&gt;
//
// These are suspect for tools that are not read-only:
//
//   - a dummy such as TBD, unknown, "...", "" or example@example.com
//   - a phrase such as "the email from step 1", "customer's email", "see above" or "them", also
//     as one name: customer_email, customerEmail
//   - a path such as customer.email, if an earlier result has a member email, or result.id
//   - a JSON object with a member such as $ref or step
//   - a placeholder in a longer text: Dear {{name}}, Dear [Customer Name]
//
// Values of an enum and defaults are never suspect. Prices ($1.50), addresses, URLs,
// markup, JSON, and "step 1 of the manual" are not suspect, either.
type Suspect struct {
	Step    int    `json:"step"`    // index in the plan
	Pointer string `json:"pointer"` // JSON Pointer in the arguments of the step
	Text    string `json:"text"`
}

// isSuspect reports whether a text without references is suspect. schemas are those
// that apply to the text.
func (a speller) isSuspect(text string, schemas []*jsonschema.Schema) bool {
	if isListed(text, schemas) {
		return false
	}
	trimmed := strings.TrimSpace(text)
	if looksDelimited(trimmed) || looksConstant(trimmed) || a.hidesReference(text) {
		return true
	}
	return !a.reads && (emphasized.MatchString(trimmed) || isDummy(trimmed) || a.isPhrase(trimmed) || a.isPhrase(spacedName(trimmed)) || a.isLoosePath(trimmed) || isJSONReference(trimmed) || hasBlank(text))
}

// hidesReference reports whether a text hides a reference or a placeholder, because its delimiters are escaped or
// similar characters. For example, the text may contain &lt; instead of <.
func (a speller) hidesReference(text string) bool {
	plain := unescapeHidden(text)
	if plain == text {
		return false
	}
	s := a.readText(plain)
	return s.suspect || s.expected != "" || s.text != plain || mayRefer(plain) || looksDelimited(strings.TrimSpace(plain)) && !a.reads
}

// spacedName returns the words of a name with spaces between them: "email from step 1" for email_from_step_1. It
// returns "" for a text that is not a name of several words.
func spacedName(text string) string {
	if len(text) > maxPhraseLength || !compoundName.MatchString(text) {
		return ""
	}
	return strings.ToLower(strings.ReplaceAll(wordStart.ReplaceAllString(text, "$1 $2"), "_", " "))
}

var (
	compoundName  = regexp.MustCompile(`^[A-Za-z][a-z0-9]*(?:_[a-z0-9]+|[A-Z][a-z0-9]*)+$`)
	wordStart     = regexp.MustCompile(`([a-z0-9])([A-Z])`)
	elsewherePath = regexp.MustCompile(`^[/~.]*/.*/|://|[\pL\pN]\$`) // a path of a file, a URL, or an amount of money
	pathEnd       = regexp.MustCompile(`[./:\[\]>#"'(|]([\pL_][\pL\pN_-]*)["')\]}]*$`)
	resultPath    = regexp.MustCompile(`^\W*(?i:(?:prev|previous|last|tool|function|call|api)[_-]?)?(?i:prev|previous|last|results?|outputs?|responses?|observations?|answer)\d*(?:\.|\[|->)[\pL_"'\[0-9]`)
)

// isLoosePath reports whether a text without spaces looks like the path of a value: it ends
// with the name of a member of an earlier result, as in customer.email, or begins with a
// word for a result, as in previous.phone.
func (a speller) isLoosePath(text string) bool {
	if len(text) > maxMarkLength || a.step == 0 || strings.ContainsAny(text, " \t\r\n") || strings.LastIndexByte(text, '@') > 0 || elsewherePath.MatchString(text) {
		return false
	}
	m := pathEnd.FindStringSubmatch(text)
	if m != nil {
		for _, calls := range a.byTool {
			t := a.tools[a.plan.Steps[calls[0]].Tool]
			if calls[0] < a.step && t != nil && t.hasMember(m[1]) {
				return true
			}
		}
	}
	return resultPath.MatchString(text) && (m == nil || !isFileName("/"+m[1]))
}

// hasMember reports whether results have a member with a name, at any depth.
func (t *types) hasMember(name string) bool {
	if t.members == nil {
		t.members = map[string]bool{}
		addMembers(t.members, t.output, map[*jsonschema.Schema]bool{})
	}
	return t.members[name]
}

func addMembers(names map[string]bool, s *jsonschema.Schema, seen map[*jsonschema.Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	for each := range s.All() {
		for _, p := range each.Properties {
			names[p.Name] = true
			addMembers(names, p.Schema, seen)
		}
		for _, item := range each.Prefix {
			addMembers(names, item, seen)
		}
		addMembers(names, each.Items, seen)
		addMembers(names, each.Additional, seen)
	}
}

// isJSONReference reports whether a text is a JSON object with a member such as $ref or step.
func isJSONReference(text string) bool {
	if len(text) > maxMarkLength || !strings.HasPrefix(text, "{") {
		return false
	}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) != nil {
		return false
	}
	for name := range object {
		if referring[words.FoldName(strings.TrimPrefix(name, "$"))] {
			return true
		}
	}
	return false
}

var referring = nameSet(`ref reference step stepid fromstep stepref stepresult`)

// isListed reports whether one of the schemas enumerates its values, or declares the text as its default.
func isListed(text string, schemas []*jsonschema.Schema) bool {
	for _, schema := range schemas {
		for s := range schema.All() {
			if s.Values != nil || s.Node.Member("default").Str() == text && s.Node.Member("default").Is(jsontext.String) {
				return true // a text that is not in s.Values is a fault anyway
			}
		}
	}
	return false
}

var (
	delimitedWhole = regexp.MustCompile(`^(?:<([^<>]{1,200})>|\{([^{}]{1,200})\}|\[([^\[\]]{1,200})\]|%[\w .-]{1,200}%|\$[A-Za-z_][\w.-]{0,100})$`)
	emphasized     = regexp.MustCompile(`^(?:\([^()]{1,200}\)|__[\w .-]{1,200}?__|:[a-z]+_\w+|«[^«»]{1,200}»|\*[\w ]{1,200}\*)$`)
	markup         = regexp.MustCompile(`(?i)^/?(?:a|b|br|code|div|em|h[1-6]|hr|i|img|li|ol|p|pre|s|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul)\b[^@]*$`)
	constant       = regexp.MustCompile(`^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:[.\[][\w.\[\]'"]*)?$`)
)

// looksDelimited reports whether a whole text is between delimiters and is not
// JSON, an address, a URL or markup.
func looksDelimited(text string) bool {
	if !delimitedWhole.MatchString(text) || json.Valid([]byte(text)) || strings.ContainsAny(text, "@\"") || strings.Contains(text, "://") {
		return false
	}
	inner := strings.Trim(text, "<>{}[]%$")
	if text[0] == '<' && markup.MatchString(strings.TrimSuffix(inner, "/")) {
		return false
	}
	return strings.ContainsFunc(inner, unicode.IsLetter)
}

// looksConstant reports whether a text is in capitals with underscores.
func looksConstant(text string) bool { return len(text) <= maxMarkLength && constant.MatchString(text) }

// hidden replaces escapes and similar characters with the delimiters that they represent.
var hidden = strings.NewReplacer(
	"&lt;", "<", "&gt;", ">", "&#60;", "<", "&#62;", ">", "&#x3c;", "<", "&#x3e;", ">", "&#x3C;", "<", "&#x3E;", ">", "&lcub;", "{", "&rcub;", "}", "&#123;", "{", "&#125;", "}", "&#x7b;", "{", "&#x7d;", "}", "&dollar;", "$", "&amp;lt;", "<", "&amp;gt;", ">",
	"%3C", "<", "%3E", ">", "%3c", "<", "%3e", ">", "%7B", "{", "%7D", "}", "%7b", "{", "%7d", "}", "%24", "$", "%5B", "[", "%5D", "]",
	`\u003c`, "<", `\u003e`, ">", `\u003C`, "<", `\u003E`, ">", `\u007b`, "{", `\u007d`, "}", `\u0024`, "$", `\x3c`, "<", `\x3e`, ">",
	`\<`, "<", `\>`, ">", `\{`, "{", `\}`, "}", `\$`, "$", `\[`, "[", `\]`, "]", `\#`, "#", `\_`, "_", `\@`, "@",
	"«", "<<", "»", ">>", "‹", "<", "›", ">", "⟨", "<", "⟩", ">", "⟪", "<<", "⟫", ">>", "〈", "<", "〉", ">", "《", "<<", "》", ">>", "≪", "<<", "≫", ">>", "❮", "<", "❯", ">",
	"【", "[", "】", "]", "〔", "[", "〕", "]", "⟦", "[", "⟧", "]", "「", "[", "」", "]", "『", "[", "』", "]", "⦃", "{", "⦄", "}", "❴", "{", "❵", "}", "‘", "'", "’", "'", "“", `"`, "”", `"`, "․", ".", "‥", "..", "∶", ":",
)

// unescapeHidden replaces escapes and similar characters in a text with plain delimiters, and removes
// invisible characters.
func unescapeHidden(text string) string {
	if strings.IndexFunc(text, func(c rune) bool { return c >= 0x80 || c == '\\' || c == '&' || c == '%' }) < 0 {
		return text
	}
	plain := strings.Map(func(c rune) rune {
		switch {
		case c >= 0xFF01 && c <= 0xFF5E: // full width
			return c - 0xFF01 + '!'
		case unicode.Is(unicode.Cf, c):
			return -1
		case unicode.IsSpace(c) && c != '\n' && c != '\r' && c != '\t':
			return ' '
		}
		return c
	}, text)
	return hidden.Replace(plain)
}

var (
	dummies = func() map[string]bool {
		all := map[string]bool{"": true}
		for _, text := range strings.Split(`tbd|tba|tbc|todo|fixme|to be determined|to be decided|to be defined|to be filled|to be confirmed|to be announced|to be provided|unknown|not known|not yet known|unspecified|undetermined|not specified|not provided|not available|unavailable|n/a|na|n.a|none|no value|null|nil|undefined|nan|placeholder|dummy|example|string|text|value|some value|some text|some string|same as above|as above|see above|ditto|idem|previous result|result|the result|output|the output|answer|the answer|response|lorem ipsum|insert here|fill in|fill me in|fill this in|change me|changeme|replace me|replaceme|your text here|your value here|foo|bar|baz|foobar|foo bar|qux|asdf|qwerty|john doe|jane doe|from above|him|her|them|someone|somebody|the customer|the user|the client|the recipient|the first|the first one|first one|id|the id|email|the email|name|the name|yyyy-mm-dd|dd/mm/yyyy|mm/dd/yyyy|hh:mm|hh:mm:ss|00000000-0000-0000-0000-000000000000|0000-00-00|123-456-7890|555-555-5555|555-1234|+1234567890|123 main st|123 main street`, "|") {
			all[text] = true
		}
		return all
	}()
	dummyAddress = regexp.MustCompile(`(?i)^<?(?:mailto:)?(?:[\w.+-]*@(?:email|domain|company|yourdomain|yourcompany|placeholder|mail|test|invalid|localhost)(?:\.\w+)?|(?:example|user|username|customer|client|recipient|someone|somebody|person|name|email|e-?mail|test|tester|your|your[._-]?(?:name|email)|firstname\.lastname|first\.last|john|jane|john\.?doe|jane\.?doe|jdoe|foo|abc|info|admin|contact|me|you|user1|test1|placeholder|unknown|tbd)[\d]*@(?:[\w-]+\.)*(?:example|test|invalid)(?:\.\w+)?)>?$`)
	dummyURL     = regexp.MustCompile(`(?i)^(?:https?://)?(?:www\.)?(?:example|yourdomain|your-domain|yoursite|placeholder|domain)\.(?:com|org|net|test)/?$`)
	dummyRun     = regexp.MustCompile(`^(?i:\{\d{1,3}\}|%[sdvq]|\{\{\s*\}\}|<>|x{3,}|[?.…_*#-]+|(?:xxx+[- ]?)+|\?+)$`)
	dummyForm    = regexp.MustCompile(`(?i)^(?:your|my|insert|enter|add|put|fill in|replace with|use|some|example|placeholder|actual|correct|valid)[ _-](?:[\w']+[ _-]){0,5}(?:here|id|email|e-mail|address|name|number|phone|token|key|value|date|amount|url|link|text|message|status|title|code)(?:[ _-]here)?$|(?i)^(?:insert|enter|fill in|replace)\b.{0,80}\bhere$|(?i)^(?:to|will|must|should|can) be (?:determined|decided|filled|provided|confirmed|found|known|looked up|retrieved|fetched|set|replaced|inserted|computed|calculated)\b.{0,80}$|(?i)\bplaceholder\b`)
)

// isDummy reports whether a whole text is a dummy for an unknown value, such as TBD.
func isDummy(text string) bool {
	if len(text) > maxMarkLength {
		return false
	}
	bare := strings.Trim(text, " \t\r\n\"'`.,;:!()[]{}<>*")
	lower := strings.ToLower(bare)
	return dummies[lower] && (lower != "" || strings.Trim(text, "\"'`") == "") || dummyRun.MatchString(text) || dummyAddress.MatchString(bare) || dummyURL.MatchString(bare) || dummyForm.MatchString(bare)
}

var (
	// a phrase that says where a value comes from
	sourcePhrase = regexp.MustCompile(`(?i)\b(?:from|of|in|by|per|see|using|with|via|as|returned|found|given|shown|retrieved|fetched|obtained|extracted|looked up|mentioned|listed|computed)\b.*\b(?:steps?|results?|outputs?|responses?|lookup|search|query|call|tool|previous(?:ly)?|earlier|prior|before|preceding|found|returned|retrieved|fetched|obtained|extracted|record|lookup|context)$|(?i)\b(?:previous|prior|preceding|earlier|last|first|second|third|fourth|fifth|next|[0-9](?:st|nd|rd|th)) (?:steps?|tasks?|results?|outputs?|calls?|tools?|search|lookup|responses?|query)\b|(?i)\b(?:found|returned|retrieved|fetched|obtained|extracted|mentioned|listed|identified|computed|calculated) (?:above|earlier|before|previously|by|in|from|at)\b|(?i)^(?:see |as )?(?:above|earlier|before|previously)$|(?i)\b(?:result|output|response)s? (?:of|from)\b|(?i)\bof the (?:found|matching|returned|resulting|selected|above) \w+$|(?i)^(?:the )?(?:first|last|found|matching|returned|resulting|selected|above) (?:one|customer|user|client|order|ticket|account|product|item|match|hit|entry|record|row|element)s?$`)
	// a phrase that names a kind of value, such as "the customer's address"
	valueName = regexp.MustCompile(`(?i)^(?:(?:the|an?|their|his|her|its|this|that|each|found|actual|relevant|correct|corresponding|same)\s+)*(?:[\pL]+(?:['’]s|s['’])?\s+){0,4}(?:e-?mail|address|id|ids|identifier|number|phone|amount|total|price|date|value|status|url|link|token|name|key)(?:\s+(?:address|number|id|code|value))?$`)
	possessed = regexp.MustCompile(`(?i)(?:['’]s|s['’])\s|^(?:the|their|his|her|its|this|that|each|found|actual|relevant|correct|corresponding|same)\s|^(?:customer|user|client|order|ticket|recipient|sender|account|product|item)s?\s`)
	// a phrase that names a step
	stepPhrase = regexp.MustCompile(`(?i)\b(?:steps?|tasks?|observations?)[ _#-]*([0-9]{1,4}|one|two|three|four|five|six|seven|eight|nine|ten)\b('s\b)?(?:\s+of\s+(?:the|our|your|a|an|this|that|my|their)\s+(\w+))?`)
	fromStep   = regexp.MustCompile(`(?i)\b(?:from|of|in|by|see|using|result|output|returned|found)\b[\w' ]{0,20}$`)
	numerals   = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
)

// maxPhraseLength is the maximum length of a phrase in place of a value, in bytes.
const maxPhraseLength = 160

// isPhrase reports whether a text describes a value or where it comes from.
func (a speller) isPhrase(text string) bool {
	short := len(text) <= maxPhraseLength && !strings.ContainsAny(text, "\n@")
	return a.isStepNumber(text) || a.mentionsEarlierStep(text, short) || short && (a.mentionsEarlierTool(text) || a.describesValue(text))
}

// isEarlierStep reports whether a name may mean a step before this one.
func (a speller) isEarlierStep(name string) bool {
	ids := a.stepsNamed(name, a.step)
	return len(ids) > 0 && a.byID[ids[0]] < a.step
}

// isStepNumber reports whether a text is a sign and the number of an earlier step, such as #1 or $2.
func (a speller) isStepNumber(text string) bool {
	number, ok := strings.CutPrefix(strings.TrimLeft(text, "$@"), "#")
	if !ok && number == text {
		return false
	}
	return len(number) <= 4 && strings.Trim(number, "0123456789") == "" && a.isEarlierStep(number)
}

// mentionsEarlierStep reports whether a text mentions an earlier step of the plan. If short is false,
// a word such as "from" must precede the step.
func (a speller) mentionsEarlierStep(text string, short bool) bool {
	for _, m := range stepPhrase.FindAllStringSubmatchIndex(text, 64) {
		if m[0] > 0 && strings.IndexByte("/@.", text[m[0]-1]) >= 0 || m[3]+1 < len(text) && text[m[3]] == '.' && isWordByte(text[m[3]+1]) {
			continue // a part of a path, an address or a file's name
		}
		number := strings.ToLower(text[m[2]:m[3]])
		if i := slices.Index(numerals, number); i >= 0 {
			number = strconv.Itoa(i)
		}
		elsewhere := m[6] >= 0 && !strings.EqualFold(text[m[6]:m[7]], "plan")
		if !elsewhere && a.isEarlierStep(number) && (short || fromStep.MatchString(text[max(0, m[0]-40):m[0]])) {
			return true
		}
	}
	return false
}

// mentionsEarlierTool reports whether a text mentions a tool that an earlier step calls. It considers only names
// with an underscore, because other names may be ordinary words.
func (a speller) mentionsEarlierTool(text string) bool {
	for _, word := range strings.FieldsFunc(text, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		if !strings.Contains(word, "_") {
			continue
		}
		if calls := a.byTool[words.FoldName(word)]; len(calls) > 0 && calls[0] < a.step {
			return true
		}
	}
	return false
}

// describesValue reports whether a text, which must not end like a sentence, describes a value, such as "the
// customer's email". In all steps but the first, the text may also describe where a value comes from.
func (a speller) describesValue(text string) bool {
	if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "!") || strings.HasSuffix(text, "?") {
		return false
	}
	return a.step > 0 && sourcePhrase.MatchString(text) || len(text) <= 80 && valueName.MatchString(text) && possessed.MatchString(text)
}

var blank = regexp.MustCompile(`\{[A-Za-z][\w .'-]{0,60}\}|\[[A-Za-z][\w .'/-]{1,60}\](?:[^(\[:]|$)|<[A-Za-z][\w .'/-]{0,60}>|_{3,}|(?:^|\W)\$\d{1,3}\.[A-Za-z_]|\b[A-Z]+(?:_[A-Z]+)*_(?:NAME|EMAIL|ID|NUMBER|DATE|ADDRESS|PHONE|AMOUNT|VALUE|HERE|RESULT|OUTPUT|URL|LINK|CODE|STATUS|TITLE)\b|\b(?:YOUR|INSERT|CUSTOMER|USER|STEP|RESULT|OUTPUT|PLACEHOLDER)_[A-Z0-9_]+\b|(?i:\bTBD\b|\bXXX+\b|\(insert\b|\bplaceholder\b)`)

// hasBlank reports whether a text contains a placeholder among other words, as in "Dear [Customer Name]".
func hasBlank(text string) bool {
	for _, found := range blank.FindAllString(text, 64) {
		if found[0] != '<' {
			return true
		}
		inner := strings.Trim(found, "<>")
		if !markup.MatchString(inner) && !strings.Contains(text, "</"+inner+">") {
			return true
		}
	}
	return false
}
