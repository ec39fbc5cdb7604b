package registry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/spf13/pflag"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live"
	"github.com/flux-remedy/remedy/pkg/bundle"
)

// Client says who talks to a registry.
type Client struct {
	// User and its password, which Stdin holds if PasswordStdin is true. Without a user
	// it is the one that docker or podman has logged in.
	User          string
	PasswordStdin bool
	Stdin         io.Reader
	// Host finds the helpers that keep docker's passwords.
	Host live.Host
}

// Register registers the flags that say who talks.
func (c *Client) Register(flags *pflag.FlagSet) {
	flags.StringVar(&c.User, "username", "", "`NAME` at the registry (default: the one that docker or podman has logged in)")
	flags.BoolVar(&c.PasswordStdin, "password-stdin", false, "read the password from standard input")
}

// scheme is how Flux writes the address of an image.
const scheme = "oci://"

func parse(address string) (name.Reference, error) {
	ref, err := name.ParseReference(strings.TrimPrefix(address, scheme), name.StrictValidation)
	if err != nil {
		return nil, fmt.Errorf("%s: want oci://HOST/REPOSITORY:TAG: %w", address, err)
	}
	return ref, nil
}

// options are those of requests about an image.
func (c Client) options(ctx context.Context, ref name.Reference) ([]remote.Option, error) {
	who, err := c.credentials(ctx, ref)
	if err != nil {
		return nil, err
	}
	return []remote.Option{remote.WithContext(ctx), remote.WithAuth(who), remote.WithTransport(newTransport(ref.Context().RegistryStr())), remote.WithUserAgent("flux-remedy")}, nil
}

func (c Client) credentials(ctx context.Context, ref name.Reference) (authn.Authenticator, error) {
	switch {
	case c.PasswordStdin && c.User == "":
		return nil, errors.New("--password-stdin: whose password is it? add --username")
	case c.User != "" && !c.PasswordStdin:
		return nil, errors.New("--username: add --password-stdin, and write the password there")
	case c.User != "":
		password, err := io.ReadAll(io.LimitReader(c.Stdin, maxPassword))
		if err != nil {
			return nil, fmt.Errorf("--password-stdin: %w", err)
		}
		return &authn.Basic{Username: c.User, Password: strings.TrimRight(string(password), "\r\n")}, nil
	}
	// Helpers that keep passwords are programs, which this process does not find otherwise.
	if err := os.Setenv("PATH", c.Host.Path); err != nil {
		return nil, err
	}
	defer os.Setenv("PATH", "")
	who, err := authn.Resolve(ctx, authn.DefaultKeychain, ref.Context())
	if err != nil {
		return nil, fmt.Errorf("who docker has logged in at %s is not known: %w", ref.Context().RegistryStr(), err)
	}
	return who, nil
}

const (
	maxPassword = 64 << 10
	patience    = 30 * time.Second // for the head of an answer
	// mostRequests ends what a registry would go on with: redirects in a circle. A push
	// takes some ten, each again a few times after a failure.
	mostRequests = 100
)

// sealed is for one registry. The one of the process is taken away.
type sealed struct {
	*http.Transport
	plain bool // the registry is on this machine
	sent  atomic.Int32
}

func newTransport(registry string) *sealed {
	return &sealed{plain: loopback(registry), Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, ResponseHeaderTimeout: patience, TLSHandshakeTimeout: patience, DisableKeepAlives: true,
	}}
}

// RoundTrip sends a request over TLS, without it only to this machine, and refuses to read
// more than a bundle has. The registry may send to other hosts, which store its blobs: they
// get no password, and what they answer has the digest that was asked for.
func (t *sealed) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" && !(r.URL.Scheme == "http" && t.plain && loopback(r.URL.Host)) {
		return nil, fmt.Errorf("%s://%s is not asked: a registry has TLS, or is on this machine", r.URL.Scheme, r.URL.Host)
	}
	if t.sent.Add(1) > mostRequests {
		return nil, fmt.Errorf("the registry wants more than %d requests: is it a circle?", mostRequests)
	}
	response, err := t.Transport.RoundTrip(r)
	if err == nil {
		response.Body = &limited{response.Body, bundle.MaxPacked + 1}
	}
	return response, err
}

// loopback reports whether a host, with or without a port, is this machine.
func loopback(host string) bool {
	if alone, _, err := net.SplitHostPort(host); err == nil {
		host = alone
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// limited is a body that ends with an error when it is too long.
type limited struct {
	io.ReadCloser
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, errors.New("the registry answers with more than a bundle has")
	}
	return n, err
}
