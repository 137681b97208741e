package gofmt_test

import (
	"fmt"

	"github.com/aiongen/aiongen/gen/internal/gofmt"
)

func Example() {
	text, err := gofmt.Append(nil, []byte("type Args struct{\nName string `json:\"name\"`\nID int `json:\"id\"`\n}\nfunc Next (a * Args,step int) int {\nreturn a . ID + step*2\n}"))
	fmt.Printf("%s\n%v\n", text, err)
	// Output:
	// type Args struct {
	// 	Name string `json:"name"`
	// 	ID   int    `json:"id"`
	// }
	//
	// func Next(a *Args, step int) int {
	// 	return a.ID + step*2
	// }
	// <nil>
}
