package syntax

import (
	"bytes"
	"unicode/utf8"

	"github.com/aiongen/aiongen/aion/diag"
)

// MaxSource is the size limit of a file, in bytes. It bounds offsets and the use of memory.
const MaxSource = 16 << 20

// maxBadPlaces limits how many runs of invalid bytes are reported one by one. If there are more,
// a single diagnostic at the first run contains their number.
const maxBadPlaces = 10

// checkText reports a file that is too large or not UTF-8, and NUL bytes. It returns false if
// the file should not be parsed. A file with a few invalid bytes is parsed.
func (s *scanner) checkText(src []byte) bool {
	start := s.nextSpan(1)
	switch {
	case len(src) > MaxSource:
		s.Errorf("too-large", start, "the file is larger than the limit of %d bytes (%d MiB)", MaxSource, MaxSource>>20).
			WithHelp("split it: all .aion files of a package are compiled together")
		return false
	case bytes.HasPrefix(src, []byte("\xff\xfe")), bytes.HasPrefix(src, []byte("\xfe\xff")):
		s.Errorf("not-utf8", start, "the file is UTF-16, not UTF-8").WithHelp("save it as UTF-8")
		return false
	}
	if !utf8.Valid(src) || bytes.IndexByte(src, 0) >= 0 {
		s.reportBadBytes(src)
	}
	if places := len(s.List); places > maxBadPlaces {
		first := s.List[0].Span
		s.Collector = diag.Collector{}
		s.Errorf("not-utf8", first, "the file is not UTF-8 text: %d places have invalid bytes, this is the first", places).
			WithHelp("save it as UTF-8")
		return false
	}
	return true
}

// reportBadBytes reports each run of bytes that are not UTF-8, and each run of NULs.
func (s *scanner) reportBadBytes(src []byte) {
	at := diag.Pos{Line: 1, Column: 1}
	for at.Offset < len(src) {
		from := at
		var bad diag.Code
		for at.Offset < len(src) {
			r, size := utf8.DecodeRune(src[at.Offset:])
			code := runeFault(r, size)
			if at != from && code != bad {
				break
			}
			bad = code
			at = AdvancePos(at, string(src[at.Offset:at.Offset+size]))
		}
		span := diag.Span{File: s.file, Start: from, End: at}
		switch first := src[from.Offset]; bad {
		case "nul-byte":
			s.Errorf(bad, span, "the file contains a NUL byte")
		case "not-utf8":
			s.Errorf(bad, span, `byte \x%02x is not valid UTF-8`, first).WithHelp("save the file as UTF-8")
		}
	}
}
