package main

import (
	"encoding/base64"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/tool"
)

// pixel is a red one, as PNG.
var pixel = content.Image("image/png", decoded("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"))

// silence is a short one, as WAV.
var silence = content.Audio("audio/wav", decoded("UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=="))

func decoded(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err) // a constant
	}
	return data
}

// note is a file of a text.
func note(uri string) content.Part {
	return content.File(uri, "text/plain", []byte("This is an embedded resource content."))
}

// Image shows an image.
func Image(x *tool.Exchange) { x.Attach(pixel) }

// Audio plays a recording.
func Audio(x *tool.Exchange) { x.Attach(silence) }

// File hands out a file.
func File(x *tool.Exchange) { x.Attach(note("test://embedded-resource")) }

// Mixed says a text, shows an image and hands out a file.
func Mixed(x *tool.Exchange) string {
	x.Attach(pixel, note("test://mixed-content-resource"))
	return "Multiple content types test:"
}
