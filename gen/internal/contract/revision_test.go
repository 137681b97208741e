package contract_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/contract"
)

// git runs git commands in a directory, without a configured user.
func git(dir string, commands ...[]string) {
	for _, args := range commands {
		cmd := exec.Command("git", append([]string{"-c", "user.name=nobody", "-c", "user.email=nobody@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			log.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

func write(name, text string) {
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
		log.Fatal(err)
	}
}

func Example_checkout() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	write(filepath.Join(dir, "a"), "then")
	git(dir, []string{"init", "-q"}, []string{"add", "."}, []string{"commit", "-q", "-m", "first"})
	write(filepath.Join(dir, "a"), "now")

	folder, err := contract.Checkout(context.Background(), dir, "HEAD")
	if err != nil {
		log.Fatal(err)
	}
	defer folder.Remove()
	text, err := os.ReadFile(filepath.Join(folder.Dir, "a"))
	fmt.Printf("%s %v\n", text, err)
	// Output: then <nil>
}

// TestNeighbours checks which directories are linked next to a copy: those that a module refers to by
// a relative path out of the checkout, and none outside of the temporary folder.
func TestNeighbours(t *testing.T) {
	root := t.TempDir()
	write(filepath.Join(root, "repo", "m", "go.mod"), `module m
replace a => ../../a
replace b => ../../a/b
replace c => ../c
replace d => ./d
replace e => ../../../../../../../../../../../../../../../../../../../../etc/e
replace f => example.com/f v1.0.0
`)
	write(filepath.Join(root, "repo", "go.work"), "go 1.26\nuse ./m\nuse ../w\n")
	write(filepath.Join(root, "repo", "bad", "go.mod"), "no module\n")
	for _, name := range []string{"a/b/x", "w/x"} {
		write(filepath.Join(root, name), name)
	}
	repo := filepath.Join(root, "repo")
	git(repo, []string{"init", "-q"}, []string{"add", "."}, []string{"commit", "-q", "-m", "first"})
	folder, err := contract.Checkout(t.Context(), filepath.Join(repo, "m"), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"../../a/b/x": true, "../../w/x": true, "go.mod": true,
		"../c": false, "d": false, "../.git": false,
	} {
		if _, err := os.Stat(filepath.Join(folder.Dir, name)); (err == nil) != want {
			t.Errorf("%s is there: %v", name, err == nil)
		}
	}
	if err := folder.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(root, "a/b/x")); err != nil {
		t.Errorf("what a link leads to is gone with it: %v", err)
	}
	if _, err := os.Stat(folder.Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is there still: %v", err)
	}
}

func TestNoGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := contract.Checkout(t.Context(), ".", "HEAD"); err != contract.ErrNoGit {
		t.Error(err)
	}
}

// TestNames checks that the name of a revision cannot be an option or anything else than a commit.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	git(dir, []string{"init", "-q"}, []string{"commit", "-q", "--allow-empty", "-m", "first"})
	for _, name := range []string{"", "--all", "-h", "--git-dir", "HEAD HEAD", "HEAD:", "HEAD^{tree}", "no\x00thing", "HEAD\n"} {
		_, err := contract.Checkout(t.Context(), dir, name)
		if unknown, ok := errors.AsType[*contract.UnknownRevisionError](err); !ok || unknown.Name != name {
			t.Errorf("%q: %v", name, err)
		}
	}
}
