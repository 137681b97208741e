package tools

import (
	"context"
	"testing"

	"github.com/slack-go/slack"

	"github.com/aiongen/aiongen/runtime/tool"
)

func TestSlack(t *testing.T) {
	const channel = `{"id":"C1","name":"general","is_channel":true,"is_private":false,"num_members":3,"topic":{"value":"News & <more>","creator":"U1","last_set":1}}`
	url, requests := serve(t, map[string]string{
		"POST /chat.postMessage":       `{"ok":true,"channel":"C1","ts":"1767323045.000100"}`,
		"POST /conversations.list":     `{"ok":true,"channels":[` + channel + `],"response_metadata":{"next_cursor":"n"}}`,
		"POST /conversations.history":  `{"ok":true,"messages":[{"type":"message","user":"U1","text":"Grüße","ts":"1767323045.000100","blocks":[]}],"has_more":false}`,
		"POST /users.info":             `{"ok":true,"user":{"id":"U1","name":"ada","real_name":"Ada","is_admin":true,"tz_offset":3600,"profile":{"email":"ada@example.com"}}}`,
		"POST /reactions.add":          `{"ok":true}`,
		"POST /conversations.setTopic": `{"ok":true,"channel":` + channel + `}`,
		"POST /conversations.invite":   `{"ok":true,"channel":` + channel + `}`,
	})
	client := slack.New("token", slack.OptionAPIURL(url+"/"))
	r := newRegistry(t, func(r *tool.Registry) error { return Register(r, Deps{Client: client}) })
	ctx := context.Background()
	id, timestamp, err := client.PostMessageContext(ctx, "C1", slack.MsgOptionText("Grüße <all>", false))
	if err != nil {
		t.Fatal(err)
	}
	compare(t, r, "client_post_message_context", `{"channel_id":"C1","text":"Grüße <all>"}`, map[string]string{"channel": id, "timestamp": timestamp})
	channels, next, err := client.GetConversationsContext(ctx, &slack.GetConversationsParameters{Limit: 10, Types: []string{"public_channel"}})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, r, "client_get_conversations_context", `{"Limit":10,"Types":["public_channel"]}`, map[string]any{"channels": channels, "next_cursor": next},
		"next_cursor", "channels.id", "channels.name", "channels.is_private", "channels.topic.value", "channels.num_members")
	compare(t, r, "client_get_conversation_history_context", `{"ChannelID":"C1","Limit":5}`,
		firstResult(client.GetConversationHistoryContext(ctx, &slack.GetConversationHistoryParameters{ChannelID: "C1", Limit: 5})),
		"messages.type", "messages.user", "messages.text", "messages.ts", "has_more")
	compare(t, r, "client_get_user_info_context", `{"user":"U1"}`, firstResult(client.GetUserInfoContext(ctx, "U1")))
	call(t, r, "client_add_reaction_context", `{"name":"thumbsup","item":{"channel":"C1","timestamp":"1767323045.000100"}}`)
	firstResult[any](client.AddReactionContext(ctx, "thumbsup", slack.NewRefToMessage("C1", "1767323045.000100")))
	compare(t, r, "client_set_topic_of_conversation_context", `{"channel_id":"C1","topic":"News"}`, firstResult(client.SetTopicOfConversationContext(ctx, "C1", "News")),
		"id", "name", "topic.value")
	compare(t, r, "client_invite_users_to_conversation_context", `{"channel_id":"C1","users":["U1","U2"]}`, firstResult(client.InviteUsersToConversationContext(ctx, "C1", "U1", "U2")),
		"id", "name", "num_members")
	compareRequests(t, *requests)
}
