// Package secret keeps keys, tokens and passwords out of logs. Wrap a secret with
// [New] as soon as it comes in, and call [Value.Reveal] where it is used.
package secret

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"log/slog"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

const placeholder = "[hidden]"

// Value is a secret. Whatever prints, logs or encodes it, or a struct with it, shows
// "[hidden]" or the address of a function. The zero value has the zero T.
//
// The secret is the result of a function because package fmt calls no methods of
// unexported fields: it would print a string in one of them.
type Value[T any] struct{ reveal func() T }

// New returns v as a secret.
func New[T any](v T) Value[T] { return Value[T]{func() T { return v }} }

// Reveal returns the secret.
func (v Value[T]) Reveal() (secret T) {
	if v.reveal == nil {
		return secret
	}
	return v.reveal()
}

// String returns "[hidden]".
func (v Value[T]) String() string { return placeholder }

// GoString returns "[hidden]".
func (v Value[T]) GoString() string { return placeholder }

// Format writes "[hidden]" for all verbs.
func (v Value[T]) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, placeholder) }

// LogValue returns "[hidden]".
func (v Value[T]) LogValue() slog.Value { return slog.StringValue(placeholder) }

// MarshalText returns "[hidden]".
func (v Value[T]) MarshalText() ([]byte, error) { return []byte(placeholder), nil }

// shortest is how long a secret must be, in bytes, for Hide to look for it: shorter
// texts occur in other words.
const shortest = 6

// Hide returns text with "[hidden]" instead of each of the secrets in it.
func Hide(text string, secrets ...string) string {
	secrets = slices.DeleteFunc(slices.Clone(secrets), func(s string) bool { return len(s) < shortest })
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) }) // one may contain another
	for _, s := range secrets {
		text = strings.ReplaceAll(text, s, placeholder)
	}
	return text
}

// HideCut is Hide for a text that was cut off: it also hides the beginning of a secret at the
// end.
func HideCut(text string, secrets ...string) string {
	text = Hide(text, secrets...)
	longest := 0
	for _, s := range secrets {
		for n := min(len(s), len(text)); n > longest && n >= shortest; n-- {
			if strings.HasSuffix(text, s[:n]) {
				longest = n
			}
		}
	}
	if longest == 0 {
		return text
	}
	return text[:len(text)-longest] + placeholder
}

// Forms returns secrets as others may write them: as they are, in JSON, HTML and URLs, and
// in base64.
func Forms(secrets ...string) (forms []string) {
	for _, s := range secrets {
		if len(s) < shortest {
			continue
		}
		inJSON, _ := json.Marshal(s) // a string is always valid
		forms = append(forms, s, html.EscapeString(s), url.QueryEscape(s), url.PathEscape(s), base64.StdEncoding.EncodeToString([]byte(s)))
		for _, quoted := range []string{string(inJSON), strconv.Quote(s)} {
			text := quoted[1 : len(quoted)-1]
			forms = append(forms, text, strings.ReplaceAll(text, "/", `\/`))
		}
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}

// HideIn returns err with a text in which the secrets are hidden. The error that has
// them is still found by errors.Is and errors.As.
func HideIn(err error, secrets ...string) error {
	if err == nil {
		return nil
	}
	if text := Hide(err.Error(), secrets...); text != err.Error() {
		return &hiddenError{text, New(err)}
	}
	return err
}

type hiddenError struct {
	text string
	err  Value[error]
}

func (e *hiddenError) Error() string { return e.text }
func (e *hiddenError) Unwrap() error { return e.err.Reveal() }
