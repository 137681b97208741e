//lint:file-ignore ST1001 dot imports are the point

package literals

import (
	. "strconv"
	. "unicode/utf8"
)

var _, _ = RuneLen, Itoa
