package guard

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// isLocal reports whether a request comes from a browser or program on this machine: peer and host are
// loopback. A page whose name an attacker points to 127.0.0.1 has another host. A proxy on this machine adds
// headers, or speaks HTTP/1.0, as nginx does unless told otherwise.
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

// isForwarded reports whether a proxy has passed on a request.
func isForwarded(r *http.Request) bool {
	for _, name := range forwardingHeaders {
		if _, ok := r.Header[name]; ok {
			return true
		}
	}
	for name := range r.Header {
		if strings.HasPrefix(name, "X-Forwarded-") {
			return true
		}
	}
	return false
}

// checkOrigin returns why a request that may change something is rejected: a page of another origin caused
// it. Programs other than browsers send neither of the headers.
func checkOrigin(r *http.Request) string {
	if r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions {
		return ""
	}
	const why = "The request comes from another page. Use the forms of this page."
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" {
			return why
		}
	}
	for _, origin := range r.Header.Values("Origin") {
		if !isOwnOrigin(r, origin) {
			return why
		}
	}
	return ""
}

// isOwnOrigin reports whether an origin is that of the request itself. Without TLS it accepts both schemes,
// because a proxy may terminate TLS.
func isOwnOrigin(r *http.Request, origin string) bool {
	return strings.EqualFold(origin, "https://"+r.Host) || r.TLS == nil && strings.EqualFold(origin, "http://"+r.Host)
}

// usesTLS reports whether the browser uses TLS, as far as the server can know.
func usesTLS(r *http.Request) bool {
	return r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") || strings.HasPrefix(r.Header.Get("Origin"), "https:")
}

// peerOf returns the network from which attempts to log in are counted together: an address of IPv4, or a
// subnet of IPv6, in which one client may use all addresses.
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
