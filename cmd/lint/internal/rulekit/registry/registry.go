package registry

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/flux-remedy/remedy/pkg/bundle"
)

// Push writes an image to the tag that an address names, and returns the address with its digest.
func (c Client) Push(ctx context.Context, address string, image bundle.Image) (string, error) {
	ref, err := parse(address)
	if err != nil {
		return "", err
	}
	tag, ok := ref.(name.Tag)
	if !ok {
		return "", fmt.Errorf("%s: want a tag, as oci://HOST/REPOSITORY:TAG: the digest follows from the bundle", address)
	}
	options, err := c.options(ctx, tag)
	if err != nil {
		return "", err
	}
	pushed, err := partial.CompressedToImage(core{image})
	if err == nil {
		err = remote.Write(tag, pushed, options...)
	}
	if err != nil {
		return "", explained(tag, err)
	}
	return scheme + tag.Name() + "@" + image.Digest(), nil
}

// Pull returns the tar.gz of the bundle at an address, byte for byte as it was pushed, and the
// address with the digest that it has now.
func (c Client) Pull(ctx context.Context, address string) (packed []byte, at string, err error) {
	ref, err := parse(address)
	if err != nil {
		return nil, "", err
	}
	options, err := c.options(ctx, ref)
	if err != nil {
		return nil, "", err
	}
	found, err := remote.Get(ref, options...)
	if err != nil {
		return nil, "", explained(ref, err)
	}
	if found.MediaType != types.OCIManifestSchema1 {
		return nil, "", fmt.Errorf("%s is a %s: it is no image of a bundle", address, found.MediaType)
	}
	packed, err = bundle.Pulled(found.Manifest, func(digest string, size int64) ([]byte, error) {
		return layer(ref.Context(), digest, size, options)
	})
	if err != nil {
		return nil, "", explained(ref, err)
	}
	return packed, scheme + ref.Context().Name() + "@" + found.Digest.String(), nil
}

func layer(in name.Repository, digest string, size int64, options []remote.Option) ([]byte, error) {
	at, err := name.NewDigest(in.Name() + "@" + digest)
	if err != nil {
		return nil, err
	}
	blob, err := remote.Layer(at, options...)
	if err != nil {
		return nil, err
	}
	body, err := blob.Compressed()
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return io.ReadAll(io.LimitReader(body, size+1))
}

// explained says what to do about an error of a registry.
func explained(ref name.Reference, err error) error {
	var answer *transport.Error
	if errors.As(err, &answer) {
		switch answer.StatusCode {
		case http.StatusUnauthorized, http.StatusForbidden:
			err = fmt.Errorf("%w: log in with docker, or add --username and --password-stdin", err)
		case http.StatusNotFound:
			err = fmt.Errorf("%w: is it pushed?", err)
		}
	}
	return fmt.Errorf("%s%s: %w", scheme, ref.Name(), err)
}

// core is an image as the library takes it.
type core struct{ bundle.Image }

func (c core) RawConfigFile() ([]byte, error)      { return c.Config, nil }
func (c core) MediaType() (types.MediaType, error) { return types.OCIManifestSchema1, nil }
func (c core) RawManifest() ([]byte, error)        { return c.Manifest, nil }
func (c core) LayerByDigest(hash v1.Hash) (partial.CompressedLayer, error) {
	manifest, err := v1.ParseManifest(bytes.NewReader(c.Manifest))
	if err != nil {
		return nil, err
	}
	for _, of := range manifest.Layers {
		if of.Digest == hash {
			return blob{of, c.Layer}, nil
		}
	}
	return nil, fmt.Errorf("the image has no layer %s", hash)
}

// blob is a layer of it.
type blob struct {
	of   v1.Descriptor
	data []byte
}

func (b blob) Digest() (v1.Hash, error)            { return b.of.Digest, nil }
func (b blob) Size() (int64, error)                { return b.of.Size, nil }
func (b blob) MediaType() (types.MediaType, error) { return b.of.MediaType, nil }
func (b blob) Compressed() (io.ReadCloser, error)  { return io.NopCloser(bytes.NewReader(b.data)), nil }
