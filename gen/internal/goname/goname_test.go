package goname

import "testing"

func TestExported(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"get_url", "GetURL"},
		{"send-output", "SendOutput"},
		{"SendOutput", "SendOutput"},
		{"user_ids", "UserIDs"},
		{"type", "Type"},
		{"a__b", "AB"},
		{"_", "Tool"},
		{"_1st", "Tool1st"},
		{"x2", "X2"},
		{"user_id2", "UserID2"},
		{"utf8_text", "UTF8Text"},
		{"éclair", "Éclair"},
		{"名前", "Tool名前"}, // has no upper case, so it would not be exported
	} {
		if got := Exported(tt.name, "Tool"); got != tt.want {
			t.Errorf("Exported(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestUnexported(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"GetURL", "getURL"},
		{"URLPath", "urlPath"},
		{"ID", "id"},
		{"A", "a"},
		{"X2", "x2"},
		{"IDs", "ids"},
	} {
		if got := Unexported(tt.name); got != tt.want {
			t.Errorf("Unexported(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestSnakeCase(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"userID", "user_id"},
		{"UserID", "user_id"},
		{"userIDs", "user_ids"},
		{"IDs", "ids"},
		{"IDsByName", "ids_by_name"},
		{"HTTPServer", "http_server"},
		{"id", "id"},
		{"i64", "i64"},
		{"x2Y", "x2_y"},
		{"user_id", "user_id"},
		{"already_Snake", "already_snake"},
		{"NaN", "nan"},
		{"IsNaN", "is_nan"},
		{"NaNs", "na_ns"}, // not a known word
		{"HGet", "hget"},
		{"HGetAll", "hget_all"},
		{"FindAUser", "find_a_user"},
		{"KVv2", "kv_v2"},
		{"KVv2Get", "kv_v2_get"},
		{"Lv2", "lv2"},
		{"IPv4", "ipv4"},
		{"parseIPv6Addr", "parse_ipv6_addr"},
		{"IPv42", "ip_v42"},
		{"MySQLDB", "mysql_db"},
		{"GitHubURL", "github_url"},
		{"Ö", "ö"},
		{"", ""},
		{"_x", "_x"},
		{"_", "_"},
		{"x__Y", "x__y"},
	} {
		if got := SnakeCase(tt.name); got != tt.want {
			t.Errorf("Snake(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestIsSpelling(t *testing.T) {
	for _, tt := range []struct {
		snake, Exported string
		want            bool
	}{
		{"send_output", "SendOutput", true},
		{"hget_all", "HGetAll", true},
		{"kv_v2", "KVv2", true},
		{"is_nan", "isNaN", true},
		{"send_output", "sendOutput", true},
		{"send_output", "Sendoutput", false},
		{"send_output", "SendOutputs", false},
		{"get_url", "GetURL", true},
		{"get_url", "GetUrl", true},
		{"get_url", "getURL", true},
		{"get_url", "GETURL", false},
		{"url_of", "URLOf", true},
		{"url_of", "urlOf", true},
		{"echo", "Echo", true},
		{"echo", "echo", true},
		{"Echo", "echo", false},
		{"_echo", "Echo", false},
		{"", "", false},
	} {
		if got := IsSpelling(tt.snake, tt.Exported); got != tt.want {
			t.Errorf("Spells(%q, %q) = %v", tt.snake, tt.Exported, got)
		}
	}
}

func TestTake(t *testing.T) {
	n := NewNames("taken")
	for _, tt := range []struct{ name, want string }{
		{"free", "free"},
		{"free", "free2"},
		{"free", "free3"},
		{"taken", "taken2"},
		{"string", "string2"},
		{"type", "type2"},
		{"init", "init2"},
	} {
		if got := n.Take(tt.name); got != tt.want {
			t.Errorf("Take(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
}
