// Package parts has types of which other packages cannot name all.
package parts

import "github.com/aiongen/aiongen/testdata/golden/reach_mistakes/parts/internal/deep"

// Entity leads to an internal interface.
type Entity struct{ Signature *Signature }

// Signature holds it.
type Signature struct{ RSA []deep.Field }

// Options have a function of a type that is not exported.
type Options struct {
	Name       string
	Transcoder transcoder
}

type transcoder func(string) string

// Watcher holds what only stands in a type that cannot be named.
type Watcher struct{ Holder deep.Holder }

// Open takes them.
func Open(name string, o Options) {}

// Sign takes the first.
func Sign(e *Entity, text string) {}

// Watch takes the last.
func Watch(w Watcher, n int) {}

// Take takes what is not exported itself.
func Take(t transcoder, n int) {}

// Give returns them.
func Give() (e Entity, o Options) { return e, o }
