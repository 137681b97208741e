package tools

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"github.com/aiongen/aiongen/runtime/tool"
)

// serveBot starts a server that answers like Telegram, and records its requests without the random boundaries of
// their forms.
func serveBot(t *testing.T) (url string, requests *[]string) {
	const message = `{"message_id":8,"date":1767323045,"chat":{"id":9007199254740993,"type":"private","first_name":"Ada"},"from":{"id":5,"is_bot":false,"first_name":"Ada"},"text":"Grüße <b>",
		"entities":[{"type":"bold","offset":0,"length":5}]}`
	answers := map[string]string{
		"getMe": `{"id":1,"is_bot":true,"first_name":"Bot","username":"a_bot"}`, "sendMessage": message, "sendPhoto": message, "editMessageText": message, "sendPoll": message,
		"getChat": `{"id":9007199254740993,"type":"private","first_name":"Ada","accent_color_id":0,"max_reaction_count":11}`, "deleteMessage": `true`,
	}
	requests = new([]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if _, boundary, ok := strings.Cut(r.Header.Get("Content-Type"), "boundary="); ok {
			body = []byte(strings.ReplaceAll(string(body), boundary, "boundary"))
		}
		method := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		*requests = append(*requests, method+" "+string(body))
		io.WriteString(w, `{"ok":true,"result":`+answers[method]+`}`)
	}))
	t.Cleanup(server.Close)
	return server.URL, requests
}

func TestTelegram(t *testing.T) {
	url, requests := serveBot(t)
	b := firstResult(bot.New("token", bot.WithServerURL(url), bot.WithSkipGetMe()))
	r := newRegistry(t, func(r *tool.Registry) error { return Register(r, Deps{Bot: b}) })
	ctx, chat := context.Background(), int64(9007199254740993)
	compare(t, r, "bot_get_me", `{}`, firstResult(b.GetMe(ctx)))
	compare(t, r, "bot_send_message", `{"chat_id":9007199254740993,"text":"Grüße <b>","parse_mode":"HTML","reply_parameters":{"message_id":7}}`,
		firstResult(b.SendMessage(ctx, &bot.SendMessageParams{ChatID: chat, Text: "Grüße <b>", ParseMode: models.ParseModeHTML, ReplyParameters: &models.ReplyParameters{MessageID: 7}})))
	compare(t, r, "bot_send_photo", `{"chat_id":"@ada","photo":{"type":"input_file_string","value":"https://example.com/a.png"},"caption":"A"}`,
		firstResult(b.SendPhoto(ctx, &bot.SendPhotoParams{ChatID: "@ada", Photo: &models.InputFileString{Data: "https://example.com/a.png"}, Caption: "A"})))
	compare(t, r, "bot_get_chat", `{"chat_id":9007199254740993}`, firstResult(b.GetChat(ctx, &bot.GetChatParams{ChatID: chat})))
	compare(t, r, "bot_edit_message_text", `{"chat_id":9007199254740993,"message_id":8,"text":"Gruß"}`,
		firstResult(b.EditMessageText(ctx, &bot.EditMessageTextParams{ChatID: chat, MessageID: 8, Text: "Gruß"})))
	compare(t, r, "bot_delete_message", `{"chat_id":9007199254740993,"message_id":8}`, firstResult(b.DeleteMessage(ctx, &bot.DeleteMessageParams{ChatID: chat, MessageID: 8})))
	compare(t, r, "bot_send_poll", `{"chat_id":9007199254740993,"question":"Tea?","options":[{"text":"yes"},{"text":"no"}],"is_anonymous":false,"correct_option_id":0}`,
		firstResult(b.SendPoll(ctx, &bot.SendPollParams{ChatID: chat, Question: "Tea?", Options: []models.InputPollOption{{Text: "yes"}, {Text: "no"}}, IsAnonymous: new(bool)})))
	compareRequests(t, *requests)
}
