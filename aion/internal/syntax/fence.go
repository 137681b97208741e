package syntax

import (
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// A fence is a line of Markdown that starts or ends a block of code.
type fence struct {
	from, to int // the line with its line end
	mark     string
}

// skipFences leaves out the fences around a file, and the prose around these: models and
// README files show a file that way. It reports them once.
func (s *scanner) skipFences() {
	opening, found := s.openingFence()
	closing, ends := s.closingFence(opening)
	if !found && (!ends || strings.TrimSpace(s.src[closing.to:]) != "") {
		return
	}
	var edits []diag.Edit
	at, help := closing, "delete this line"
	guess := false
	if found {
		before := skipBlank(s.src, s.off)
		guess = before < opening.from
		edits = append(edits, diag.Edit{Span: s.span(min(before, opening.from), opening.to)})
		at = opening
	}
	if ends {
		end := closing.to
		if strings.TrimSpace(s.src[end:]) != "" {
			guess, end = true, len(s.src)
		}
		edits = append(edits, diag.Edit{Span: s.span(closing.from, end)})
	}
	if found && ends {
		help = "delete this line and the last one"
	}
	if guess {
		help = "keep only the lines between the fences"
	}
	line := strings.TrimRight(s.src[at.from:at.to], " \t\r\n")
	s.Errorf("unexpected-text", s.span(at.from, at.from+len(line)), "a fence is Markdown, not AIONS").
		WithHelp("%s", help).WithFixIf(!guess, edits...)
	if ends {
		s.src = s.src[:closing.from]
	}
	if found {
		s.advance(opening.to)
	}
}

// openingFence returns the fence that the file starts with, or that follows prose in front
// of an array.
func (s *scanner) openingFence() (f fence, ok bool) {
	at := skipBlank(s.src, s.off)
	if f, ok = s.fenceAt(at); ok {
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
		f, ok = s.fenceAt(at + line + 1)
		if next := skipBlank(s.src, f.to); ok && next < len(s.src) && strings.IndexByte("[{", s.src[next]) >= 0 {
			return f, true
		}
	}
	return fence{}, false
}

// fenceMarks are what fences consist of.
var fenceMarks = []string{"```", "~~~"}

// fenceAt returns the fence that starts at an offset.
func (s *scanner) fenceAt(at int) (f fence, ok bool) {
	for _, mark := range fenceMarks {
		line := firstLine(s.src[at:])
		if rest, found := strings.CutPrefix(line, mark); found && !strings.Contains(rest, mark) {
			return fence{at, min(len(s.src), at+len(line)+1), mark}, true
		}
	}
	return fence{}, false
}

// closingFence returns the last fence of the file, if it is behind the opening one and
// consists of the same marks.
func (s *scanner) closingFence(opening fence) (f fence, ok bool) {
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

// strayFence reports a fence that is not around the whole file, and returns its width. It
// may end one of several files, so that there is no edit.
func (s *scanner) strayFence() (width int) {
	width = len(strings.TrimRight(firstLine(s.src[s.off:]), " \t\r"))
	s.Errorf("unexpected-text", s.here(width), "a fence is Markdown, not AIONS").
		WithHelp("keep only the lines between two fences")
	s.broken[s.off] = true
	return width
}

// startsFence reports whether three backticks at the scanner's place are a fence, on a line
// of its own or in a quotation, and not the quotes of a text.
func (s *scanner) startsFence() bool {
	before := strings.TrimSpace(s.src[s.lineStart:s.off])
	if before == "" {
		return s.previous != ArrowToken
	}
	return strings.Trim(before, "> ") == ""
}
