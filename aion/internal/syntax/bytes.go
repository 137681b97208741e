package syntax

import (
	"bytes"
	"unicode/utf8"

	"github.com/aiongen/aiongen/aion/diag"
)

// MaxSource bounds a file, in bytes. No person writes a file this long, and
// positions and memory stay small.
const MaxSource = 16 << 20

// maxBadPlaces bounds how many places a text may have that are no text.
const maxBadPlaces = 10

// legible reports what keeps a file from being read at all, and what in it is
// no text. It returns false if there is no use in going on.
func (s *scanner) legible(src []byte) bool {
	start := s.here(1)
	switch {
	case len(src) > MaxSource:
		s.Errorf("too-large", start, "the file has more than the %d bytes (%d MiB) that are read", MaxSource, MaxSource>>20).
			WithHelp("split it: all .aion files of a package are compiled together")
		return false
	case bytes.HasPrefix(src, []byte("\xff\xfe")), bytes.HasPrefix(src, []byte("\xfe\xff")):
		s.Errorf("not-utf8", start, "the file is UTF-16, not UTF-8").WithHelp("save it as UTF-8")
		return false
	}
	if !utf8.Valid(src) || bytes.IndexByte(src, 0) >= 0 {
		s.reportBytes(src)
	}
	if places := len(s.List); places > maxBadPlaces {
		first := s.List[0].Span
		s.Collector = diag.Collector{}
		s.Errorf("not-utf8", first, "the file is no UTF-8 text: this is the first of %d places with other bytes", places).
			WithHelp("save it as UTF-8")
		return false
	}
	return true
}

// reportBytes reports each run of bytes that are not UTF-8, and of NULs.
func (s *scanner) reportBytes(src []byte) {
	at := diag.Pos{Line: 1, Column: 1}
	for at.Offset < len(src) {
		from := at
		var bad diag.Code
		for at.Offset < len(src) {
			r, size := utf8.DecodeRune(src[at.Offset:])
			code := badRune(r, size)
			if at != from && code != bad {
				break
			}
			bad = code
			at = Moved(at, string(src[at.Offset:at.Offset+size]))
		}
		span := diag.Span{File: s.file, Start: from, End: at}
		switch first := src[from.Offset]; bad {
		case "nul-byte":
			s.Errorf(bad, span, "a NUL byte has no place in a text file")
		case "not-utf8":
			s.Errorf(bad, span, `byte \x%02x is not valid UTF-8`, first).WithHelp("save the file as UTF-8")
		}
	}
}
