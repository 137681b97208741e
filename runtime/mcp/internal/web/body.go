package web

import (
	"errors"
	"fmt"
	"io"
	"net/http"
)

// read reads the message of a request, within the limit of its length; that of time
// is the deadline of the connection.
func (s *Settings) read(w http.ResponseWriter, r *http.Request) ([]byte, *refusal) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(s.MaxMessage)))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return nil, &refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("the message is longer than %d bytes", tooLong.Limit)}
	case err != nil:
		w.Header().Set("Connection", "close") // what may still come is no other request
		return nil, &refusal{http.StatusBadRequest, "the message did not come whole"}
	}
	return body, nil
}
