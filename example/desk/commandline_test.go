package desk

import (
	"os"
	"path/filepath"
	"testing"
)

// TestGoRunCommand tests that the example shows commands that work in the directory where it was started.
func TestGoRunCommand(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	deploy := filepath.Join(root, "deploy")
	if err := os.MkdirAll(filepath.Join(deploy, "desk"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{root, deploy} {
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ dir, shell, below, want string }{
		{root, root, "/example", "go run ./example"},
		{filepath.Join(root, "example"), filepath.Join(root, "example"), "/example", "go run ."},
		{filepath.Join(root, "docs"), filepath.Join(root, "docs"), "/example", "go run ../example"},
		{deploy, deploy, "/desk", "go run ./desk"},
		{deploy, root, "/desk", "go run -C deploy ./desk"},
		{root, "", "/example", "go run ./example"},
	} {
		if test.shell != "" {
			if err := os.MkdirAll(test.shell, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if got := goRunCommand(test.dir, test.shell, findModule(test.dir), test.below); got != test.want {
			t.Errorf("in %s, started in %s: %s, want %s", test.dir, test.shell, got, test.want)
		}
	}
	for line, want := range map[string]string{"go run ./example": "example", "example": "example", "./bin/desk": "desk", "go run -C deploy ./desk": "desk"} {
		if got := programName(line); got != want {
			t.Errorf("the program of %s is %s, want %s", line, got, want)
		}
	}
	for executable, want := range map[string]bool{
		"/tmp/go-build1234/b001/exe/example": true,
		"/home/ada/.cache/go-build/ab/ab0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcd-d/example": true,
		"/usr/local/bin/example": false, "/home/a/exe/example": false,
	} {
		if got := isBuiltByGoRun(executable); got != want {
			t.Errorf("%s was built by go run: %t", executable, got)
		}
	}
}
