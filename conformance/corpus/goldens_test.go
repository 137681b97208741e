package corpus_test

import (
	"fmt"
	"io"
	"net/http"
	"reflect"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/aliases"
	"github.com/aiongen/aiongen/testdata/golden/aliases/parts"
	"github.com/aiongen/aiongen/testdata/golden/annotations"
	"github.com/aiongen/aiongen/testdata/golden/clashes"
	"github.com/aiongen/aiongen/testdata/golden/comments"
	"github.com/aiongen/aiongen/testdata/golden/corpus"
	"github.com/aiongen/aiongen/testdata/golden/custom"
	"github.com/aiongen/aiongen/testdata/golden/fields"
	"github.com/aiongen/aiongen/testdata/golden/functions"
	"github.com/aiongen/aiongen/testdata/golden/imports"
	"github.com/aiongen/aiongen/testdata/golden/injected"
	"github.com/aiongen/aiongen/testdata/golden/lambdas"
	"github.com/aiongen/aiongen/testdata/golden/literals"
	"github.com/aiongen/aiongen/testdata/golden/locks"
	"github.com/aiongen/aiongen/testdata/golden/names"
	"github.com/aiongen/aiongen/testdata/golden/notation"
	"github.com/aiongen/aiongen/testdata/golden/notes"
	output "github.com/aiongen/aiongen/testdata/golden/output/gen"
	"github.com/aiongen/aiongen/testdata/golden/paths"
	"github.com/aiongen/aiongen/testdata/golden/placeholders"
	"github.com/aiongen/aiongen/testdata/golden/pointers"
	"github.com/aiongen/aiongen/testdata/golden/prompts"
	"github.com/aiongen/aiongen/testdata/golden/receivers"
	"github.com/aiongen/aiongen/testdata/golden/references"
	"github.com/aiongen/aiongen/testdata/golden/represented"
	"github.com/aiongen/aiongen/testdata/golden/rules"
	"github.com/aiongen/aiongen/testdata/golden/schemas"
	"github.com/aiongen/aiongen/testdata/golden/shaping"
	"github.com/aiongen/aiongen/testdata/golden/supplied"
	"github.com/aiongen/aiongen/testdata/golden/tags"
	"github.com/aiongen/aiongen/testdata/golden/texts"
	"github.com/aiongen/aiongen/testdata/golden/types"
	"github.com/aiongen/aiongen/testdata/golden/unions"
	"github.com/aiongen/aiongen/testdata/golden/unseen"
	"github.com/aiongen/aiongen/testdata/golden/variations"
)

// goldenTools returns the tools of all golden packages, by package. The tools are not called.
func goldenTools(t testing.TB) map[string][]tool.Tool {
	return map[string][]tool.Tool{
		"aliases":     toolsWith(t, aliases.Tools, aliases.Deps{Client: struct{ parts.Client }{}}),
		"annotations": toolsWith(t, annotations.Tools, annotations.Deps{}),
		"clashes":     clashes.Tools(),
		"comments":    toolsWith(t, comments.Tools, comments.Deps{}),
		"corpus":      corpus.Tools(),
		"custom":      custom.Tools(),
		"fields":      fields.Tools(),
		"functions":   toolsWith(t, functions.Tools, functions.Deps{Clock: struct{ functions.Clock }{}}),
		"imports":     toolsWith(t, imports.Tools, imports.Deps{}),
		"injected":    toolsWith(t, injected.Tools, injected.Deps{Writer: io.Discard, Now: func() int { return 0 }}),
		"lambdas":     lambdas.Tools(),
		"literals":    literals.Tools(),
		"locks":       toolsWith(t, locks.Tools, locks.Deps{}),
		"names":       toolsWith(t, names.Tools, names.Deps{Deps: names.NewDeps()}),
		"notation":    notation.Tools(),
		"notes":       notes.Tools(),
		"output":      output.Tools(),
		"paths": toolsWith(t, paths.Tools, paths.Deps{
			Client: &paths.Client{Users: &paths.Users{Inner: &paths.Client{Users: &paths.Users{}}}, Search: struct{ paths.Searcher }{}, Common: &paths.Common{Rates: &paths.Users{}}},
			Shop:   paths.NewShop(""), Server: &http.Server{Handler: http.NotFoundHandler()},
		}),
		"placeholders": placeholders.Tools(),
		"pointers":     pointers.Tools(),
		"prompts":      prompts.Tools(),
		"receivers":    toolsWith(t, receivers.Tools, receivers.Deps{Desk: struct{ receivers.Desk }{}, Stringer: struct{ fmt.Stringer }{}}),
		"references":   references.Tools(),
		"represented":  represented.Tools(),
		"rules":        rules.Tools(),
		"schemas":      schemas.Tools(),
		"shaping":      shaping.Tools(),
		"supplied":     toolsWith(t, supplied.Tools, supplied.Deps{}),
		"tags":         tags.Tools(),
		"texts":        texts.Tools(),
		"types":        types.Tools(),
		"unions":       unions.Tools(),
		"unseen":       unseen.Tools(),
		"variations":   variations.Tools(),
	}
}

// toolsWith returns the tools of a package with dependencies. Unset dependencies are zero values.
func toolsWith[D any](t testing.TB, tools func(D) ([]tool.Tool, error), deps D) []tool.Tool {
	t.Helper()
	for _, field := range reflect.ValueOf(&deps).Elem().Fields() {
		if field.Kind() == reflect.Pointer && field.IsNil() {
			field.Set(reflect.New(field.Type().Elem()))
		}
	}
	all, err := tools(deps)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
