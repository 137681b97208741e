package bind

import (
	"cmp"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/budget"
	"github.com/aiongen/aiongen/gen/internal/schemagen"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// A schemaWriter writes the schemas of arguments and results in the background, while other
// elements are named. Schemas contain the names of Go types, with the package name even for types
// of the generated package.
type schemaWriter struct {
	batch      []*element // they have names but no schemas
	ownPackage string
	budget     *budget.Budget
	group      sync.WaitGroup

	mu     sync.Mutex // guards the fields below
	err    error      // of the first element that failed
	failed *element
}

// addNamed adds an element, which now has its names, to the batch.
func (w *schemaWriter) addNamed(el *element) {
	if w.batch = append(w.batch, el); len(w.batch) == 32 {
		w.writeBatch()
	}
}

func (w *schemaWriter) writeBatch() {
	elements := w.batch
	w.batch = nil
	w.group.Go(func() {
		for _, el := range elements {
			err := budget.Catch(func() { w.writeElement(el) })
			if err = cmp.Or(err, w.budget.Err()); err != nil {
				w.recordFailure(el, err)
				return
			}
		}
	})
}

func (w *schemaWriter) writeElement(el *element) {
	el.tool.Input = schemagen.Input(el.args, w.ownPackage)
	if !el.tool.OmitsOutput {
		el.tool.Output = schemagen.Output(el.tool.Result, el.resultDescription)
	}
	w.budget.UseSteps(1 + (len(el.tool.Input)+len(el.tool.Output))/bytesPerStep)
	w.budget.UseBytes(len(el.tool.Input) + len(el.tool.Output))
}

// bytesPerStep is the number of bytes of a schema that count as one step of the budget. A member
// has about that size.
const bytesPerStep = 32

func (w *schemaWriter) recordFailure(el *element, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.failed, w.err = el, err
	}
}

// waitForAll waits until all schemas are written. It returns the first element that failed
// and its error.
func (w *schemaWriter) waitForAll() (*element, error) {
	w.writeBatch()
	w.group.Wait()
	return w.failed, w.err
}

// maxSchemaDepth limits how deep the brackets of a schema nest. The runtime and JSON parsers
// read at most 1,000 levels.
const maxSchemaDepth = jsontext.Depth - 100

// checkSchemaDepth reports a schema that nests too deep, for example because hundreds of types
// contain each other.
func checkSchemaDepth(faults *diag.List, el *element) {
	for _, s := range []struct{ what, schema string }{{"arguments", el.tool.Input}, {"result", el.tool.Output}} {
		if len(s.schema) > 2*maxSchemaDepth && measureDepth(s.schema) > maxSchemaDepth {
			faults.Errorf("too-deep", el.functionSpan(), "%s: the schema of the %s nests more than %d levels deep", el.tool.Name, s.what, maxSchemaDepth).
				WithHelp("select fields with only=, or write a function that takes and returns less")
		}
	}
}

// measureDepth returns how deep the brackets of a JSON text nest.
func measureDepth(text string) (deepest int) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}

// noteSchemaSize adds a Note about each large schema, with a proposal to make it smaller.
func noteSchemaSize(faults *diag.List, el *element) {
	for _, p := range ProposeNotes(el.tool) {
		d := faults.Notef("large-schema", el.functionSpan(), "%s", p.Message).
			WithGroup(diag.Group{Subject: el.tool.Name, Many: "tools have large schemas, which the model reads with every request"})
		el.tool.Notes = append(el.tool.Notes, p.Message)
		var only []string
		for _, path := range p.Only {
			only = append(only, path.String())
		}
		if len(only) > 0 {
			d.WithHelp(`select the fields that the model needs, such as %s --> "%s | only=%s"`, p.Entry, p.Type, strings.Join(only, ","))
		} else {
			d.WithHelp(`select the fields that the model needs by paths: %s --> "%s | only=…"`, p.Entry, p.Type)
		}
		if strings.HasPrefix(p.Entry, "return") {
			d.WithHelp("or leave the schema out: tool.Annotate(…, tool.NoOutputSchema)")
		}
	}
}
