package agenttest

import "slices"

// Called checks that the run made each of the calls at least once, in any order. It does not matter
// whether their functions ran or failed; see [Result.Changed].
func (r *Result) Called(calls ...string) {
	r.t.Helper()
	var missing []string
	for _, want := range r.parseCalls(calls) {
		if !slices.ContainsFunc(r.history.calls, want.matches) {
			missing = append(missing, "- "+want.text)
		}
	}
	if len(missing) > 0 {
		r.fail("the run made the calls marked with +, not those with -:\n%s", joinLines(append(missing, markLines("+ ", callLines(r.history.calls))...)))
	}
}

// NotCalled checks that the run made none of the calls.
func (r *Result) NotCalled(calls ...string) {
	r.t.Helper()
	var lines []string
	for _, unwanted := range r.parseCalls(calls) {
		for _, c := range r.history.calls {
			if unwanted.matches(c) {
				lines = append(lines, "+ "+c.line())
			}
		}
	}
	if len(lines) > 0 {
		r.fail("the run made calls that it must not make:\n%s", joinLines(lines))
	}
}

// CalledInOrder checks that the run made the calls in this order. It may have made other calls
// before, between and after them.
func (r *Result) CalledInOrder(calls ...string) {
	r.t.Helper()
	want := r.parseCalls(calls)
	rest := want
	for _, c := range r.history.calls {
		if len(rest) > 0 && rest[0].matches(c) {
			rest = rest[1:]
		}
	}
	if len(rest) > 0 {
		r.failCalls("the run did not make these calls in this order", want, r.history.calls)
	}
}

// CalledExactly checks that the run made exactly these calls in this order. Without calls, it checks
// that there were none.
func (r *Result) CalledExactly(calls ...string) {
	r.t.Helper()
	if want := r.parseCalls(calls); !equalCalls(want, r.history.calls) {
		r.failCalls("the calls of the run differ", want, r.history.calls)
	}
}

// Changed checks the calls that may have changed something, in order: calls of tools that are not
// read-only and whose functions ran. If the function of a call ran twice, the call counts twice. Calls
// that were denied, that lacked an approval or an answer, or whose arguments were invalid do not
// count. Without calls, Changed checks that nothing was changed.
func (r *Result) Changed(calls ...string) {
	r.t.Helper()
	changing := r.history.changingCalls()
	if want := r.parseCalls(calls); !equalCalls(want, changing) {
		r.failCalls("the calls that may have changed something differ", want, changing)
	}
}

// failCalls reports that calls differ.
func (r *Result) failCalls(what string, want []callPattern, got []*madeCall) {
	r.t.Helper()
	wantLines := make([]string, len(want))
	for i, w := range want {
		wantLines[i] = w.text
	}
	equal := func(i, j int) bool { return want[i].matches(got[j]) }
	r.fail("%s (- want, + got):\n%s", what, diff(wantLines, callLines(got), equal))
}

func callLines(calls []*madeCall) (lines []string) {
	for _, c := range calls {
		lines = append(lines, c.line())
	}
	return lines
}

// equalCalls reports whether there are exactly the wanted calls.
func equalCalls(want []callPattern, got []*madeCall) bool {
	return slices.EqualFunc(want, got, callPattern.matches)
}

// line returns the call as expectations write it.
func (c *madeCall) line() string { return writeCall(c.name, c.arguments) }

// parseCalls parses calls that the test expects. An invalid one ends the test.
func (r *Result) parseCalls(calls []string) []callPattern {
	r.t.Helper()
	patterns := make([]callPattern, len(calls))
	for i, text := range calls {
		var err error
		if patterns[i], err = parseCall(text); err != nil {
			r.t.Fatalf("agenttest: %v", err)
		}
	}
	return patterns
}
