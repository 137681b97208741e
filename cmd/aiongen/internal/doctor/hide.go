package doctor

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/internal/words"
)

// A hider removes private data from texts, so that a report can be published: the home directory,
// passwords, and the paths of URLs.
type hider struct {
	homes   []string // paths of the home directory
	secrets []string // parts of settings that the go command may quote in errors
}

func newHider() (h hider) {
	home, err := os.UserHomeDir()
	if err != nil || len(home) < 2 {
		return h
	}
	h.homes = []string{filepath.Clean(home)}
	if real, err := filepath.EvalSymlinks(home); err == nil && real != h.homes[0] {
		h.homes = append(h.homes, real)
	}
	return h
}

// anyURL matches URLs up to the next blank, since a password may have any other character.
var anyURL = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://\S*`)

// hide returns a text as one line without control characters and private data. URLs keep only their
// scheme and host, and ~ replaces the home directory.
func (h hider) hide(text string) string {
	text = anyURL.ReplaceAllStringFunc(text, hideURL)
	for _, secret := range h.secrets {
		text = strings.ReplaceAll(text, secret, "…")
	}
	for _, home := range h.homes {
		text = replacePath(text, home)
	}
	return words.Visible(text, "")
}

// urlParts matches a URL with a plain host. Its groups are the scheme with the host, and the text after
// the host.
var urlParts = regexp.MustCompile(`^([A-Za-z0-9+.-]+://(?:[A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\])?(?::\d{1,5})?)(?:$|([/?#].*))`)

// hideURL returns the scheme and the host of a URL. If the URL has an @, a password may precede it, so
// hideURL returns only the scheme.
func hideURL(text string) string {
	parts := urlParts.FindStringSubmatch(text)
	switch {
	case parts == nil || strings.Contains(text, "@"):
		scheme, _, _ := strings.Cut(text, "://")
		return scheme + "://…"
	case parts[2] == "" || parts[2] == "/":
		return text
	}
	return parts[1] + "/…"
}

// replacePath replaces a directory by ~ in the paths of the directory and of the files in it.
func replacePath(text, dir string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, dir)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if after == "" || strings.ContainsAny(after[:1], `/\ :;,"'`+"\n") {
			b.WriteString("~")
		} else {
			b.WriteString(dir)
		}
		text = after
	}
}

// hideSetting returns the value of a setting of the go command without private data.
func (h hider) hideSetting(name, value string) string {
	switch name {
	case "GOPROXY":
		return hideProxies(value)
	case "GOFLAGS":
		return h.hide(hideFlags(value))
	}
	return h.hide(value)
}

// hideProxies hides the URLs in a list of proxies.
func hideProxies(list string) string {
	var b strings.Builder
	for list != "" {
		at := strings.IndexAny(list, ",|")
		if at < 0 {
			at = len(list)
		}
		switch proxy := list[:at]; {
		case proxy == "direct" || proxy == "off" || proxy == "":
			b.WriteString(proxy)
		case anyURL.FindString(proxy) == proxy:
			b.WriteString(words.Visible(hideURL(proxy), ""))
		default: // part of a URL whose password contains a comma
			b.WriteString("…")
		}
		b.WriteString(list[at:min(at+1, len(list))])
		list = list[min(at+1, len(list)):]
	}
	return b.String()
}

// shownFlags matches flags of the go command whose values are shown. Other flags may contain secrets: -ldflags
// can set a variable to one.
var shownFlags = regexp.MustCompile(`^--?(?:mod|modfile|tags|buildvcs|trimpath|race|p|modcacherw|overlay|insecure|v|x|a)(?:=|$)`)

// hideFlags hides the values of flags that may be secrets.
func hideFlags(flags string) string {
	if strings.ContainsAny(flags, `'"`) {
		return "…" // blanks in quotes do not end a flag
	}
	shown, _ := splitFlags(flags)
	return strings.Join(shown, " ")
}

// splitFlags returns each flag as hideFlags shows it, and the values that it hides.
func splitFlags(flags string) (shown, hidden []string) {
	for _, flag := range strings.FieldsFunc(flags, func(r rune) bool { return unicode.IsSpace(r) || r == '\'' || r == '"' }) {
		name, value, hasValue := strings.Cut(flag, "=")
		switch {
		case shownFlags.MatchString(flag):
			shown = append(shown, flag)
		case !strings.HasPrefix(flag, "-"): // part of a value that contains a blank
			shown, hidden = append(shown, "…"), append(hidden, flag)
		case hasValue:
			shown, hidden = append(shown, name+"=…"), append(hidden, value)
		default:
			shown = append(shown, name)
		}
	}
	return shown, hidden
}

// minSecret is the length, in bytes, of the shortest text that counts as a secret. Shorter texts occur
// in many words.
const minSecret = 4

// findSecrets returns the parts of GOFLAGS and GOPROXY that hideSetting hides, the longest first.
func findSecrets(flags, proxies string) (secrets []string) {
	_, secrets = splitFlags(flags)
	for _, proxy := range strings.FieldsFunc(proxies, func(r rune) bool { return r == ',' || r == '|' }) {
		if proxy = strings.TrimSpace(proxy); proxy != "direct" && proxy != "off" && anyURL.FindString(proxy) != proxy {
			secrets = append(secrets, proxy)
		}
	}
	secrets = slices.DeleteFunc(secrets, func(s string) bool { return len(s) < minSecret })
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	return secrets
}
