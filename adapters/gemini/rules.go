package gemini

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"google.golang.org/genai"
)

// rules are the differences between generations of models.
type rules struct {
	thinking   thinkingStyle
	alwaysOn   bool // thinking cannot be switched off
	signatures bool // calls need the signatures of thoughts
	mediaParts bool // results of calls may have media
	toolSchema bool // requests may have both an answer schema and tools
}

// thinkingStyle is the way in which thinking is configured.
type thinkingStyle int

const (
	thinkingLevel  thinkingStyle = iota // as a level, such as "low"
	thinkingBudget                      // as a number of tokens
	noThinking                          // the model does not think
)

var versionPattern = regexp.MustCompile(`^gemini-(\d+)(?:\.(\d+))?`)

// rulesOf returns the rules for a model by its name, which may be a resource name.
func rulesOf(name string) rules {
	name = strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	newest := rules{thinking: thinkingLevel, alwaysOn: true, signatures: true, mediaParts: true, toolSchema: true}
	if strings.HasPrefix(name, "gemma") {
		return rules{thinking: noThinking}
	}
	version := versionPattern.FindStringSubmatch(name)
	if version == nil {
		return newest
	}
	major, err := strconv.Atoi(version[1])
	switch {
	case err != nil || major >= 3:
		return newest
	case major == 2 && version[2] == "5":
		return rules{thinking: thinkingBudget, alwaysOn: strings.Contains(name, "-pro")}
	}
	return rules{thinking: noThinking}
}

// budgets maps efforts to thinking budgets in tokens. The values are those of Google's endpoint for
// OpenAI's protocol.
var budgets = map[string]int32{"none": 0, "minimal": 1024, "low": 1024, "medium": 8192, "high": 24576}

var levels = map[string]genai.ThinkingLevel{
	"minimal": genai.ThinkingLevelMinimal, "low": genai.ThinkingLevelLow,
	"medium": genai.ThinkingLevelMedium, "high": genai.ThinkingLevelHigh,
}

// thinkingConfig returns the configuration of thinking for an effort, or nil for the default of the
// model.
func (r rules) thinkingConfig(effort string) (*genai.ThinkingConfig, error) {
	if effort == "" {
		return nil, nil
	}
	budget, ok := budgets[effort]
	switch {
	case !ok:
		return nil, fmt.Errorf("invalid effort %q, expected none, minimal, low, medium or high", effort)
	case effort == "none" && r.thinking == noThinking:
		return nil, nil
	case effort == "none" && r.alwaysOn:
		return nil, errors.New(`this model always thinks: use the effort "low" instead of "none"`)
	case r.thinking == noThinking:
		return nil, fmt.Errorf("this model cannot think: leave out the effort %q", effort)
	case r.thinking == thinkingBudget:
		return &genai.ThinkingConfig{ThinkingBudget: &budget, IncludeThoughts: budget > 0}, nil
	}
	return &genai.ThinkingConfig{ThinkingLevel: levels[effort], IncludeThoughts: true}, nil
}
