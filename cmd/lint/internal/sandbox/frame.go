package sandbox

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
)

// maxFrame is the size in bytes of the largest message between the processes.
const maxFrame = 64 << 20

// send writes a value as JSON behind its length.
func send(to io.Writer, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if len(data) > maxFrame {
		return fmt.Errorf("more than %d MiB", maxFrame>>20)
	}
	_, err = to.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), data...))
	return err
}

// receive reads what send has written.
func receive(from io.Reader, v any) error {
	var length [4]byte
	if _, err := io.ReadFull(from, length[:]); err != nil {
		return err
	}
	size := binary.BigEndian.Uint32(length[:])
	if size > maxFrame {
		return fmt.Errorf("more than %d MiB", maxFrame>>20)
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(from, data); err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}
