package syntax

import (
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/internal/lazyregexp"
)

// A fence is a line of Markdown that starts or ends a block of code.
type fence struct {
	from, to int // the line with its line break
	mark     string
}

// skipFences removes the fences around a file and the prose outside of them, and reports all of
// it as one fault. It returns false if there are no fences. Models and README files often show
// files in fences.
func (s *scanner) skipFences() bool {
	opening, found := s.findOpeningFence()
	closing, ends := s.findClosingFence(opening)
	if !found && (!ends || strings.TrimSpace(s.src[closing.to:]) != "") {
		return false
	}
	var edits []diag.Edit
	at, help := closing, "delete this line"
	prose, guess := false, strings.Contains(s.src[opening.to:max(opening.to, closing.from)], "\n"+closing.mark)
	if found {
		before := min(skipBlank(s.src, s.off), opening.from)
		prose = before < opening.from
		edits = append(edits, diag.Edit{Span: s.byteSpan(before, opening.to), Text: proseComment(s.src[before:opening.from])})
		at = opening
	}
	if ends {
		end := closing.to
		after := s.src[end:]
		if strings.TrimSpace(after) != "" {
			prose, end = true, len(s.src)
			guess = guess || strings.Contains(after, "-->")
		}
		edits = append(edits, diag.Edit{Span: s.byteSpan(closing.from, end), Text: proseComment(s.src[closing.to:end])})
	}
	if found && ends {
		help = "delete this line and the last one"
	}
	if prose {
		help = "keep only the lines between the fences"
	}
	line := strings.TrimRight(s.src[at.from:at.to], " \t\r\n")
	s.Errorf("unexpected-text", s.byteSpan(at.from, at.from+len(line)), "a fence is Markdown, not AIONS").
		WithHelp("%s", help).WithFixIf(!guess, edits...)
	if ends {
		s.src = s.src[:closing.from]
	}
	if found {
		s.advanceTo(opening.to)
	}
	return true
}

// proseBeforeArray matches sentences before an array that starts on its own line.
var proseBeforeArray = lazyregexp.Regexp{Text: `^(\pL[^\s"{}\[\]]*[ \t]+[^\s"{}\[\]:=]+[ \t]+[^"{}\[\]]*)\n\s*\[\s*[{\]\w/]`}

// skipProse reports prose before the array, and skips it. It returns false if there is none. The
// fix makes the prose a comment.
func (s *scanner) skipProse() bool {
	from := skipBlank(s.src, s.off)
	found := proseBeforeArray.Get().FindStringSubmatch(s.src[from:])
	if found == nil || strings.Contains(found[1], "-->") {
		return false
	}
	prose := strings.TrimRight(found[1], " \t\r\n")
	s.advanceTo(from)
	s.Errorf("missing-array", s.nextSpan(len(firstLine(prose))), "expected \"[\" at the start of the file, found prose").
		WithHelp("write it as a comment, which starts with //").WithFix(diag.Edit{Span: s.nextSpan(len(prose)), Text: CommentLines(prose, "\n")})
	s.advanceTo(from + len(prose))
	return true
}

// declaration matches the start of a declaration of JavaScript, or of a typed variable of Python,
// whose value is an array.
var declaration = lazyregexp.Regexp{Text: `^(?:(?:export\s+)?(?:default|(?:const|let|var)\s+\w+(?:\s*:[^="{}\n]*)?\s*=)|\w+\s*:[^="{}\n]*=)\s*\[`}

// skipDeclaration reports a declaration around the array, and skips its start.
func (s *scanner) skipDeclaration() {
	from := skipBlank(s.src, s.off)
	text := strings.TrimSuffix(declaration.Get().FindString(s.src[from:]), "[")
	if text == "" {
		return
	}
	s.advanceTo(from)
	s.Errorf("missing-array", s.nextSpan(len(strings.TrimSpace(text))), "expected \"[\" at the start of the file, found a declaration").
		WithHelp("delete it: a file is its array").WithFix(diag.Edit{Span: s.nextSpan(len(text))})
	s.advanceTo(from + len(text))
}

// findOpeningFence returns the fence at the start of the file or, if prose comes first, the fence between
// the prose and the array.
func (s *scanner) findOpeningFence() (f fence, ok bool) {
	at := skipBlank(s.src, s.off)
	if f, ok = s.parseFence(at); ok {
		return f, true
	}
	if at == len(s.src) || strings.IndexByte(`[{}],"/`, s.src[at]) >= 0 {
		return fence{}, false
	}
	for _, mark := range fenceMarks {
		line := strings.Index(s.src[at:], "\n"+mark)
		if line < 0 || strings.Contains(s.src[at:at+line], "-->") {
			continue
		}
		f, ok = s.parseFence(at + line + 1)
		if next := skipBlank(s.src, f.to); ok && next < len(s.src) && strings.IndexByte("[{", s.src[next]) >= 0 {
			return f, true
		}
	}
	return fence{}, false
}

// proseComment turns the prose before or after a file into comments.
func proseComment(prose string) string {
	if strings.TrimSpace(prose) == "" {
		return ""
	}
	return CommentLines(prose, "\n") + "\n"
}

// fenceMarks are the marks with which fences start.
var fenceMarks = []string{"```", "~~~"}

// parseFence returns the fence that starts at an offset.
func (s *scanner) parseFence(at int) (f fence, ok bool) {
	for _, mark := range fenceMarks {
		line := firstLine(s.src[at:])
		if rest, found := strings.CutPrefix(line, mark); found && !strings.Contains(rest, mark) {
			return fence{at, min(len(s.src), at+len(line)+1), mark}, true
		}
	}
	return fence{}, false
}

// findClosingFence returns the last fence of the file, if it is after the opening one and
// consists of the same marks.
func (s *scanner) findClosingFence(opening fence) (f fence, ok bool) {
	for _, mark := range fenceMarks {
		if opening.mark != "" && mark != opening.mark {
			continue
		}
		last := strings.LastIndex(s.src[opening.to:], mark)
		if last < 0 {
			continue
		}
		from := opening.to + strings.LastIndexByte(s.src[opening.to:opening.to+last], '\n') + 1
		line := firstLine(s.src[from:])
		if strings.Trim(line, mark[:1]+" \t\r") == "" && from > s.off {
			return fence{from, min(len(s.src), from+len(line)+1), mark}, true
		}
	}
	return fence{}, false
}

// scanStrayFence reports a fence that is not around the whole file, and returns its width.
// It adds no fix, because the fence may separate several files.
func (s *scanner) scanStrayFence() (width int) {
	width = len(strings.TrimRight(firstLine(s.src[s.off:]), " \t\r"))
	s.Errorf("unexpected-text", s.nextSpan(width), "a fence is Markdown, not AIONS").
		WithHelp("keep only the lines between two fences")
	s.brokenTexts[s.off] = true
	return width
}

// startsFence reports whether the three backticks at the current offset are a fence, not the
// quotes of a text. A fence is on a line of its own or in a Markdown quotation.
func (s *scanner) startsFence() bool {
	before := strings.TrimSpace(s.src[s.lineStart:s.off])
	if before == "" {
		return s.previousType != ArrowToken
	}
	return strings.Trim(before, "> ") == ""
}
