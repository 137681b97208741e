package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var generateLine = regexp.MustCompile(`(?m)^//go:generate (go .*)$`)

// TestGenerateLines checks that the //go:generate lines of modules that only use this one can find their command:
// these modules lack the checksums of what the command imports, unless they require it as a tool.
func TestGenerateLines(t *testing.T) {
	const root = "../.."
	lines := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && (name == "testdata" || len(name) > 2 && strings.HasPrefix(name, ".")):
			return fs.SkipDir
		case entry.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, line := range generateLine.FindAllStringSubmatch(string(text), -1) {
			dir := filepath.Dir(path)
			for !isFile(filepath.Join(dir, "go.mod")) {
				dir = filepath.Dir(dir)
			}
			module, err := os.ReadFile(filepath.Join(dir, "go.mod"))
			if err != nil {
				return err
			}
			lines++
			isTool := strings.Contains(string(module), "\ntool github.com/aiongen/aiongen/cmd/aiongen\n")
			if filepath.Clean(dir) != filepath.Clean(root) && !isTool && !strings.HasPrefix(line[1], "go run -C ") {
				t.Errorf("%s: %q does not work in a module without the tool: use go run -C", path, line[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if lines < 5 {
		t.Errorf("found only %d lines", lines)
	}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
