package main

import (
	"runtime/debug"
	"testing"
)

// TestDescribeCommit checks that only a commit of aiongen itself is shown, not that of a module that uses it as a tool.
func TestDescribeCommit(t *testing.T) {
	settings := []debug.BuildSetting{{Key: "vcs.revision", Value: "0a1b2c"}, {Key: "vcs.time", Value: "2026-01-02T03:04:05Z"}, {Key: "vcs.modified", Value: "true"}}
	for _, test := range []struct {
		path     string
		settings []debug.BuildSetting
		want     string
	}{
		{modulePath, settings, "0a1b2c of 2026-01-02T03:04:05Z, modified"},
		{modulePath, settings[:2], "0a1b2c of 2026-01-02T03:04:05Z"},
		{modulePath, settings[:1], "0a1b2c"},
		{modulePath, nil, ""},
		{"example.com/user", settings, ""},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Path: test.path}, Settings: test.settings}
		if got := describeCommit(info); got != test.want {
			t.Errorf("%s, %v: %q, want %q", test.path, test.settings, got, test.want)
		}
	}
}

// TestQuoteArgument checks arguments of commands that messages suggest.
func TestQuoteArgument(t *testing.T) {
	for arg, want := range map[string]string{"./...": "./...", "a,b": "a,b", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "$HOME": "'$HOME'"} {
		if got := quoteArgument(arg); got != want {
			t.Errorf("%q becomes %s, want %s", arg, got, want)
		}
	}
}
