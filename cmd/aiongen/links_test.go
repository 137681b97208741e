package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link    = regexp.MustCompile(`\[[^\]]*\]\(([^)\s]+)\)`)
	escaped = regexp.MustCompile(`\\.`)
)

// TestLinks checks that the files and headings exist that the documentation links to.
func TestLinks(t *testing.T) {
	root, pages := readMarkdown(t)
	links := 0
	for _, p := range pages {
		for _, m := range link.FindAllStringSubmatch(escaped.ReplaceAllString(codeSpan.ReplaceAllString(p.prose, "code"), ""), -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			links++
			target, anchor, hasAnchor := strings.Cut(m[1], "#")
			name := p.name
			if target != "" {
				name = path.Join(path.Dir(p.name), target)
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err != nil {
				t.Errorf("%s links to %s, which does not exist", p.name, m[1])
				continue
			}
			if to := pages[name]; hasAnchor && path.Ext(name) == ".md" {
				if to == nil {
					to = readMarkdownFile(t, root, name)
				}
				if !to.anchors[anchor] {
					t.Errorf("%s links to %s, which has no such heading", p.name, m[1])
				}
			}
		}
	}
	if links < 50 {
		t.Errorf("found only %d links", links)
	}
}
