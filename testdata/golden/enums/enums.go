// Package enums has types with constants: its own, and those of other modules.
package enums

import (
	"go/ast"
	"net/http"
	"regexp/syntax"
	"time"
)

// Color is a color of ours.
type Color string

// The colors.
const (
	Red  Color = "red"  // like blood
	Blue Color = "blue" // like the sea
)

// Picture has values that only our constants or those of Go limit, and others.
type Picture struct {
	Color  Color                       `json:"color"`
	Stock  map[Color]int               `json:"stock"`
	Month  time.Month                  `json:"month"`
	Days   map[time.Weekday]bool       `json:"days,omitempty"`
	Code   syntax.ErrorCode            `json:"code"`
	Codes  []*syntax.ErrorCode         `json:"codes,omitempty"`
	Texts  map[syntax.ErrorCode]string `json:"texts,omitempty"`
	Strict http.SameSite               `json:"strict,omitempty"`
	Token  ast.BasicLit                `json:"token,omitzero"`
}

// Take takes a picture.
func Take(p Picture) Picture { return p }

// Open takes a picture of any color.
func Open(p Picture) Picture { return p }

// Paint paints with a color.
func Paint(c Color, code syntax.ErrorCode, more ...syntax.ErrorCode) []string {
	all := []string{string(c), string(code)}
	for _, m := range more {
		all = append(all, string(m))
	}
	return all
}

// Signature is how a file begins.
type Signature string

// The signatures. That of a PNG file is not a text.
const (
	PNG   Signature = "\x89PNG\r\n\x1a\n"
	GIF87 Signature = "GIF87a"
	GIF89 Signature = "GIF89a"
)

// Detect returns the signature that it takes.
func Detect(s Signature) Signature { return s }

// Mix mixes colors.
func Mix(colors []Color, parts map[string]Color) []any { return []any{colors, parts} }
