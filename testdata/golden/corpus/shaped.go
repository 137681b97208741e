package corpus

import (
	"context"
	"net/netip"
)

// Shape is what a model sees parts of.
type Shape struct {
	ID     int             `json:"id"`
	Secret string          `json:"secret"`
	Name   string          `json:"name,omitempty"`
	Parts  []Part          `json:"parts"`
	By     map[string]Part `json:"by"`
	Part
	Next *Shape `json:"next"`
}

// Part is in a Shape, in several places.
type Part struct {
	Blob   []byte     `json:"blob"`
	Secret string     `json:"hidden"`
	At     netip.Addr `json:"at"`
}

// ShapedOmit has no secrets, and its own parts no place.
func ShapedOmit(ctx context.Context, v Shape) Shape { return pass(ctx, v) }

// OmitView is what is seen of a Shape in ShapedOmit.
type OmitView struct {
	ID    int                 `json:"id"`
	Name  string              `json:"name,omitempty"`
	Parts []BlobView          `json:"parts"`
	By    map[string]PartView `json:"by"`
	Blob  []byte              `json:"blob"`
	At    netip.Addr          `json:"at"`
	Next  *NextView           `json:"next"`
}

// NextView is what is seen of a Shape in another.
type NextView struct {
	ID    int                 `json:"id"`
	Name  string              `json:"name,omitempty"`
	Parts []PartView          `json:"parts"`
	By    map[string]PartView `json:"by"`
	Blob  []byte              `json:"blob"`
	At    netip.Addr          `json:"at"`
	Next  *NextView           `json:"next"`
}

// BlobView is what is seen of a Part without its place.
type BlobView struct {
	Blob []byte `json:"blob"`
}

// PartView is what is seen of a Part without its secret.
type PartView struct {
	Blob []byte     `json:"blob"`
	At   netip.Addr `json:"at"`
}

// ShapedOnly has little, and that as text.
func ShapedOnly(ctx context.Context, v *Shape) *Shape { return pass(ctx, v) }

// OnlyView is what is seen of a Shape in ShapedOnly.
type OnlyView struct {
	Parts []TextView          `json:"parts"`
	By    map[string]TextView `json:"by"`
	Next  *TextView           `json:"next"`
}

// TextView is bytes as text.
type TextView struct {
	Blob string `json:"blob"`
}

// Options may be left out, where a model sees them.
type Options struct {
	Limit int      `json:"limit"`
	Names []string `json:"names"`
	Debug bool     `json:"debug"`
	Next  *Options `json:"next"`
}

// ShapedOptional has an option that is not required, and one that is not there.
func ShapedOptional(ctx context.Context, v Options, n int) Options { return pass(ctx, v) }

// OptionsView is what is seen of Options.
type OptionsView struct {
	Limit int          `json:"limit"`
	Names []string     `json:"names"`
	Next  *OptionsView `json:"next"`
}
