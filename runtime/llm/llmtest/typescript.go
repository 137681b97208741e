package llmtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TypeScript is the vendor's type of a request in its npm package. [Test] checks the requests of all
// tests against it with the TypeScript compiler. The environment variable NODE_PACKAGES contains the
// path of a folder node_modules with the package and with typescript; without it, the check is skipped.
type TypeScript struct {
	Package string // such as openai
	Import  string // such as: import type { ChatCompletionCreateParams } from "openai/resources/chat/completions"
	Type    string // such as ChatCompletionCreateParams

	// Convert converts the body of a request to the JSON of the type. Use it if the type describes the
	// arguments of the SDK instead of the body, or if a test sends members that the vendor supports but
	// the type does not. If it is nil, the body is used.
	Convert func(body []byte) []byte
}

// check type-checks the bodies of requests.
func (s TypeScript) check(t *testing.T, bodies []string) {
	modules := os.Getenv("NODE_PACKAGES")
	if modules == "" {
		t.Skip("install what .ci/run installs with npm, and set NODE_PACKAGES to node_modules")
	}
	for _, name := range []string{"typescript", s.Package} {
		if _, err := os.Stat(filepath.Join(modules, name)); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatal(err)
			}
			t.Skipf("npm package %s is missing in NODE_PACKAGES", name)
		}
	}
	var source strings.Builder
	source.WriteString(s.Import + "\n")
	for i, text := range bodies {
		body := []byte(text)
		if s.Convert != nil {
			body = s.Convert(body)
		}
		fmt.Fprintf(&source, "export const request%d: %s = %s\n", i, s.Type, body)
	}
	folder := t.TempDir()
	if err := os.Symlink(modules, filepath.Join(folder, "node_modules")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "requests.ts")
	if err := os.WriteFile(file, []byte(source.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(modules, ".bin", "tsc"), "--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2023", file)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\nin\n%s", err, out, source.String())
	}
}
