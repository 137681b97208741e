package gen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPassContextDeclarations checks declarations that the Go compiler rejects as well, because
// aiongen reads packages that do not compile.
func TestPassContextDeclarations(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	for _, tt := range []struct{ declared, want string }{
		{"tool.PassContext(WithContext)", ""},
		{"tool.PassContext[Option](WithContext)", ""},
		{"tool.PassContext(WithName)", "WithName is not a function that takes a context and returns an option"},
		{"tool.PassContext(Generic)", "Generic is not a function that takes a context and returns an option"},
		{"tool.PassContext(Two)", "Two is not a function that takes a context and returns an option"},
		{"tool.PassContext(Variadic)", "Variadic is not a function that takes a context and returns an option"},
		{"tool.PassContext(Option)", "Option is not a function that takes a context and returns an option"},
		{"tool.PassContext[Option]()", "tool.PassContext takes one function"},
		{"tool.PassContext(WithContext, WithContext)", "tool.PassContext takes one function"},
		{"tool.PassContext(nowhere)", ""}, // the Go compiler says why
	} {
		t.Run(tt.declared, func(t *testing.T) {
			dir := desk(t, `[ { name --> "list", function --> "List" --> { arg-1 --> "int", arg-2 --> "any | omit" } } ]`)
			source := `package desk

import (
	"context"

	"github.com/aiongen/aiongen/runtime/tool"
)

type Option func(map[string]any)

func WithContext(ctx context.Context) Option { return nil }
func WithName(name string) Option { return nil }
func Generic[T any](ctx context.Context) (t T) { return t }
func Two(ctx context.Context) (Option, error) { return nil, nil }
func Variadic(ctx ...context.Context) Option { return nil }

var _ = ` + tt.declared + `

// List lists tickets.
func List(id int, options ...Option) error { return nil }
`
			module := "module example.com/desk\n\ngo 1.26\n\nrequire github.com/aiongen/aiongen v0.0.0\n\nreplace github.com/aiongen/aiongen => " + root + "\n"
			for name, text := range map[string]string{"list.go": source, "go.mod": module, "go.sum": string(sums)} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			_, faults := Generate(t.Context(), Config{Dir: dir})
			if got := messagesOf(faults, "bad-pass-context"); got != tt.want {
				t.Errorf("it reports %q, not %q", got, tt.want)
			}
			if strings.Contains(messagesOf(faults, "unused-pass-context"), "WithContext") {
				t.Error("a declaration that is used is reported as unused")
			}
		})
	}
}
