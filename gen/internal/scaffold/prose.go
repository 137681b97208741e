package scaffold

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/internal/lazyregexp"
)

// describeForModel returns the part of a Go comment that a model needs. It drops the name of the function
// or field at the beginning, and sentences for programmers. The result is "" if nothing is left.
func describeForModel(comment, name string) string {
	var described []string
	lines := dropExamples(strings.Split(comment, "\n"))
	for _, line := range lines {
		text := line
		if line != "" && line[0] != ' ' && line[0] != '\t' {
			if text = keepForModel(line, len(described) == 0); text == "" {
				continue
			}
			if len(described) == 0 {
				text = dropName(text, name)
			}
		}
		if text == "" && (len(described) == 0 || described[len(described)-1] == "") {
			continue
		}
		described = append(described, text)
	}
	return strings.TrimSpace(strings.Join(described, "\n"))
}

// dropExamples removes indented blocks of Go code, and the sentences that introduce them.
func dropExamples(lines []string) (rest []string) {
	for i := 0; i < len(lines); {
		end := i + countIndented(lines[i:])
		if end > i && goCode.Get().MatchString(strings.Join(lines[i:end], "\n")) {
			rest = dropLastLeadIn(rest)
		} else {
			end = max(end, i+1)
			rest = append(rest, lines[i:end]...)
		}
		i = end
	}
	return rest
}

// countIndented returns how many lines at the beginning of lines form an indented block.
func countIndented(lines []string) (n int) {
	indented := func(i int) bool { return i < len(lines) && strings.HasPrefix(lines[i], "\t") }
	for indented(n) || n > 0 && n < len(lines) && lines[n] == "" && indented(n+1) {
		n++
	}
	return n
}

// dropLastLeadIn removes the last sentence of a text if it does not end with a period, such as "For
// example:", because it introduces what follows.
func dropLastLeadIn(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	last := len(lines) - 1
	if last < 0 || strings.HasSuffix(lines[last], ".") || lines[last][0] == '\t' || lines[last][0] == ' ' {
		return lines
	}
	sentences := splitSentences(lines[last])
	if lines[last] = strings.Join(sentences[:len(sentences)-1], " "); last == 0 && len(sentences) == 1 {
		lines[0] = strings.TrimSuffix(sentences[0], ":") + "."
	}
	return lines
}

// goCode matches text that is Go code, not a table or a list of forms.
var goCode = lazyregexp.Regexp{Text: `:=|\w\.\w+\(|(?m)^\t+(?:func|type|var|import|package|if|for|return|go|defer) |\)$|\{$`}

// keepForModel returns the sentences of a paragraph that are not for programmers. The first
// sentence of a comment says what the function does: it is kept, whatever words it has, unless it
// only refers to another text.
func keepForModel(paragraph string, isFirst bool) string {
	var sentences []string
	for i, sentence := range splitSentences(paragraph) {
		first := isFirst && i == 0
		switch {
		case programmerNote.Get().MatchString(sentence): // the rest of the paragraph says what to use instead
			if before := strings.TrimSpace(sentence[:programmerNote.Get().FindStringIndex(sentence)[0]]); before != "" {
				sentences = append(sentences, before)
			}
			return strings.Join(sentences, " ")
		case reference.Get().MatchString(sentence), !first && (forProgrammers.Get().MatchString(sentence) || goIdentifier.Get().MatchString(sentence)):
			continue
		}
		sentence = withContext.Get().ReplaceAllString(sentence, "$1")
		sentence = provides.Get().ReplaceAllString(sentence, "$1 ")
		sentences = append(sentences, bareAddress.Get().ReplaceAllString(sentence, ""))
	}
	return strings.TrimSpace(strings.Join(sentences, " "))
}

var (
	// programmerNote matches markers of messages to programmers, such as "Deprecated:" and "TODO:".
	programmerNote = lazyregexp.Regexp{Text: `^(?:Deprecated\b|DEPRECATED\b)|(?:^|\s)(?:Deprecated|DEPRECATED):|(?:^|\s)(?:TODO|FIXME|XXX|HACK)(?:\(.*?\))?:`}

	// reference matches sentences that only refer to another text: "See https://…", "For more
	// details, see …", "API reference: https://…".
	reference = lazyregexp.Regexp{Text: `^(?:(?:Please )?(?:[Ss]ee|[Rr]efer to|[Rr]ead|[Cc]heck)(?: also)?:?\s|(?:For|To (?:get|learn|see)) (?:more|further|additional|full|usage|an? )\b.*\b(?:see|refer|visit|read|check)\b|(?:More|Further) (?:info|details|at|on)|(?:[\w-]+ ){0,5}[\w-]+: ?(?:\w+ \S+ ?)?<?https?://|<?https?://\S+$)`}

	// forProgrammers matches sentences with words of Go, which mean nothing to a model.
	forProgrammers = lazyregexp.Regexp{Text: `(?i)\b(?:nil|non-nil|zero[- ]value|go ?routines?|callers?|ctx|context\.\w+|pointers?|structs?|panics?|type assert\w*|http\.\w+|io\.\w+|the caller|must (?:be )?closed?\b|should (?:be )?closed?\b|concurren\w+[- ]safe|safe for concurrent|thread[- ]safe|(?:a|the) context (?:to|for|is)|variadic|this (?:function|method) (?:is a (?:wrapper|shorthand|helper)|wraps)|experimental|subject to change)\b`}

	// goIdentifier matches words that can only be Go: *AuthError, kerr.ErrorForCode.
	goIdentifier = lazyregexp.Regexp{Text: `\*[A-Z]\w+|\b[a-z]\w*\.[A-Z]\w*[a-z]`}

	// provides matches phrases that add nothing, as in "FindUser provides a function to find …".
	provides = lazyregexp.Regexp{Text: `(?:^|\b)[Pp]rovides? (?:a|the) (?:function|method|way) (to|for) `}

	// withContext matches phrases about the context of a function, such as "with the given context".
	withContext = lazyregexp.Regexp{Text: ` (?:with|using) (?:an? |the )?(?:custom |given |provided |supplied |specified )?context(?:\.Context)?(?: to control [^.]*)?([.,;]|$)`}

	// bareAddress matches an address or an endpoint that was only added to the end of a sentence, such as "GET /users".
	bareAddress = lazyregexp.Regexp{Text: `(?:^|\s+)<?https?://\S+$|\s*(?:Endpoint:?|API:?)? ?\b(?:GET|POST|PUT|PATCH|DELETE):? /\S*$`}
)

// splitSentences splits a paragraph after periods, question marks and exclamation marks that are followed
// by a space and then a capital letter or an address, unless the word before is an abbreviation.
func splitSentences(paragraph string) (sentences []string) {
	start := 0
	for i := 0; i+2 < len(paragraph); i++ {
		if !strings.ContainsRune(".?!", rune(paragraph[i])) || paragraph[i+1] != ' ' {
			continue
		}
		next, _ := utf8.DecodeRuneInString(paragraph[i+2:])
		starts := unicode.IsUpper(next) || strings.HasPrefix(paragraph[i+2:], "http")
		if word := paragraph[strings.LastIndexAny(paragraph[:i], " (")+1 : i]; starts && !isAbbreviation(word) {
			sentences = append(sentences, paragraph[start:i+1])
			start = i + 2
		}
	}
	return append(sentences, paragraph[start:])
}

// isAbbreviation reports whether a period after a word usually does not end a sentence.
func isAbbreviation(word string) bool {
	switch strings.ToLower(word) {
	case "e.g", "i.e", "vs", "cf", "approx", "no", "st", "dr", "mr", "mrs", "u.s":
		return true
	}
	return false
}

// dropName removes the name of a function or field from the beginning of a sentence: "ListUsers
// returns all users." becomes "Returns all users." A sentence that would be broken without the
// name stays as it is.
func dropName(sentence, name string) string {
	first, rest, _ := strings.Cut(sentence, " ")
	first, colon := strings.CutSuffix(first, ":")
	if !isNameOf(first, name) {
		return sentence
	}
	rest = strings.TrimLeft(rest, " -–—:")
	for isAddress(rest) {
		_, rest, _ = strings.Cut(rest, " ")
	}
	word, after, _ := strings.Cut(rest, " ")
	switch {
	case rest == "":
		return ""
	case colon, isVerb(word, name):
		return capitalize(rest)
	case word == "is":
		return dropVerb(sentence, after)
	case word == "will", word == "to", word == "can":
		if next, _, _ := strings.Cut(after, " "); isVerb(next, name) {
			return capitalize(after)
		}
	}
	return sentence
}

// verbs are verbs with which comments of functions often begin, without the final s.
var verbs = strings.Fields(`accept add adjust allow append apply archive assign attach build calculate call cancel change check clear
	clone close collect commit compare compute configure confirm connect construct convert copy count create cut deactivate decode delete describe
	destroy detach determine disable discard download drop edit enable encode end ensure enumerate evaluate execute export extract
	fetch fill filter find finish flush force format forward generate get give grant handle import increment initialize insert install
	instruct invite invoke issue join kick leave list load lock look make mark match merge migrate modify move normalize obtain open
	order parse patch pause perform pin place post prepare print process produce provide publish pull purge push put query queue read
	rebuild receive record redirect refresh refund register reject release reload remove rename reopen replace reply report request require
	reset resize resolve restart restore resume retrieve return revoke roll rotate round run save scan schedule search select send serialize
	set share show shut sign sort split star start stop store submit subscribe sum suspend swap sync synchronize tag take terminate test toggle
	track transfer translate transform trigger trim truncate try unarchive unassign unlock unpin unregister unset unstar unsubscribe update
	upgrade upload upsert use validate verify wait watch withdraw wrap write yield`)

// isVerb reports whether a word is a verb in the third person or in its base form: one of verbs, or the
// first word of the function's name. If the name has several words, any word that ends with s may be a
// verb.
func isVerb(word, name string) bool {
	shortName := withoutPointer(name)
	shortName = shortName[strings.LastIndex(shortName, ".")+1:]
	nameWords := strings.Split(goname.SnakeCase(shortName), "_")
	word = strings.TrimSuffix(word, ":")
	switch word {
	case "is", "has", "was", "does", "this", "its", "as", "us", "plus", "versus", "thus", "always", "various", "previous", "less", "access":
		return false
	}
	if !startsLower(word) || strings.ContainsAny(word, ".,;:'") {
		return false
	}
	thirdPerson := strings.HasSuffix(word, "s")
	stems := []string{word, strings.TrimSuffix(word, "s"), strings.TrimSuffix(word, "es")}
	if y, ok := strings.CutSuffix(word, "ies"); ok {
		stems = append(stems, y+"y")
	}
	for _, stem := range stems {
		if stem == nameWords[0] && (thirdPerson || len(nameWords) > 1) || slices.Contains(verbs, stem) && (thirdPerson || len(nameWords) > 1) {
			return true
		}
	}
	return thirdPerson && len(nameWords) > 1 && !slices.Contains(nameWords, word)
}

// dropVerb returns a sentence without its subject and the verb "is", if an article or "used to"
// follows; after is the text after the verb.
func dropVerb(sentence, after string) string {
	word, _, _ := strings.Cut(after, " ")
	switch word {
	case "a", "an", "the":
		return capitalize(after)
	case "used":
		if verb, ok := strings.CutPrefix(after, "used to "); ok {
			return capitalize(verb)
		}
	}
	return sentence
}

// isNameOf reports whether a word at the beginning of a comment is the name of the function or field:
// Find, Store.Find, (*Store).Find or Find(). For FindContext, it may also be Find, the name of the variant
// without a context.
func isNameOf(word, name string) bool {
	word, _, _ = strings.Cut(withoutPointer(strings.TrimRight(word, ",")), "(")
	shortName := withoutPointer(name)
	shortName = shortName[strings.LastIndex(shortName, ".")+1:]
	word = word[strings.LastIndex(word, ".")+1:]
	if word == "" {
		return false
	}
	for _, suffix := range []string{"", "Context", "WithContext"} {
		if base := strings.TrimSuffix(shortName, suffix); base != "" && strings.EqualFold(base, word) && isGoName(word, shortName) {
			return true
		}
	}
	return false
}

// isGoName reports whether a word is written like the name, not like an ordinary word. If "Create a user"
// is the comment of a function create, its first word is an ordinary word.
func isGoName(word, name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return word == name || unicode.IsUpper(r) || strings.ContainsFunc(word[1:], unicode.IsUpper)
}

func startsLower(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLower(r)
}

func isAddress(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}

// capitalize returns a sentence with a capital letter at its beginning.
func capitalize(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}
