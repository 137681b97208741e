// Package main reads calls of compiled expressions from standard input, each as a line of
// JSON, and writes their results to standard output.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
)

// A request is a call of an expression. An omitted argument is null.
type request struct {
	Expression int
	Arguments  []json.RawMessage
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<24)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		var r request
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			panic(err)
		}
		if err := encoder.Encode(call(reflect.ValueOf(expressions[r.Expression]), r.Arguments)); err != nil {
			panic(err)
		}
	}
}

// call calls a function and returns its value or its error.
func call(f reflect.Value, arguments []json.RawMessage) map[string]any {
	reset()
	in := make([]reflect.Value, len(arguments))
	for i, text := range arguments {
		v := reflect.New(f.Type().In(i))
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber() // as the arguments of a tool are decoded
		if err := decoder.Decode(v.Interface()); err != nil {
			panic(err)
		}
		in[i] = v.Elem()
	}
	var value any
	for i, result := range f.Call(in) {
		if err, ok := result.Interface().(error); ok && i == f.Type().NumOut()-1 {
			return map[string]any{"error": err.Error()}
		}
		if i == 0 && !isError(f.Type().Out(0)) {
			value = exact(result, false)
		}
	}
	return map[string]any{"value": value}
}

func isError(t reflect.Type) bool { return t == reflect.TypeFor[error]() }

// exact returns a form of a value that JSON can carry. Floats, including infinity and NaN, become objects,
// so that they differ from integers. Like generated code, exact turns a nil slice into an empty list, or
// into null if dynamic is set, which means that the slice is inside an any.
func exact(v reflect.Value, dynamic bool) any {
	switch v.Kind() {
	case reflect.Invalid:
		return nil
	case reflect.Interface:
		return exact(v.Elem(), true)
	case reflect.Float32, reflect.Float64:
		return floatText(v.Float())
	case reflect.Slice, reflect.Array:
		if dynamic && v.Kind() == reflect.Slice && v.IsNil() {
			return nil
		}
		list := make([]any, v.Len())
		for i := range list {
			list[i] = exact(v.Index(i), dynamic)
		}
		return list
	case reflect.Map:
		if dynamic && v.IsNil() {
			return nil
		}
		dict := map[string]any{}
		for key, value := range v.Seq2() {
			dict[fmt.Sprint(key)] = exact(value, dynamic)
		}
		return dict
	case reflect.Pointer:
		return exact(v.Elem(), dynamic)
	}
	if n, ok := v.Interface().(json.Number); ok && strings.ContainsAny(string(n), ".eE") {
		f, _ := n.Float64() // infinite if out of range, as in Python
		return floatText(f)
	}
	return v.Interface()
}

func floatText(f float64) any {
	return map[string]string{"float": strings.ToLower(strconv.FormatFloat(f, 'g', -1, 64))}
}
