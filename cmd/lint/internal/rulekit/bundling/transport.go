package bundling

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/pflag"

	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/rulekit/registry"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/pkg/bundle"
)

// Push says which bundle goes to which address of a registry.
type Push struct {
	Policies load.Policies
	To       string
	Flux     bool // as an artifact that Flux applies
	registry.Client
}

// Register registers the flags that are the push's own.
func (p *Push) Register(flags *pflag.FlagSet) {
	flags.BoolVar(&p.Flux, "flux", false, "push an artifact for Flux's OCIRepository, which a Kustomization applies as the ConfigMap remedy-bundle")
	p.Client.Register(flags)
}

// Run pushes a bundle that judges by the digest that it names.
func (p *Push) Run(ctx context.Context, out io.Writer) error {
	if _, err := p.Policies.Open(ctx); err != nil {
		return err
	}
	b := p.Policies.Opened()
	image, err := b.Image()
	if p.Flux {
		image, err = b.FluxImage()
	}
	if err != nil {
		return err
	}
	at, err := p.Client.Push(ctx, p.To, image)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "pushed         %s\nrevision       %s\ndigest         %s\n", plain.Line(at), b.Revision, b.Digest)
	return err
}

// Pull says which bundle is brought from a registry to which file.
type Pull struct {
	From, Out string
	Keys      []string
	registry.Client
}

// Register registers the flags that are the pull's own.
func (p *Pull) Register(flags *pflag.FlagSet) {
	flags.StringVarP(&p.Out, "output", "o", "", "`FILE` for the bundle, a tar.gz")
	p.Client.Register(flags)
}

// Run writes the bundle if it is one, and one of the keys has signed it.
func (p *Pull) Run(ctx context.Context, out io.Writer) error {
	if p.Out == "" {
		return errors.New("the bundle goes nowhere: add -o FILE")
	}
	keys, err := bundle.ReadKeys(p.Keys)
	if err != nil {
		return err
	}
	packed, at, err := p.Client.Pull(ctx, p.From)
	if err != nil {
		return err
	}
	b, err := bundle.Unpack(at, packed, keys, time.Now())
	if err != nil {
		return err
	}
	engine, err := b.Engine(ctx)
	if err != nil {
		return fmt.Errorf("bundle %s: %w", at, err)
	}
	if err := files.Replace(p.Out, packed); err != nil {
		return err
	}
	fmt.Fprintf(out, "wrote %s\npulled         %s\n", plain.Line(p.Out), plain.Line(at))
	return write(out, describe(b, engine))
}
