package main

import (
	"encoding/base64"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/tool"
)

// pixelImage is a red pixel, as PNG.
var pixelImage = content.Image("image/png", decodeBase64("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"))

// silentAudio is a short silence, as WAV.
var silentAudio = content.Audio("audio/wav", decodeBase64("UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=="))

func decodeBase64(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err) // a constant
	}
	return data
}

// textResource returns an embedded text file.
func textResource(uri string) content.Part {
	return content.File(uri, "text/plain", []byte("This is an embedded resource content."))
}

// Image attaches an image.
func Image(x *tool.Exchange) { x.Attach(pixelImage) }

// Audio attaches a recording.
func Audio(x *tool.Exchange) { x.Attach(silentAudio) }

// File attaches a file.
func File(x *tool.Exchange) { x.Attach(textResource("test://embedded-resource")) }

// Mixed returns a text and attaches an image and a file.
func Mixed(x *tool.Exchange) string {
	x.Attach(pixelImage, textResource("test://mixed-content-resource"))
	return "Multiple content types test:"
}
