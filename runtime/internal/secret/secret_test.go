package secret_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/internal/secret"
)

const key = "sk-hunter2"

// holder has a secret in fields of all kinds.
type holder struct {
	Exported   secret.Value[string]
	unexported secret.Value[string]
	Pointer    *secret.Value[string]
	list       []secret.Value[string]
	byName     map[string]secret.Value[string]
	any        any
	header     secret.Value[map[string][]string]
}

func TestNeverPrinted(t *testing.T) {
	v := secret.New(key)
	h := holder{v, v, &v, []secret.Value[string]{v}, map[string]secret.Value[string]{"k": v}, v, secret.New(map[string][]string{"Authorization": {key}})}
	for _, value := range []any{v, &v, h, &h, []any{h}, map[string]any{"h": h}, struct{ holder }{h}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%t", "%p", "%T", "%10.3v"} {
			checkHidden(t, verb, fmt.Sprintf(verb, value))
		}
		checkHidden(t, "Errorf", fmt.Errorf("no: %v", value).Error())
		text, err := json.Marshal(value)
		if err != nil {
			t.Errorf("json: %v", err)
		}
		checkHidden(t, "json", string(text))
		var b bytes.Buffer
		slog.New(slog.NewTextHandler(&b, nil)).Info("x", "value", value)
		slog.New(slog.NewJSONHandler(&b, nil)).Info("x", "value", value)
		checkHidden(t, "slog", b.String())
	}
	if v.Reveal() != key || h.header.Reveal()["Authorization"][0] != key || (secret.Value[string]{}).Reveal() != "" {
		t.Error("the secret is not revealed")
	}
}

func checkHidden(t *testing.T, how, text string) {
	t.Helper()
	if strings.Contains(text, "hunter2") || strings.Contains(text, fmt.Sprintf("%x", "hunter2")) || strings.Contains(text, "104 117 110") {
		t.Errorf("%s shows %s", how, text)
	}
}

func TestHide(t *testing.T) {
	if got := secret.Hide("key abcdefgh and abcdef, not ab", "abcdef", "abcdefgh", "ab", ""); got != "key [hidden] and [hidden], not ab" {
		t.Error(got)
	}
	if got := secret.HideCut("<p>sk-hun", key) + secret.HideCut("<p>"+key+" sk-hu", key); got != "<p>[hidden]<p>[hidden] sk-hu" {
		t.Error(got)
	}
	for _, form := range []string{"a/b<c>&\"", `a\/b\u003cc\u003e\u0026\"`, "a/b&lt;c&gt;&amp;&#34;", "a%2Fb%3Cc%3E%26%22", "YS9iPGM+JiI="} {
		if got := secret.Hide("x "+form, secret.Forms(`a/b<c>&"`)...); got != "x [hidden]" {
			t.Error(got)
		}
	}
	err := secret.HideIn(fmt.Errorf("open %s: %w", key, fs.ErrNotExist), key)
	if err.Error() != "open [hidden]: file does not exist" || !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	checkHidden(t, "%#v", fmt.Sprintf("%#v %+v", err, err))
	if secret.HideIn(nil, key) != nil || secret.HideIn(fs.ErrExist, key) != fs.ErrExist {
		t.Error("an error without a secret changed")
	}
}
