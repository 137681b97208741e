// Package secret keeps keys, tokens and passwords out of logs. Wrap a secret with
// [New] as soon as the program receives it, and call [Value.Reveal] where it is used.
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

// Value holds a secret. Printing, logging or encoding a Value, or a struct that contains one,
// shows "[hidden]" or the address of a function. The zero Value holds the zero T.
//
// The secret is stored in a function, because package fmt does not call the methods of
// unexported fields: it would print a secret that is stored as a string there.
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

// minLength is the minimum length of a secret that Hide looks for, in bytes. A shorter secret, such
// as "pass", also occurs in texts that are not secret.
const minLength = 6

// Hide returns text with "[hidden]" instead of each of the secrets in it.
func Hide(text string, secrets ...string) string {
	secrets = slices.DeleteFunc(slices.Clone(secrets), func(s string) bool { return len(s) < minLength })
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) }) // a secret may contain a shorter one
	for _, s := range secrets {
		text = strings.ReplaceAll(text, s, placeholder)
	}
	return text
}

// HideCut is Hide for a truncated text. If the text ends with the first bytes of a secret, HideCut
// hides these, too.
func HideCut(text string, secrets ...string) string {
	text = Hide(text, secrets...)
	longest := 0
	for _, s := range secrets {
		for n := min(len(s), len(text)); n > longest && n >= minLength; n-- {
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

// Forms returns the secrets in all spellings in which a text may contain them: unchanged,
// escaped for JSON, Go, HTML or URLs, and in base64.
func Forms(secrets ...string) (forms []string) {
	for _, s := range secrets {
		if len(s) < minLength {
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

// HideIn returns an error with the text of err, in which the secrets are hidden. It wraps err, so
// errors.Is and errors.As still find the original error.
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
