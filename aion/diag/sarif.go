package diag

import (
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// A Tool is the program that found the faults, as SARIF describes it. Name must
// not be empty.
type Tool struct {
	Name, Version, URL string

	// Describe says what a code means, if there is such a code. It may be nil.
	Describe func(Code) (d Description, ok bool)
}

// A Description says what a code means: in a sentence, at length, where to read on, and
// all of it with examples as a page of text.
type Description struct {
	Summary, Text, More, Page string
}

// SARIF writes the list as a log of one run in the Static Analysis Results
// Interchange Format, version 2.1.0 (OASIS, 27 March 2020). What has a place in
// a file is a result, and what has none, such as a package that is not found, a
// notification. Files are relative URIs, columns count UTF-16 code units.
func (p Printer) SARIF(w io.Writer, list List) error {
	log := sarifLog{
		source: source{read: p.Read},
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
		log.add(d)
	}
	return writeJSON(w, map[string]any{
		"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"version": "2.1.0",
		"runs":    []sarifRun{log.run},
	})
}

// A sarifLog is one call of SARIF.
type sarifLog struct {
	source
	tool Tool
	run  sarifRun
}

// The parts of a log that are written, under their names in the standard.
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
		Description     *sarifMessage `json:"description"`
		ArtifactChanges []sarifChange `json:"artifactChanges"`
		Properties      sarifGuess    `json:"properties"`
	}
	sarifGuess struct {
		Guess bool `json:"guess"`
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

// add adds a diagnostic to the run.
func (l *sarifLog) add(d *Diagnostic) {
	text := strings.Join(append([]string{d.Message}, d.Help...), "\n")
	// Related places without a file have nowhere to stand but in the text.
	var related []sarifLocation
	for _, r := range d.Related {
		if r.Span.File == "" {
			text += "\n" + r.Message
			continue
		}
		related = append(related, l.location(r.Span, message(r.Message)))
	}
	driver, invocation := &l.run.Tool.Driver, &l.run.Invocations[0]
	if d.Span.File == "" {
		invocation.ExecutionSuccessful = invocation.ExecutionSuccessful && d.Severity != Error
		invocation.Notifications = append(invocation.Notifications, sarifNotification{
			Descriptor: sarifRuleReference{d.Code, l.rule(&driver.Notifications, d.Code)},
			Level:      d.Severity,
			Message:    *message(text),
			Locations:  related,
		})
		return
	}
	l.run.Results = append(l.run.Results, sarifResult{
		RuleID:           d.Code,
		RuleIndex:        l.rule(&driver.Rules, d.Code),
		Level:            d.Severity,
		Message:          *message(text),
		Locations:        []sarifLocation{l.location(d.Span, nil)},
		RelatedLocations: related,
		Fixes:            l.fixes(d.Fixes),
	})
}

// fixes are those whose edits have a place: without its columns a region would be
// whole lines.
func (l *sarifLog) fixes(fixes []Fix) (all []sarifFix) {
	for _, f := range fixes {
		fix := sarifFix{Description: message(f.Title()), Properties: sarifGuess{f.Guess}}
		placed := true
		for _, e := range f.Edits {
			region := l.region(e.Span)
			placed = placed && region != nil && region.StartColumn > 0 && region.EndColumn > 0
			i := slices.IndexFunc(fix.ArtifactChanges, func(c sarifChange) bool { return c.ArtifactLocation.URI == fileURI(e.Span.File) })
			if i < 0 {
				i = len(fix.ArtifactChanges)
				fix.ArtifactChanges = append(fix.ArtifactChanges, sarifChange{ArtifactLocation: sarifArtifact{fileURI(e.Span.File)}})
			}
			change := &fix.ArtifactChanges[i]
			change.Replacements = append(change.Replacements, sarifReplacement{region, sarifMessage{e.Text}})
		}
		if placed {
			all = append(all, fix)
		}
	}
	return all
}

// rule returns the index of the rule for a code, which it adds where it is new.
func (l *sarifLog) rule(rules *[]sarifRule, code Code) int {
	for i, r := range *rules {
		if r.ID == code {
			return i
		}
	}
	rule := sarifRule{ID: code}
	if l.tool.Describe != nil {
		d, _ := l.tool.Describe(code)
		rule.ShortDescription = message(d.Summary)
		rule.FullDescription = message(d.Text)
		rule.Help = message(d.More)
	}
	*rules = append(*rules, rule)
	return len(*rules) - 1
}

func (l *sarifLog) location(at Span, m *sarifMessage) sarifLocation {
	return sarifLocation{
		PhysicalLocation: sarifPlace{sarifArtifact{fileURI(at.File)}, l.region(at)},
		Message:          m,
	}
}

// region is the stretch of a span; nil where its line is unknown.
func (l *sarifLog) region(at Span) *sarifRegion {
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

// fileURI is a file as a URI: relative where the name is.
func fileURI(file string) string {
	if filepath.IsAbs(filepath.FromSlash(file)) {
		u := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(file, "/")}
		return u.String()
	}
	u := url.URL{Path: file}
	return u.String()
}

// messageText writes literal text as a message of SARIF: braces would make
// placeholders (section 3.11.5), "](" a link (3.11.6).
var messageText = strings.NewReplacer("{", "{{", "}", "}}", "](", "] (")

// message is a text as a message; nil if it is empty.
func message(text string) *sarifMessage {
	if text == "" {
		return nil
	}
	return &sarifMessage{messageText.Replace(text)}
}
