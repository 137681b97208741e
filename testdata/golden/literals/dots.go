package literals

import (
	. "strconv"
	. "unicode/utf8"
)

var _, _ = RuneLen, Itoa
