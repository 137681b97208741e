package inspect

import (
	"net/http"
	"strings"

	"github.com/aiongen/aiongen/runtime/tool"
)

// addToolRoutes adds the pages of tools and their calls.
func (h *Handler) addToolRoutes(mux *http.ServeMux) {
	if h.config.Tools == nil {
		return
	}
	mux.HandleFunc("GET /tools", h.showTools)
}

var toolsPage = parsePage("tools.html")

// toolList is the list of tools that a search has found.
type toolList struct {
	Search string
	Tools  []tool.Definition
	Total  int
}

// showTools lists the tools whose name, title or description contains all words of the query q.
func (h *Handler) showTools(w http.ResponseWriter, r *http.Request) {
	all := h.config.Tools.All()
	list := toolList{Search: r.FormValue("q"), Total: len(all)}
	words := strings.Fields(strings.ToLower(list.Search))
	for _, d := range all {
		if containsAll(strings.ToLower(d.Name+"\n"+d.Title+"\n"+d.Description), words) {
			list.Tools = append(list.Tools, d)
		}
	}
	h.showPage(w, r, page{template: toolsPage, title: "Tools", section: "tools", body: list})
}

func containsAll(text string, words []string) bool {
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
