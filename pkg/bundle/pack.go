package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Pack returns the bundle as a tar.gz: the same bytes for the same content, without times
// and owners.
func (b *Bundle) Pack() ([]byte, error) { return b.files.pack() }

func (c contents) pack() ([]byte, error) {
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	err := errors.Join(c.writeTar(zipped), zipped.Close())
	return out.Bytes(), err
}

// writeTar writes the files in order. Names have no leading slash, which Flux refuses.
func (c contents) writeTar(to io.Writer) error {
	w := tar.NewWriter(to)
	for _, name := range c.names() {
		data := c[name]
		header := &tar.Header{Name: name, Mode: 0o644, Size: int64(len(data)), ModTime: time.Unix(0, 0), Format: tar.FormatPAX}
		if err := w.WriteHeader(header); err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	return w.Close()
}

// unpack reads the tar.gz of a bundle, in which each file is once.
func unpack(packed []byte) (contents, error) {
	files := contents{}
	if err := untar(packed, files.put); err != nil {
		return nil, err
	}
	return files, nil
}

// untar reads a tar.gz of regular files and folders, within the limits.
func untar(packed []byte, each func(name string, data io.Reader) error) error {
	if len(packed) > MaxPacked {
		return errTooLarge
	}
	whole := bytes.NewReader(packed)
	zipped, err := gzip.NewReader(whole)
	if err != nil {
		return fmt.Errorf("it is no tar.gz: %w", err)
	}
	zipped.Multistream(false)
	// Headers and padding count, too: a tar of nothing but them ends as well.
	limited := &io.LimitedReader{R: zipped, N: 2*maxSize + 1}
	archive := tar.NewReader(limited)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return ended(limited, whole)
		}
		if limited.N <= 0 {
			return errTooLarge
		}
		if err != nil {
			return fmt.Errorf("it is no whole tar.gz: %w", err)
		}
		switch header.Typeflag {
		case tar.TypeDir:
			continue
		case tar.TypeReg:
			err = each(strings.TrimPrefix(strings.TrimPrefix(header.Name, "./"), "/"), archive)
		default:
			err = fmt.Errorf("%q is neither a file nor a folder", header.Name)
		}
		if err != nil {
			return err
		}
	}
}

// ended refuses what follows the end of a tar, and the end of its only gzip stream.
func ended(archive *io.LimitedReader, packed *bytes.Reader) error {
	rest, err := io.ReadAll(archive)
	switch {
	case archive.N <= 0:
		return errTooLarge
	case err != nil:
		return fmt.Errorf("it is no whole tar.gz: %w", err)
	case len(bytes.Trim(rest, "\x00")) > 0 || packed.Len() > 0:
		return errors.New("bytes follow the end of the tar.gz")
	}
	return nil
}
