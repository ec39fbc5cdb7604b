package plain

import "io"

// Writer writes messages as [Text]. A message must be written at once.
type Writer struct{ io.Writer }

func (w Writer) Write(message []byte) (int, error) {
	if _, err := io.WriteString(w.Writer, Text(string(message))); err != nil {
		return 0, err
	}
	return len(message), nil
}
