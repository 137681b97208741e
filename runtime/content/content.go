// Package content has what a message or a result consists of beside JSON: texts,
// images, audio, files and links, each a [Part].
package content

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
)

// Part is a piece of content: a text, or a medium that is here or somewhere. It survives
// JSON. What kind it is says [Part.Kind].
type Part struct {
	Text  string `json:"text,omitempty"`
	Media string `json:"media,omitempty"` // its type, as in image/png, audio/wav or application/pdf; image/* if there is no more to say
	URL   string `json:"url,omitempty"`   // where it is, also beside what it is
	Data  []byte `json:"data,omitzero"`   // what it is; none is nil

	Name        string `json:"name,omitempty"`        // of a file or link, for people
	Description string `json:"description,omitempty"` // what it shows or holds, for models
}

// Text returns a text.
func Text(text string) Part { return Part{Text: text} }

// Image returns an image, of a type such as image/png.
func Image(media string, data []byte) Part { return Part{Media: media, Data: data} }

// Audio returns a recording, of a type such as audio/wav.
func Audio(media string, data []byte) Part { return Part{Media: media, Data: data} }

// File returns a file of any type, such as text/plain, with the URL that it is known by,
// as in file:///report.txt.
func File(url, media string, data []byte) Part { return Part{URL: url, Media: media, Data: data} }

// Link returns a link to what is somewhere else.
func Link(url, name string) Part { return Part{URL: url, Name: name} }

// Kind is what a part is.
type Kind string

// The kinds of parts.
const (
	KindText  Kind = "text"
	KindImage Kind = "image" // its data, of image/…
	KindAudio Kind = "audio" // its data, of audio/…
	KindFile  Kind = "file"  // its data, of another type or beside the URL that it is known by
	KindLink  Kind = "link"  // a URL, and no data; an image may be there
)

// Kind tells what the part is.
func (p Part) Kind() Kind {
	switch here := p.Data != nil; {
	case !here && p.URL == "":
		return KindText
	case !here:
		return KindLink
	case p.URL != "":
		return KindFile
	case p.Medium() == "image":
		return KindImage
	case p.Medium() == "audio":
		return KindAudio
	}
	return KindFile
}

// Medium returns the first half of the type, such as image; "" if it has none.
func (p Part) Medium() string {
	medium, _, _ := strings.Cut(p.Media, "/")
	return medium
}

// Check returns what is wrong with the part; nil if it is one.
func (p Part) Check() error {
	_, badURL := url.Parse(p.URL)
	switch {
	case p.Text == "" && p.URL == "" && p.Data == nil:
		return errors.New("there is no text, URL or data in it")
	case p.Text != "" && (p.URL != "" || p.Data != nil):
		return errors.New("it has to have one of a text, a URL and data")
	case !isMedia(p.Media) && (p.Media != "" || p.Data != nil):
		return fmt.Errorf("%q is no type of a medium, such as image/png", words.Cut(p.Media, longest))
	case badURL != nil:
		return fmt.Errorf("%q is no URL", words.Cut(p.URL, longest))
	}
	return nil
}

// isMedia reports whether a text is a type as headers have it, such as text/plain;
// charset=utf-8.
func isMedia(text string) bool {
	media, parameters, _ := strings.Cut(text, ";")
	medium, format, _ := strings.Cut(strings.TrimRight(media, " "), "/")
	return isToken(medium) && isToken(format) && !strings.ContainsFunc(parameters, func(r rune) bool { return r < ' ' || r > '~' })
}

// isToken reports whether a text is what HTTP calls a token.
func isToken(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`()<>@,;:\"/[]?={}`, r) })
}

// Size returns how much the part holds, in bytes.
func (p Part) Size() int {
	return len(p.Text) + len(p.Media) + len(p.URL) + len(p.Data) + len(p.Name) + len(p.Description)
}

// String is a text as it is, and what is no text in one line of words: what it is, what
// it is called, how long it is, but not its data.
func (p Part) String() string {
	kind := p.Kind()
	if kind == KindText {
		return p.Text
	}
	var about []string
	for _, x := range []string{p.Name, p.URL, p.Media} {
		if x != "" {
			about = append(about, line(x))
		}
	}
	if kind != KindLink {
		about = append(about, words.Count(len(p.Data), "byte"))
	}
	text := string(kind) + " (" + strings.Join(about, ", ") + ")"
	if p.Description != "" {
		text += ": " + line(p.Description)
	}
	return text
}

// longest bounds what of a name, a URL or a description is told, in bytes.
const longest = 300

// line is a text without what breaks a line or steers a terminal, cut where long.
func line(text string) string { return words.Cut(words.Visible(text, ""), longest) }
