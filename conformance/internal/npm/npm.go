// Package npm runs packages of npm in tests.
package npm

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Folder returns the folder node_modules with the packages that .ci/run installs. If the variable NODE_PACKAGES or one
// of the given packages is missing, it skips the test, or fails it if the variable CI is set.
func Folder(t *testing.T, packages ...string) string {
	t.Helper()
	folder := os.Getenv("NODE_PACKAGES")
	missing := folder == ""
	for _, name := range packages {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			missing = true
		}
	}
	if missing && os.Getenv("CI") != "" {
		t.Fatalf("NODE_PACKAGES is not a folder with %q", packages)
	}
	if missing {
		t.Skip("install what .ci/run installs with npm, and set NODE_PACKAGES to node_modules")
	}
	return folder
}

// Start runs a program in Node. It returns its standard input, which the program reads until the end of the test, and
// its standard output.
func Start(t *testing.T, program string, args ...string) (io.Writer, io.Reader) {
	t.Helper()
	cmd := exec.Command("node", append([]string{program}, args...)...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close() // the program ends at the end of its input
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", program, err)
		}
	})
	return stdin, stdout
}
