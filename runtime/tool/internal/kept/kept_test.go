package kept_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/aiongen/aiongen/runtime/tool/internal/kept"
)

type call = kept.Call[string, string]

func Example() {
	text, err := kept.Write(&call{ID: "1", Request: "find", Status: "completed", Duration: kept.Duration(time.Second), Output: json.RawMessage("7")})
	fmt.Println(string(text), err)
	back, err := kept.Read[string, string](text)
	fmt.Println(time.Duration(back.Duration), string(back.Output), err)
	_, err = kept.Read[string, string]([]byte(`{"format":2}`))
	fmt.Println(err)
	// Output:
	// {"format":1,"id":"1","request":"find","status":"completed","duration":"1s","output":7} <nil>
	// 1s 7 <nil>
	// the record of a call has format 2, of which only 1 is known
}
