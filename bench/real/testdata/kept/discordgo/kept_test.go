package tools

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/bwmarrin/discordgo"

	"github.com/aiongen/aiongen/runtime/tool"
)

// A redirection sends all requests to another server.
type redirection struct{ host string }

func (r redirection) RoundTrip(request *http.Request) (*http.Response, error) {
	request.URL.Scheme, request.URL.Host = "http", r.host
	return http.DefaultTransport.RoundTrip(request)
}

func TestDiscord(t *testing.T) {
	const (
		channel = `{"id":"7","type":0,"guild_id":"1","name":"general","position":0,"topic":"<all>","last_message_id":"9007199254740993","permission_overwrites":[]}`
		message = `{"id":"8","channel_id":"7","content":"Grüße","timestamp":"2026-01-02T03:04:05.000000+00:00","author":{"id":"5","username":"ada"},"embeds":[],"attachments":[],"type":0,
			"components":[{"type":1,"components":[{"type":2,"label":"OK","style":1,"custom_id":"ok"}]}]}`
	)
	base, requests := serve(t, map[string]string{
		"GET /api/v9/channels/7":                                  channel,
		"GET /api/v9/channels/7/messages":                         "[" + message + "]",
		"POST /api/v9/channels/7/messages":                        message,
		"PATCH /api/v9/channels/7/messages/8":                     message,
		"DELETE /api/v9/channels/7/messages/8":                    ``,
		"PUT /api/v9/channels/7/messages/8/reactions/hello:1/@me": ``,
		"GET /api/v9/guilds/1/channels":                           "[" + channel + "]",
		"GET /api/v9/users/@me":                                   `{"id":"5","username":"ada","bot":true}`,
	})
	session := firstResult(discordgo.New("Bot token"))
	session.Client = &http.Client{Transport: redirection{firstResult(url.Parse(base)).Host}}
	r := newRegistry(t, func(r *tool.Registry) error { return Register(r, Deps{Session: session}) })
	compare(t, r, "session_channel", `{"channel_id":"7"}`, firstResult(session.Channel("7")))
	compare(t, r, "session_channel_messages", `{"channel_id":"7","limit":10,"before_id":"9"}`, firstResult(session.ChannelMessages("7", 10, "9", "", "")))
	compare(t, r, "session_channel_message_send", `{"channel_id":"7","content":"Grüße"}`, firstResult(session.ChannelMessageSend("7", "Grüße")))
	compare(t, r, "session_channel_message_edit", `{"channel_id":"7","message_id":"8","content":"Gruß"}`, firstResult(session.ChannelMessageEdit("7", "8", "Gruß")))
	compare(t, r, "session_guild_channels", `{"guild_id":"1"}`, firstResult(session.GuildChannels("1")))
	compare(t, r, "session_user", `{"user_id":"@me"}`, firstResult(session.User("@me")))
	call(t, r, "session_message_reaction_add", `{"channel_id":"7","message_id":"8","emoji_id":"hello:1"}`)
	firstResult[any](session.MessageReactionAdd("7", "8", "hello:1"))
	call(t, r, "session_channel_message_delete", `{"channel_id":"7","message_id":"8"}`)
	firstResult[any](session.ChannelMessageDelete("7", "8"))
	compareRequests(t, *requests)
}
