package guard

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// isLocal reports whether a request comes from a browser or program on this machine. The peer must be a loopback
// address. The host must be one, too, because an attacker can point the name of a page to 127.0.0.1. A proxy on
// this machine is recognized by its headers, or by HTTP/1.0, which nginx uses by default.
func isLocal(r *http.Request) bool {
	return peerAddress(r).IsLoopback() && isLoopbackHost(r.Host) && !isForwarded(r) && r.ProtoAtLeast(1, 1)
}

// peerAddress returns the address of the other end of the connection, and the zero Addr if it is not an IP
// address.
func peerAddress(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return peer.Addr().Unmap()
}

// isLoopbackHost reports whether the value of a Host header is localhost or a loopback address, with or
// without a port.
func isLoopbackHost(host string) bool {
	name := (&url.URL{Host: host}).Hostname()
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.IsLoopback() || strings.EqualFold(name, "localhost")
}

// forwardingHeaders are set by proxies.
var forwardingHeaders = []string{"Forwarded", "Via", "X-Real-Ip", "X-Client-Ip", "X-Original-Host", "X-Original-Url", "True-Client-Ip", "Cf-Connecting-Ip"}

// isForwarded reports whether a proxy has forwarded a request.
func isForwarded(r *http.Request) bool {
	for name := range r.Header {
		if slices.Contains(forwardingHeaders, name) || strings.HasPrefix(name, "X-Forwarded-") {
			return true
		}
	}
	return false
}

// checkOrigin returns why a request is rejected, or "". It rejects the requests that a page of another origin makes a
// browser send, unless the browser shows the response as a page, as for a link. It also rejects requests that only
// read, such as those for images and streams: the other page could learn something from their duration, and they
// would keep the program busy. Programs other than browsers do not send the headers that checkOrigin examines.
func checkOrigin(r *http.Request) string {
	const why = "The request comes from another page. Use the forms of this page."
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions
	isLink := reads && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" && !isLink {
			return why
		}
	}
	for _, origin := range r.Header.Values("Origin") {
		if !isOwnOrigin(r, origin) && !reads {
			return why
		}
	}
	return ""
}

// isOwnOrigin reports whether an origin has the host to which the request was sent. Without TLS it accepts both
// schemes, because a proxy may terminate TLS.
func isOwnOrigin(r *http.Request, origin string) bool {
	return strings.EqualFold(origin, "https://"+r.Host) || r.TLS == nil && strings.EqualFold(origin, "http://"+r.Host)
}

// usesTLS reports whether the browser uses TLS, either with this server or, according to the headers, with a proxy.
func usesTLS(r *http.Request) bool {
	return r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") || strings.HasPrefix(r.Header.Get("Origin"), "https:")
}

// peerOf returns the address or network by which attempts to log in are counted: the IPv4 address of the
// client, or its IPv6 subnet, because one client may use all addresses of its subnet.
func peerOf(r *http.Request) string {
	addr := peerAddress(r)
	if addr.Is6() {
		if subnet, err := addr.WithZone("").Prefix(64); err == nil {
			return subnet.String()
		}
	}
	if addr.IsValid() {
		return addr.String()
	}
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	return host
}

// cookieName returns the name of the cookie of a session. The name contains the port, because browsers send the
// cookies of a host to all its ports, and other ports may serve other inspection pages.
func cookieName(r *http.Request) string {
	const name = "aiongen_inspect"
	if port := (&url.URL{Host: r.Host}).Port(); port != "" {
		return name + "_" + port
	}
	return name
}

// sessionCookies returns all cookies that may be those of a session: other programs on the same host can set
// cookies with the same name.
func sessionCookies(r *http.Request) []*http.Cookie { return r.CookiesNamed(cookieName(r)) }
