package main

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"html"
	"regexp"
	"strings"
)

// The sizes of an image in pixels. Each line of text is stretched to the width of its characters, so the image
// looks the same with any monospaced font.
const (
	imageWidth  = 960
	margin      = 8
	gap         = 40 // between the columns
	lineHeight  = 19
	charWidth   = 7.2
	fontSize    = 12
	titleHeight = 34
	padding     = 14
)

// palette has the colors of an image by class of text.
type palette map[string]string

var palettes = map[string]palette{
	"light": {
		"panel": "#ffffff", "bar": "#f6f8fa", "border": "#d0d7de", "text": "#1f2328", "title": "#59636e",
		"keyword": "#cf222e", "string": "#0a3069", "name": "#0550ae", "comment": "#59636e", "error": "#cf222e", "help": "#1a7f37", "arrow": "#8250df",
	},
	"dark": {
		"panel": "#0d1117", "bar": "#151b23", "border": "#3d444d", "text": "#f0f6fc", "title": "#9198a1",
		"keyword": "#ff7b72", "string": "#a5d6ff", "name": "#79c0ff", "comment": "#9198a1", "error": "#ff7b72", "help": "#7ee787", "arrow": "#d2a8ff",
	},
}

// span is text of one class.
type span struct{ class, text string }

// panel is a window with text.
type panel struct {
	title string
	lines [][]span
}

// height returns the height of the panel in pixels.
func (p panel) height() int { return titleHeight + 2*padding + len(p.lines)*lineHeight - 4 }

// columns is how many characters fit into a line of the narrow panels.
const columns = 58

// cutLines cuts lines that are too long for a narrow panel, and marks them with an ellipsis.
func (p panel) cutLines() {
	for i, line := range p.lines {
		length := 0
		for _, s := range line {
			length += len([]rune(s.text))
		}
		if length <= columns {
			continue
		}
		room := columns - 1
		for j, s := range line {
			if text := []rune(s.text); len(text) >= room {
				p.lines[i] = append(line[:j:j], span{s.class, string(text[:room]) + "…"})
				break
			}
			room -= len([]rune(s.text))
		}
	}
}

// drawImage draws four panels: the two sources with an arrow to the generated code, and the report.
func drawImage(t *texts, colors palette) []byte {
	notation := panel{"users.aion: words for the model", highlight(t.notation, notationClasses)}
	function := panel{"users.go: your function, unchanged", highlightGo(excerpt(t.function, "type User", "}\n\n", "// FindUser", ""))}
	generated := panel{"users.aion.go: generated", highlightGo(excerpt(t.generated, generatedExcerpts...))}
	report := panel{"$ go tool aiongen   (after FindUser was renamed)", highlight(strings.TrimSpace(t.report), reportClasses)}

	for _, p := range []panel{notation, function, generated} {
		p.cutLines()
	}
	column := (imageWidth - 2*margin - gap) / 2
	right := margin + column + gap
	top := max(notation.height()+margin+function.height(), generated.height())
	functionTop := margin + top - function.height()
	var b bytes.Buffer
	height := 3*margin + top + report.height()
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="%d">`+"\n", imageWidth, height, fontSize)
	b.WriteString("<style>text { white-space: pre }")
	for _, class := range []string{"text", "title", "keyword", "string", "name", "comment", "error", "help"} {
		fmt.Fprintf(&b, " .%s { fill: %s }", class, colors[class])
	}
	b.WriteString("</style>\n")
	notation.draw(&b, colors, margin, margin, column, functionTop-2*margin)
	function.draw(&b, colors, margin, functionTop, column, function.height())
	generated.draw(&b, colors, right, margin, column, top)
	report.draw(&b, colors, margin, 2*margin+top, imageWidth-2*margin, report.height())
	y := margin + top/2
	fmt.Fprintf(&b, `<path d="M %d %d h %d m -7 -6 l 7 6 l -7 6" fill="none" stroke="%s" stroke-width="2"/>`+"\n", right-gap+6, y, gap-12, colors["arrow"])
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// draw draws the panel.
func (p panel) draw(b *bytes.Buffer, colors palette, x, y, width, height int) {
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" rx="8" fill="%s" stroke="%s"/>`+"\n", x, y, width, height, colors["panel"], colors["border"])
	fmt.Fprintf(b, `<path d="M %d %d v -%d q 0 -8 8 -8 h %d q 8 0 8 8 v %d z" fill="%s" stroke="%s"/>`+"\n", x, y+titleHeight, titleHeight-8, width-16, titleHeight-8, colors["bar"], colors["border"])
	drawLine(b, x+padding, y+22, []span{{"title", p.title}})
	for i, line := range p.lines {
		drawLine(b, x+padding, y+titleHeight+padding+11+i*lineHeight, line)
	}
}

// drawLine draws one line of text.
func drawLine(b *bytes.Buffer, x, y int, line []span) {
	count := 0
	var parts strings.Builder
	for _, s := range line {
		count += len([]rune(s.text))
		fmt.Fprintf(&parts, `<tspan class="%s">%s</tspan>`, s.class, html.EscapeString(s.text))
	}
	if count > 0 {
		fmt.Fprintf(b, `<text x="%d" y="%d" xml:space="preserve" textLength="%.1f" lengthAdjust="spacingAndGlyphs">%s</text>`+"\n", x, y, float64(count)*charWidth, parts.String())
	}
}

// class is a class of text with the pattern that finds it.
type class struct {
	name    string
	pattern *regexp.Regexp
}

var (
	notationClasses = []class{
		{"string", regexp.MustCompile(`"[^"]*"`)},
		{"keyword", regexp.MustCompile(`-->`)},
		{"name", regexp.MustCompile(`[a-z]+(-\d)?`)},
	}
	reportClasses = []class{
		{"error", regexp.MustCompile(`error:|\^+`)},
		{"help", regexp.MustCompile(`help:|\[[a-z-]+\]$`)},
	}
)

// highlight splits a text into lines of spans, by the first class that matches at the earliest position.
func highlight(text string, classes []class) (lines [][]span) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		var spans []span
		for line != "" {
			start, end, name := len(line), len(line), "text"
			for _, c := range classes {
				if m := c.pattern.FindStringIndex(line); m != nil && m[0] < start {
					start, end, name = m[0], m[1], c.name
				}
			}
			if start > 0 {
				spans = append(spans, span{"text", line[:start]})
			}
			if start < end {
				spans = append(spans, span{name, line[start:end]})
			}
			line = line[end:]
		}
		lines = append(lines, spans)
	}
	return lines
}

// highlightGo splits Go code into lines of spans.
func highlightGo(code string) (lines [][]span) {
	code = strings.ReplaceAll(code, "\t", "  ")
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(code))
	var s scanner.Scanner
	s.Init(file, []byte(code), func(token.Position, string) {}, scanner.ScanComments)
	var spans []span
	end := 0
	for {
		position, kind, literal := s.Scan()
		if kind == token.EOF {
			break
		}
		if kind == token.SEMICOLON && literal == "\n" {
			continue
		}
		start := file.Offset(position)
		text := literal
		if text == "" {
			text = kind.String()
		}
		name := "text"
		switch {
		case kind.IsKeyword():
			name = "keyword"
		case kind == token.STRING:
			name = "string"
		case kind == token.COMMENT:
			name = "comment"
		}
		spans = append(spans, span{"text", code[end:start]}, span{name, text})
		end = start + len(text)
	}
	return splitLines(append(spans, span{"text", code[end:]}))
}

// splitLines splits spans at line breaks.
func splitLines(spans []span) (lines [][]span) {
	lines = [][]span{nil}
	for _, s := range spans {
		for i, text := range strings.Split(s.text, "\n") {
			if i > 0 {
				lines = append(lines, nil)
			}
			if text != "" {
				lines[len(lines)-1] = append(lines[len(lines)-1], span{s.class, text})
			}
		}
	}
	for len(lines) > 0 && len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// excerpt returns the parts of a text that begin with one string and end before or with the next one; "" is the
// end of the text. Bounds come in pairs.
func excerpt(text string, bounds ...string) string {
	var parts []string
	for i := 0; i+1 < len(bounds); i += 2 {
		_, after, _ := strings.Cut(text, bounds[i])
		part := bounds[i] + after
		if bounds[i+1] != "" {
			before, _, _ := strings.Cut(part, bounds[i+1])
			part = before + strings.TrimRight(bounds[i+1], "\n")
		}
		parts = append(parts, strings.TrimRight(part, "\n"))
	}
	return strings.Join(parts, "\n\n")
}

// generatedExcerpts are the bounds of what is shown of the generated code.
var generatedExcerpts = []string{
	"// FindUserArgs", "}\n\n",
	"const (\n\tfindUserInput", ")\n\n",
	"func decodeFindUserArgs", "}\n\n",
	"func encodeFindUserResult", "}\n\n",
}
