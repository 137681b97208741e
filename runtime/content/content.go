// Package content provides the parts of a message or a result that are not JSON: texts,
// images, audio, files and links. Each of them is a [Part]. Create a Part with [Text], [Image]
// and so on.
package content

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
)

// Part is a text, a link, or the data of a file, such as an image or a recording. It can be written to JSON
// and read back. [Part.Kind] returns its kind.
type Part struct {
	Text  string `json:"text,omitempty"`
	Media string `json:"media,omitempty"` // media type, such as image/png, audio/wav or application/pdf; image/* if the format is unknown
	URL   string `json:"url,omitempty"`   // location of the content; a file may have both a URL and data
	Data  []byte `json:"data,omitzero"`   // the content itself; nil if there is none

	Name        string `json:"name,omitempty"`        // name of a file or link, for people
	Description string `json:"description,omitempty"` // description of the content, for models
}

// Text returns a text part.
func Text(text string) Part { return Part{Text: text} }

// Image returns an image with a media type such as image/png.
func Image(media string, data []byte) Part { return Part{Media: media, Data: data} }

// Audio returns a recording with a media type such as audio/wav.
func Audio(media string, data []byte) Part { return Part{Media: media, Data: data} }

// File returns a file of any media type, such as text/plain, with the URL that identifies it, such as
// file:///report.txt.
func File(url, media string, data []byte) Part { return Part{URL: url, Media: media, Data: data} }

// Link returns a link to content that is somewhere else.
func Link(url, name string) Part { return Part{URL: url, Name: name} }

// Kind is the kind of a part.
type Kind string

// The kinds of parts.
const (
	KindText  Kind = "text"
	KindImage Kind = "image" // data of a type image/…
	KindAudio Kind = "audio" // data of a type audio/…
	KindFile  Kind = "file"  // data of another type, or data with a URL
	KindLink  Kind = "link"  // a URL without data, whatever it points to
)

// Kind returns the kind of the part.
func (p Part) Kind() Kind {
	switch hasData := p.Data != nil; {
	case !hasData && p.URL == "":
		return KindText
	case !hasData:
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

// Medium returns the media type up to the slash, such as image; "" if there is none.
func (p Part) Medium() string {
	medium, _, _ := strings.Cut(p.Media, "/")
	return medium
}

// Check returns an error if the part is invalid.
func (p Part) Check() error {
	_, badURL := url.Parse(p.URL)
	switch {
	case p.Text == "" && p.URL == "" && p.Data == nil:
		return errors.New("it has no text, URL or data")
	case p.Text != "" && (p.URL != "" || p.Data != nil):
		return errors.New("it has a text and also a URL or data")
	case !isMedia(p.Media) && (p.Media != "" || p.Data != nil):
		return fmt.Errorf("invalid media type %q, expected one such as image/png", words.Cut(p.Media, maxShownBytes))
	case badURL != nil:
		return fmt.Errorf("invalid URL %q", words.Cut(p.URL, maxShownBytes))
	}
	return nil
}

// isMedia reports whether a text is a media type with optional parameters, such as
// text/plain; charset=utf-8.
func isMedia(text string) bool {
	media, parameters, _ := strings.Cut(text, ";")
	medium, format, _ := strings.Cut(strings.TrimRight(media, " "), "/")
	return isToken(medium) && isToken(format) && !strings.ContainsFunc(parameters, func(r rune) bool { return r < ' ' || r > '~' })
}

// isToken reports whether a text is a token as HTTP headers define it.
func isToken(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`()<>@,;:\"/[]?={}`, r) })
}

// Size returns the total length of all fields of the part, in bytes.
func (p Part) Size() int {
	return len(p.Text) + len(p.Media) + len(p.URL) + len(p.Data) + len(p.Name) + len(p.Description)
}

// String returns the text of a text part. For other parts, it returns one line with the kind, name, URL,
// media type and size: "image (plan.png, image/png, 2048 bytes)".
func (p Part) String() string {
	kind := p.Kind()
	if kind == KindText {
		return p.Text
	}
	var details []string
	for _, x := range []string{p.Name, p.URL, p.Media} {
		if x != "" {
			details = append(details, showLine(x))
		}
	}
	if kind != KindLink {
		details = append(details, words.Count(len(p.Data), "byte"))
	}
	text := string(kind) + " (" + strings.Join(details, ", ") + ")"
	if p.Description != "" {
		text += ": " + showLine(p.Description)
	}
	return text
}

// maxShownBytes limits a name, a URL or a description in String and in errors, in bytes.
const maxShownBytes = 300

// showLine returns at most maxShownBytes of a text, without line breaks and control characters.
func showLine(text string) string { return words.Cut(words.Visible(text, ""), maxShownBytes) }
