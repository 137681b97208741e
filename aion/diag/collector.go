package diag

// maxCollected limits how many errors, and how many other diagnostics, a Collector keeps for a file. Users
// see fewer diagnostics, because [List.Short] shortens the list. The fixes of all collected diagnostics
// can be applied.
const maxCollected = 10_000

// A Collector is a List of the diagnostics of one file. It stops growing at a limit, so
// that a file full of errors takes little time and memory. The zero Collector is ready
// for use.
type Collector struct {
	List
	errors, others int
	overflow       Span // of the first error that was not collected
}

// Full reports whether errors were dropped because their number exceeded the limit. If so,
// callers can stop checking the file.
func (c *Collector) Full() bool { return c.errors > maxCollected }

// Errorf appends an error, if there is room, and returns it, so that help can be added.
func (c *Collector) Errorf(code Code, at Span, format string, args ...any) *Diagnostic {
	c.errors++
	if c.errors <= maxCollected {
		return c.List.Errorf(code, at, format, args...)
	}
	if c.errors == maxCollected+1 {
		c.overflow = at
	}
	return &Diagnostic{}
}

// Warnf appends a warning, if there is room, and returns it, so that help can be added.
func (c *Collector) Warnf(code Code, at Span, format string, args ...any) *Diagnostic {
	if c.others++; c.others > maxCollected {
		return &Diagnostic{Severity: Warning}
	}
	return c.List.Warnf(code, at, format, args...)
}

// Notef appends a note, if there is room, and returns it, so that help can be added.
func (c *Collector) Notef(code Code, at Span, format string, args ...any) *Diagnostic {
	if c.others++; c.others > maxCollected {
		return &Diagnostic{Severity: Note}
	}
	return c.List.Notef(code, at, format, args...)
}

// Add appends diagnostics of another stage until the Collector is full.
func (c *Collector) Add(list List) {
	for _, d := range list {
		count := &c.others
		if d.Severity == Error {
			count = &c.errors
		}
		if *count++; *count <= maxCollected {
			c.List = append(c.List, d)
		} else if d.Severity == Error && c.errors == maxCollected+1 {
			c.overflow = d.Span
		}
	}
}

// Finish sorts the list. If diagnostics were dropped, it appends one that says so.
func (c *Collector) Finish() List {
	c.Sort()
	switch {
	case c.Full():
		c.List.Errorf(tooMany, c.overflow, "too many errors: the rest of the file was not checked").
			WithHelp("fix the first ones; a file with so many errors may be in another format")
	case c.others > maxCollected:
		c.List.Warnf(tooMany, Span{File: c.List[0].Span.File}, "too many warnings: %d more are not shown", c.others-maxCollected)
	}
	return c.List
}

// tooMany is the code of the diagnostic that stands for all diagnostics above a limit.
const tooMany Code = "too-many-faults"
