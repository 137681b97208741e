// Package budget limits the work that the compiler does for one package.
//
// Create a Budget with New for each package, pass it to every stage from parsing to
// printing, and let each stage record what it is about to do:
//
//	if !b.UseSteps(1) {
//		return // the caller reports b.Err
//	}
//
// Once the budget is used up, or its context ends, every method returns false. A stage
// then returns as soon as it can. What it has produced so far is incomplete and must not
// be used. The function that runs the stages checks Err after each of them.
//
// ParseExpr and CutDeepTypes limit how deep Go types and expressions nest before a type
// checker or a printer sees them: both take time and memory that grow with the square or the
// cube of the depth. Catch turns the panic of a stage into an error, and ReportFailure
// reports it, or a used-up budget, for one package. Other packages are still compiled.
package budget

import (
	"context"
	"fmt"
	"sync/atomic"
)

// The limits of every Budget. Real packages need less than a tenth of each, even one with 1,000
// tools or one that uses the types of Kubernetes.
const (
	// MaxSteps limits the steps. A step is the work for one token, type, field, schema node or line
	// of generated code, and takes less than a microsecond.
	MaxSteps = 5_000_000

	// MaxBytes limits the text that is read and written, in bytes.
	MaxBytes = 96 << 20

	// MaxDepth limits how deep types and values nest.
	MaxDepth = 100
)

// A Budget counts the work for one package. All methods are safe for concurrent use. A
// nil *Budget has no limits.
type Budget struct {
	ctx          context.Context
	steps, bytes atomic.Int64
	err          atomic.Pointer[Error]
}

// New returns an unused Budget, which also ends when ctx does.
func New(ctx context.Context) *Budget { return &Budget{ctx: ctx} }

// pollInterval is the number of steps after which UseSteps checks the context again.
const pollInterval = 1 << 10

// UseSteps uses n steps and reports whether the budget suffices.
func (b *Budget) UseSteps(n int) bool {
	if b == nil {
		return true
	}
	used := b.steps.Add(int64(n))
	if used > MaxSteps {
		b.recordError(Steps)
	}
	if used/pollInterval != (used-int64(n))/pollInterval {
		return b.Err() == nil
	}
	return b.err.Load() == nil
}

// UseBytes uses n bytes of text and reports whether the budget suffices.
func (b *Budget) UseBytes(n int) bool {
	if b == nil {
		return true
	}
	if b.bytes.Add(int64(n)) > MaxBytes {
		b.recordError(Bytes)
	}
	return b.err.Load() == nil
}

// CheckDepth reports whether types or values may nest so many levels deep.
func (b *Budget) CheckDepth(levels int) bool {
	if b == nil {
		return true
	}
	if levels > MaxDepth {
		b.recordError(Levels)
	}
	return b.err.Load() == nil
}

// recordError records the first used-up resource.
func (b *Budget) recordError(r Resource) {
	b.err.CompareAndSwap(nil, &Error{r, r.Limit()})
}

// Err returns an *Error after the budget is used up, the error of the context after the context has
// ended, and otherwise nil.
func (b *Budget) Err() error {
	if b == nil {
		return nil
	}
	if err := b.err.Load(); err != nil {
		return err
	}
	return b.ctx.Err()
}

// Usage returns how many steps and bytes of text were used.
func (b *Budget) Usage() map[Resource]int64 {
	return map[Resource]int64{Steps: b.steps.Load(), Bytes: b.bytes.Load()}
}

// A Resource is something that a Budget limits.
type Resource string

// The resources.
const (
	Steps  Resource = "steps"
	Bytes  Resource = "bytes of text"
	Levels Resource = "levels of nesting"
)

// Limit returns the limit of a resource.
func (r Resource) Limit() int64 {
	return map[Resource]int64{Steps: MaxSteps, Bytes: MaxBytes, Levels: MaxDepth}[r]
}

// An Error reports which resource was used up.
type Error struct {
	Resource Resource
	Limit    int64
}

// Error names the resource and its limit.
func (e *Error) Error() string {
	return fmt.Sprintf("compiling the package takes more than the limit of %d %s", e.Limit, e.Resource)
}
