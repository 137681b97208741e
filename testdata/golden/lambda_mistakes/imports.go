package mistakes

import _ "github.com/aiongen/aiongen/testdata/golden/lambda_mistakes/parts"
