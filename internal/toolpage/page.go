package toolpage

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
)

// StyleSheet is the CSS of all pages. It has a light and a dark color scheme, and styles for
// these classes, which pages with other contents may use: badge (with good, warn or bad),
// facts, scroll, rows, panel, muted, and name.
//
//go:embed style.css
var StyleSheet string

// SearchScript is JavaScript that filters the list of tools in the browser. Static pages
// need it; a server searches itself.
//
//go:embed search.js
var SearchScript string

//go:embed *.html
var files embed.FS

var templates = template.Must(template.New("").Funcs(Functions()).ParseFS(files, "*.html"))

// Page is a page with the layout that all pages share. URLs may be relative.
type Page struct {
	Title   string        // name of the page, first in the title of the document
	Site    string        // name of all pages together
	Home    string        // URL to which Site links
	Style   string        // URL of StyleSheet
	Scripts []string      // URLs of scripts, which run after the page has been read
	Nav     []Link        // links to the main pages
	Body    template.HTML // content, with a heading of the first level
}

// Link is a link to a main page.
type Link struct {
	Text, URL string
	Current   bool // whether the page belongs to it
}

// WritePage writes a complete HTML document. It writes nothing if it cannot be rendered.
func WritePage(w io.Writer, p Page) error {
	text, err := render("layout.html", p)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, string(text))
	return err
}

// render executes one of the templates of this package.
func render(name string, data any) (template.HTML, error) {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		return "", fmt.Errorf("toolpage: %w", err)
	}
	return template.HTML(b.String()), nil
}
