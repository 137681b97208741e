package responses

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
	"github.com/aiongen/aiongen/runtime/tool"
)

// protocol identifies the provider data of this package.
const protocol = "openai-responses"

// providerData is the content of [llm.Message.Provider]. It is sent back only to the endpoint that
// sent it.
type providerData struct {
	Protocol string   `json:"protocol"`
	Endpoint string   `json:"endpoint"`
	Items    []string `json:"items"`           // JSON of the items; as strings, because encoding them as JSON would change their bytes
	Tools    []string `json:"tools,omitempty"` // names of the tools of the request, if they differ from those of the previous answer
}

// readProviderData returns the provider data of a message. ok is false if the message is not an answer of a model of
// this package.
func readProviderData(m llm.Message) (p providerData, ok bool) {
	if m.Role != llm.RoleAssistant || json.Unmarshal(m.Provider, &p) != nil || p.Protocol != protocol {
		return providerData{}, false
	}
	return p, true
}

// lastEndpoint returns the endpoint of the last message with provider data of this package, or "".
func lastEndpoint(messages []llm.Message) string {
	for _, m := range slices.Backward(messages) {
		if p, ok := readProviderData(m); ok {
			return p.Endpoint
		}
	}
	return ""
}

// maxIDLength is the maximum length of a call ID, in bytes.
const maxIDLength = 64

// input collects the items of a request.
type input struct {
	request    *request
	text       []byte                     // JSON of the list of items, without its brackets
	callers    map[string]json.RawMessage // the member "caller" of each call, by call ID
	ids        map[string]bool            // IDs of the items
	notOffered []function                 // tools that were not offered yet at this point of the dialogue
	err        error
}

// encodeInput returns the items of the dialogue, and the value of the request's member "tools". Tools that
// were added during the dialogue become items instead: the member "tools" precedes the dialogue, so
// changing it would invalidate the prompt cache.
func (r *request) encodeInput(req llm.Request, host string, omit endpoint.Parameters) (json.RawMessage, []function, error) {
	dialogue := req.Dialogue()
	if req.System != "" {
		dialogue = dialogue[1:] // the system prompt becomes the instructions
	}
	in := &input{request: r, callers: map[string]json.RawMessage{}, ids: map[string]bool{}}
	initial := r.functions(req.Tools, omit)
	names := functionNames(initial)
	var recorded []string // names of the tools that the dialogue has recorded so far; nil if it has not recorded any
	for _, m := range llm.UniqueCallIDs(dialogue, func(id string) bool { return len(id) <= maxIDLength }) {
		p, sameEndpoint := readProviderData(m)
		sameEndpoint = sameEndpoint && p.Endpoint == host && !omit.Has(earlierItems)
		switch {
		case !sameEndpoint || p.Tools == nil || omit.Has(laterTools):
		case recorded == nil:
			initial, in.notOffered = splitFunctions(initial, p.Tools)
			recorded = p.Tools
		default:
			in.addTools(p.Tools)
			recorded = p.Tools
		}
		in.addMessage(m, p, sameEndpoint)
	}
	if recorded != nil {
		in.addTools(names)
	}
	if !omit.Has(laterTools) && !slices.Equal(recorded, names) {
		r.toolNames = names
	}
	if in.err != nil {
		return nil, nil, in.err
	}
	return append(append([]byte{'['}, in.text...), ']'), initial, nil
}

// functionNames returns the sorted names of functions.
func functionNames(all []function) (names []string) {
	for _, f := range all {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return names
}

// splitFunctions returns the functions with the given names, and the other functions.
func splitFunctions(all []function, names []string) (listed, others []function) {
	for _, f := range all {
		if slices.Contains(names, f.Name) {
			listed = append(listed, f)
		} else {
			others = append(others, f)
		}
	}
	return listed, others
}

// addTools adds an item that offers those of the named tools that were not offered before.
func (in *input) addTools(names []string) {
	added, others := splitFunctions(in.notOffered, names)
	if len(added) == 0 {
		return
	}
	in.notOffered = others
	in.request.optional = append(in.request.optional, laterTools)
	in.add(map[string]any{"type": "additional_tools", "role": "developer", "tools": added})
}

// add adds an item. It adds a json.RawMessage unchanged.
func (in *input) add(item any) {
	text, isRaw := item.(json.RawMessage)
	if !isRaw {
		text = endpoint.Encode(item)
	}
	if len(in.text) > 0 {
		in.text = append(in.text, ',')
	}
	in.text = append(in.text, text...)
}

// addMessage adds the items of a message. If sameEndpoint is true, the original items in p came from the endpoint of
// the request, and addMessage adds these.
func (in *input) addMessage(m llm.Message, p providerData, sameEndpoint bool) {
	switch {
	case m.Role == llm.RoleTool && m.Result != nil:
		in.addResult(m)
	case sameEndpoint && in.addItems(m, p.Items):
		if in.request.itemsOf == "" {
			in.request.itemsOf = p.Endpoint
			in.request.optional = append(in.request.optional, earlierItems)
		}
	case m.Role == llm.RoleAssistant:
		if m.Text != "" {
			in.add(message{"message", m.Role, m.Text})
		}
		for _, c := range m.Calls {
			name, arguments := in.request.tools.WireCall(c)
			in.add(call{"function_call", c.ID, name, string(arguments)})
		}
	case m.Parts == nil:
		in.add(message{"message", m.Role, m.Text})
	default:
		content, err := parts.Message(m)
		in.err = cmp.Or(in.err, err)
		in.add(message{"message", m.Role, content})
	}
}

// message is an item for a message whose original items are not sent.
type message struct {
	Type    string   `json:"type"`
	Role    llm.Role `json:"role"`
	Content any      `json:"content"` // string or []part
}

// call is an item for a call in a message whose original items are not sent.
type call struct {
	Type      string `json:"type"`
	ID        string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// callOutput is an item with the result of a call.
type callOutput struct {
	Type   string          `json:"type"`
	ID     string          `json:"call_id"`
	Output any             `json:"output"` // string or []part
	Caller json.RawMessage `json:"caller,omitempty"`
}

// addResult adds the result of a call, with the images and files that the tool attached.
func (in *input) addResult(m llm.Message) {
	text, media := parts.Result(m)
	out := callOutput{"function_call_output", m.Result.ID, text, in.callers[m.Result.ID]}
	if media != nil {
		out.Output = append([]part{parts.Text(text)}, media...)
	}
	in.add(out)
}

// part is a part of the content of a message.
type part struct {
	Type     string `json:"type"`
	Text     string `json:"text,omitempty"`
	Image    string `json:"image_url,omitempty"`
	Detail   string `json:"detail,omitempty"`
	FileName string `json:"filename,omitempty"`
	FileData string `json:"file_data,omitempty"`
	FileURL  string `json:"file_url,omitempty"`
}

var parts = endpoint.PartEncoder[part]{Text: func(text string) part { return part{Type: "input_text", Text: text} }, Media: encodeMedia}

// encodeMedia converts an image or a file with a URL or data.
func encodeMedia(p content.Part) (part, error) {
	link := p.Kind() == content.KindLink
	switch {
	case p.Medium() == "audio":
		return part{}, fmt.Errorf("the Responses API does not accept %s", p.Media)
	case p.Medium() == "image" && link:
		return part{Type: "input_image", Image: p.URL, Detail: "auto"}, nil
	case p.Medium() == "image":
		return part{Type: "input_image", Image: dataURL(p), Detail: "auto"}, nil
	case link:
		return part{Type: "input_file", FileURL: p.URL}, nil
	}
	return part{Type: "input_file", FileName: cmp.Or(p.Name, fileName(p.Media)), FileData: dataURL(p)}, nil
}

// fileName returns a name for a file that has none, because the API requires a name.
func fileName(media string) string {
	_, subtype, _ := strings.Cut(media, "/")
	switch subtype, _, _ = strings.Cut(subtype, ";"); subtype {
	case "plain":
		subtype = "txt"
	case "markdown":
		subtype = "md"
	}
	return "file." + subtype
}

func dataURL(p content.Part) string {
	return "data:" + p.Media + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
}

// addItems adds the original items of an answer, with these exceptions:
//   - It omits reasoning at the end, because the endpoint rejects reasoning without a following item.
//   - It omits reasoning without content, because the endpoint has not stored the content. In this
//     case, it also removes the IDs of the other items.
//   - It corrects calls that the endpoint would reject.
//
// If the items do not belong to the message, it adds nothing and returns false.
func (in *input) addItems(m llm.Message, raw []string) bool {
	items := make([]item, len(raw))
	calls, isLost := 0, false
	for i, text := range raw {
		items[i] = parseItem(json.RawMessage(text))
		if items[i].is("function_call") {
			calls++
		}
		if in.ids[items[i].Text("id")] {
			return false
		}
		isLost = isLost || items[i].isLost()
	}
	if calls != len(m.Calls) {
		return false
	}
	for len(items) > 0 && items[len(items)-1].is("reasoning") {
		items = items[:len(items)-1]
	}
	next := 0
	for _, it := range items {
		if id := it.Text("id"); id != "" {
			in.ids[id] = true
		}
		if it.isLost() {
			continue
		}
		changes := map[string]json.RawMessage{}
		if isLost && it.Has("id") {
			changes["id"] = nil
		}
		if it.is("function_call") {
			in.correctCall(it, m.Calls[next], changes)
			next++
		}
		in.add(it.withChanges(changes))
	}
	return true
}

// correctCall puts a valid value into changes for each member of the original item that the endpoint would reject. It
// stores the member "caller" of the item, because the item with the result must repeat it.
func (in *input) correctCall(original item, c tool.Request, changes map[string]json.RawMessage) {
	name, arguments := in.request.tools.WireCall(tool.Request{Name: c.Name, Arguments: json.RawMessage(original.Text("arguments"))})
	if original.Text("call_id") != c.ID {
		changes["call_id"] = endpoint.Encode(c.ID)
	}
	if !json.Valid([]byte(original.Text("arguments"))) {
		changes["arguments"] = endpoint.Encode(string(arguments))
	}
	if !validName.MatchString(original.Text("name")) {
		changes["name"] = endpoint.Encode(name)
	}
	if original.Has("caller") {
		in.callers[c.ID] = original.Members["caller"]
	}
}

// validName matches the names of functions that the API accepts.
var validName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`)
