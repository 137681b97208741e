package diag

import (
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// A Tool describes the program that found the faults, for SARIF. Name must not be empty.
type Tool struct {
	Name, Version, URL string

	// Describe returns the description of a code, if the code exists. It may be nil.
	Describe func(Code) (d Description, ok bool)
}

// A Description explains a code. Summary is one sentence, Text is the full explanation, More
// refers to further documentation, and Page contains all of these and examples.
type Description struct {
	Summary, Text, More, Page string
}

// SARIF writes the list as a log of one run in the Static Analysis Results Interchange
// Format, version 2.1.0 (OASIS, 27 March 2020). A diagnostic with a file becomes a
// result. One without, such as a package that was not found, becomes a notification.
// Files are relative URIs, and columns count UTF-16 code units.
func (p Printer) SARIF(w io.Writer, list List) error {
	log := sarifLog{
		source: source{read: p.Read, folder: p.Folder},
		tool:   p.Tool,
		run: sarifRun{
			Tool: sarifTool{Driver: sarifDriver{
				Name: p.Tool.Name, Version: p.Tool.Version, InformationURI: p.Tool.URL,
			}},
			ColumnKind:  "utf16CodeUnits",
			Results:     []sarifResult{},
			Invocations: []sarifInvocation{{ExecutionSuccessful: true}},
		},
	}
	for _, d := range list {
		log.addDiagnostic(d)
	}
	return writeJSON(w, map[string]any{
		"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"version": "2.1.0",
		"runs":    []sarifRun{log.run},
	})
}

// A sarifLog is the state of one call of SARIF.
type sarifLog struct {
	source
	tool Tool
	run  sarifRun
}

// These types have the structure that the standard requires.
type (
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri,omitempty"`
		Rules          []sarifRule `json:"rules,omitempty"`         // of results
		Notifications  []sarifRule `json:"notifications,omitempty"` // of notifications
	}
	sarifRule struct {
		ID               Code          `json:"id"`
		ShortDescription *sarifMessage `json:"shortDescription,omitempty"`
		FullDescription  *sarifMessage `json:"fullDescription,omitempty"`
		Help             *sarifMessage `json:"help,omitempty"`
	}
	sarifInvocation struct {
		ExecutionSuccessful bool                `json:"executionSuccessful"`
		Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Descriptor sarifRuleReference `json:"descriptor"`
		Level      Severity           `json:"level"`
		Message    sarifMessage       `json:"message"`
		Locations  []sarifLocation    `json:"locations,omitempty"`
	}
	sarifRuleReference struct {
		ID    Code `json:"id"`
		Index int  `json:"index"`
	}
	sarifResult struct {
		RuleID           Code            `json:"ruleId"`
		RuleIndex        int             `json:"ruleIndex"`
		Level            Severity        `json:"level"`
		Message          sarifMessage    `json:"message"`
		Locations        []sarifLocation `json:"locations"`
		RelatedLocations []sarifLocation `json:"relatedLocations,omitempty"`
		Fixes            []sarifFix      `json:"fixes,omitempty"`
	}
	sarifFix struct {
		Description     *sarifMessage   `json:"description"`
		ArtifactChanges []sarifChange   `json:"artifactChanges"`
		Properties      map[string]bool `json:"properties"`
	}
	sarifChange struct {
		ArtifactLocation sarifArtifact      `json:"artifactLocation"`
		Replacements     []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		DeletedRegion   *sarifRegion `json:"deletedRegion"`
		InsertedContent sarifMessage `json:"insertedContent"`
	}
	sarifLocation struct {
		PhysicalLocation sarifPlace    `json:"physicalLocation"`
		Message          *sarifMessage `json:"message,omitempty"`
	}
	sarifPlace struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
)

// addDiagnostic adds a diagnostic to the run.
func (l *sarifLog) addDiagnostic(d *Diagnostic) {
	text := strings.Join(append([]string{d.Message}, d.Help...), "\n")
	// A related place without a file cannot be a location: only its message is written.
	var related []sarifLocation
	for _, r := range d.Related {
		if r.Span.File == "" {
			text += "\n" + r.Message
			continue
		}
		related = append(related, l.newLocation(r.Span, newMessage(r.Message)))
	}
	driver, invocation := &l.run.Tool.Driver, &l.run.Invocations[0]
	if d.Span.File == "" {
		invocation.ExecutionSuccessful = invocation.ExecutionSuccessful && d.Severity != Error
		invocation.Notifications = append(invocation.Notifications, sarifNotification{
			Descriptor: sarifRuleReference{d.Code, l.ruleIndex(&driver.Notifications, d.Code)},
			Level:      d.Severity,
			Message:    *newMessage(text),
			Locations:  related,
		})
		return
	}
	l.run.Results = append(l.run.Results, sarifResult{
		RuleID:           d.Code,
		RuleIndex:        l.ruleIndex(&driver.Rules, d.Code),
		Level:            d.Severity,
		Message:          *newMessage(text),
		Locations:        []sarifLocation{l.newLocation(d.Span, nil)},
		RelatedLocations: related,
		Fixes:            l.convertFixes(d.Fixes),
	})
}

// convertFixes converts the fixes whose edits all have columns: a region without columns
// would mean whole lines.
func (l *sarifLog) convertFixes(fixes []Fix) (all []sarifFix) {
	for _, f := range fixes {
		fix := sarifFix{Description: newMessage(f.Title()), Properties: map[string]bool{"guess": f.Guess}}
		complete := true
		for _, e := range f.Edits {
			region := l.newRegion(e.Span)
			complete = complete && region != nil && region.StartColumn > 0 && region.EndColumn > 0
			i := slices.IndexFunc(fix.ArtifactChanges, func(c sarifChange) bool { return c.ArtifactLocation.URI == l.fileURI(e.Span.File) })
			if i < 0 {
				i = len(fix.ArtifactChanges)
				fix.ArtifactChanges = append(fix.ArtifactChanges, sarifChange{ArtifactLocation: sarifArtifact{l.fileURI(e.Span.File)}})
			}
			change := &fix.ArtifactChanges[i]
			change.Replacements = append(change.Replacements, sarifReplacement{region, sarifMessage{e.Text}})
		}
		if complete {
			all = append(all, fix)
		}
	}
	return all
}

// ruleIndex returns the index of the rule for a code. It adds the rule if it is new.
func (l *sarifLog) ruleIndex(rules *[]sarifRule, code Code) int {
	if i := slices.IndexFunc(*rules, func(r sarifRule) bool { return r.ID == code }); i >= 0 {
		return i
	}
	rule := sarifRule{ID: code}
	if l.tool.Describe != nil {
		d, _ := l.tool.Describe(code)
		rule.ShortDescription = newMessage(d.Summary)
		rule.FullDescription = newMessage(d.Text)
		rule.Help = newMessage(d.More)
	}
	*rules = append(*rules, rule)
	return len(*rules) - 1
}

func (l *sarifLog) newLocation(at Span, m *sarifMessage) sarifLocation {
	return sarifLocation{
		PhysicalLocation: sarifPlace{sarifArtifact{l.fileURI(at.File)}, l.newRegion(at)},
		Message:          m,
	}
}

// newRegion returns the region of a span, or nil if its line is unknown.
func (l *sarifLog) newRegion(at Span) *sarifRegion {
	if !at.Start.IsValid() {
		return nil
	}
	return &sarifRegion{
		StartLine:   at.Start.Line,
		StartColumn: l.utf16Column(at.File, at.Start),
		EndLine:     at.End.Line,
		EndColumn:   l.utf16Column(at.File, at.End),
	}
}

// fileURI returns the URI of a file, which is relative if the name is.
func (l *sarifLog) fileURI(file string) string {
	if filepath.IsAbs(filepath.FromSlash(file)) {
		u := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(file, "/")}
		return u.String()
	}
	u := url.URL{Path: l.repositoryName(file)}
	return u.String()
}

// messageText escapes literal text for a SARIF message: braces would be placeholders
// (section 3.11.5), and "](" would be a link (3.11.6).
var messageText = strings.NewReplacer("{", "{{", "}", "}}", "](", "] (")

// newMessage returns a text as a SARIF message, or nil if the text is empty.
func newMessage(text string) *sarifMessage {
	if text == "" {
		return nil
	}
	return &sarifMessage{messageText.Replace(text)}
}
