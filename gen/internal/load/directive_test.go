package load

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRead reads lines as go generate does, in a file of a directory /m/tools.
func TestRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Chdir(`C:\`)
	}
	t.Setenv("OUT", "../from-outside")
	dir := filepath.FromSlash("/m/tools")
	for line, want := range map[string]*Directive{
		"//go:generate go tool aiongen":                                  {Dir: dir},
		"//go:generate aiongen":                                          {Dir: dir},
		"//go:generate\taiongen\t-o\t../gen":                             {Dir: dir, Output: "../gen"},
		"//go:generate aiongen -o=../gen -tags a,b":                      {Dir: dir, Output: "../gen", Tags: "a,b"},
		"//go:generate aiongen --o ../gen --tags=a ":                     {Dir: dir, Output: "../gen", Tags: "a"},
		"//go:generate aiongen -o ../gen\r":                              {Dir: dir, Output: "../gen"},
		`//go:generate aiongen -o "../my gen"`:                           {Dir: dir, Output: "../my gen"},
		`//go:generate aiongen "-o" "a\tb"`:                              {Dir: dir, Output: "a\tb"},
		"//go:generate aiongen -lint mcp -color never -format json -o x": {Dir: dir, Output: "x"},
		"//go:generate aiongen -o x ./... ../other":                      {Dir: dir, Output: "x", Patterns: []string{"./...", "../other"}},
		"//go:generate aiongen -C .. -o gen ./tools":                     {Dir: filepath.FromSlash("/m"), Output: "gen", Patterns: []string{"./tools"}},

		"//go:generate go tool github.com/aiongen/aiongen/cmd/aiongen -o x":          {Dir: dir, Output: "x"},
		"//go:generate go run github.com/aiongen/aiongen/cmd/aiongen -o x":           {Dir: dir, Output: "x"},
		"//go:generate go run github.com/aiongen/aiongen/cmd/aiongen@latest -o x":    {Dir: dir, Output: "x"},
		"//go:generate go run -mod=mod ../cmd/aiongen -o x":                          {Dir: dir, Output: "x"},
		"//go:generate go run -C ../.. ./cmd/aiongen -C m/tools":                     {Dir: dir},
		"//go:generate go -C=.. tool aiongen -o x":                                   {Dir: filepath.FromSlash("/m"), Output: "x"},
		"//go:generate ../bin/aiongen -o x":                                          {Dir: dir, Output: "x"},
		"//go:generate /usr/local/go/bin/go tool aiongen":                            {Dir: dir},
		"//go:generate aiongen -o ../${GOPACKAGE}_$GOLINE":                           {Dir: dir, Output: "../users_1"},
		"//go:generate aiongen -o $OUT/$NONE/$GOFILE":                                {Dir: dir, Output: "../from-outside//tools.go"},
		"//go:generate aiongen -o $DOLLAR":                                           {Dir: dir, Output: "$"},
		"//go:generate aiongen check ./...":                                          {Dir: dir, Patterns: []string{"check", "./..."}},
		"//go:generate -command gen go tool aiongen -o x\n//go:generate gen -o ../y": {Line: 2, Dir: dir, Output: "../y"},

		" //go:generate aiongen":                        nil,
		"// go:generate aiongen":                        nil,
		"//go:generateaiongen":                          nil,
		"//go:generate":                                 nil,
		"//go:generate ":                                nil,
		"//go:generate stringer -o aiongen":             nil,
		"//go:generate go generate ./...":               nil,
		"//go:generate go run ./cmd/other":              nil,
		"//go:generate echo aiongen":                    nil,
		"//go:generate aiongen -o":                      nil,
		"//go:generate aiongen -w x":                    nil,
		`//go:generate aiongen -o "open`:                nil,
		`//go:generate aiongen -o "../a"b`:              nil,
		`//go:generate aiongen -o "\z"`:                 nil,
		"//go:generate -command":                        nil,
		"//go:generate -command gen":                    nil,
		"//go:generate -command gen\n//go:generate gen": nil,
	} {
		runs := ReadDirectives(filepath.Join(dir, "tools.go"), "users", []byte("package users\n"+line+"\n"))
		var wants []Directive
		if want != nil {
			want.File, want.Line = filepath.Join(dir, "tools.go"), max(want.Line, 1)+1
			want.Output = strings.ReplaceAll(want.Output, "users_1", "users_2")
			wants = append(wants, *want)
		}
		if diff := cmp.Diff(wants, runs, cmp.Transformer("none", func(p []string) string { return strings.Join(p, " ") })); diff != "" {
			t.Errorf("%s (want -, got +):\n%s", line, diff)
		}
	}
}

// TestFlags reads lines with every flag for generating.
func TestFlags(t *testing.T) {
	usage, err := os.ReadFile("../../../cmd/aiongen/usage.go")
	if err != nil {
		t.Fatal(err)
	}
	var read []string
	for _, heading := range []string{"Flags of all commands that take flags:", "Flags for generating and checking:"} {
		_, list, _ := strings.Cut(string(usage), "\n"+heading+"\n\n")
		list, _, _ = strings.Cut(list, "\n\n")
		for line := range strings.Lines(list) {
			flag := strings.Fields(line)[0]
			if !strings.HasPrefix(flag, "-") {
				continue // continuation of the line above
			}
			if len(ReadDirectives("p/p.go", "p", []byte("//go:generate aiongen "+flag+" x"))) != 1 {
				t.Errorf("a line with %s is not understood", flag)
			}
			read = append(read, flag)
		}
	}
	if len(read) < 6 {
		t.Errorf("the usage has only the flags %v", read)
	}
}

// FuzzRead reads arbitrary lines, and must never panic.
func FuzzRead(f *testing.F) {
	f.Add("//go:generate go tool aiongen -o \"../gen\" -tags a,b ./...")
	f.Add("//go:generate -command x go run -C .. ./cmd/aiongen\n//go:generate x $GOFILE ${")
	f.Add("//go:generate \"\\\"\" aiongen")
	f.Fuzz(func(t *testing.T, src string) {
		for _, run := range ReadDirectives("p/p.go", "p", []byte(src)) {
			if run.Line < 1 || run.File != "p/p.go" {
				t.Errorf("%+v", run)
			}
		}
	})
}
