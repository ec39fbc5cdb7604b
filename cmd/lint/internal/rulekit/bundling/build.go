package bundling

import (
	"bytes"
	"context"
	"crypto"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/pkg/bundle"
	"github.com/flux-remedy/remedy/pkg/rules"

	"sigs.k8s.io/yaml"
)

// Build says what a bundle is built from, and where it goes.
type Build struct {
	Config   string // file; empty for the one found upward from the working directory
	NoConfig bool
	Policies load.Policies
	Revision string
	Version  string // of the program

	Out, Layout string // a file, a folder; empty for none

	Key     string // file, env:NAME or exec:COMMAND; empty does not sign
	KeyID   string
	Expires string // day
	Host    live.Host
}

// Register registers the flags that are the build's own.
func (o *Build) Register(flags *pflag.FlagSet) {
	flags.StringVarP(&o.Out, "output", "o", "", "`FILE` of the bundle, a tar.gz")
	flags.StringVar(&o.Layout, "oci", "", "new folder `DIR` for the bundle as an OCI layout")
	flags.BoolVar(&o.NoConfig, "no-config", false, "leave the configuration to the repository and the webhook")
	flags.StringVar(&o.Revision, "revision", "", "`NAME` of the content (default: the start of its hash)")
	flags.StringVar(&o.Key, "signing-key", "", "private key to sign with: `FILE|env:NAME|exec:COMMAND`")
	flags.StringVar(&o.KeyID, "key-id", bundle.DefaultKeyID, "`NAME` of the key in the signature")
	flags.StringVar(&o.Expires, "expires", "", "last day of the signature, `YYYY-MM-DD`")
}

// Run builds, signs and writes a bundle, and says what it holds.
func (o Build) Run(ctx context.Context, out io.Writer) error {
	if o.Out == "" && o.Layout == "" {
		return errors.New("the bundle goes nowhere: add -o FILE or --oci DIR")
	}
	if o.Key == "" && (o.Expires != "" || o.KeyID != bundle.DefaultKeyID) {
		return errors.New("--expires and --key-id are of a signature: add --signing-key")
	}
	content := bundle.Content{Revision: o.Revision, Version: o.Version}
	from, err := o.collect(&content)
	if err != nil {
		return err
	}
	b, err := bundle.Build(ctx, content)
	if err != nil {
		return fmt.Errorf("build the bundle: %w", err)
	}
	if err := o.sign(ctx, b); err != nil {
		return err
	}
	if err := o.write(out, b); err != nil {
		return err
	}
	engine, err := b.Engine(ctx)
	if err != nil {
		return err
	}
	d := describe(b, engine)
	d.from, d.built = from, true
	return write(out, d)
}

// collect reads the configuration and the folders of rules, and names the former.
func (o Build) collect(content *bundle.Content) (string, error) {
	var config judge.Configuration
	var err error
	if !o.NoConfig {
		if config, err = o.Policies.Configure(load.OnDisk(nil, io.Discard), o.Config, "."); err != nil {
			return "", err
		}
	}
	if o.Policies.Bundle != "" {
		return "", fmt.Errorf("configuration %s builds on the bundle %s: a bundle is built from folders", config.Name(), o.Policies.Bundle)
	}
	folders, err := o.Policies.OpenFolders()
	if err != nil {
		return "", err
	}
	for _, folder := range folders {
		content.Rules = append(content.Rules, folder)
	}
	content.Config, err = alone(config)
	return config.Name(), err
}

// alone returns the document of a configuration without what it names beside itself: the bundle
// has that.
func alone(config judge.Configuration) ([]byte, error) {
	if config.Config == nil || config.Spec.Extends == "" && config.Spec.Policies.Bundle == "" && len(config.Spec.Policies.Folders) == 0 {
		return config.Data, nil
	}
	config.Spec.Extends, config.Spec.Policies = "", rules.PoliciesConfig{}
	return yaml.Marshal(config.Config)
}

func (o Build) write(out io.Writer, b *bundle.Bundle) error {
	if o.Out != "" {
		packed, err := b.Pack()
		if err != nil {
			return err
		}
		if err := files.Replace(o.Out, packed); err != nil {
			return err
		}
		fmt.Fprintf(out, "wrote %s\n", plain.Line(o.Out))
	}
	if o.Layout == "" {
		return nil
	}
	image, err := b.WriteLayout(o.Layout)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("--oci %s: the folder exists: want one that does not", o.Layout)
	}
	if err == nil {
		_, err = fmt.Fprintf(out, "wrote %s, image %s\n", plain.Line(o.Layout), image)
	}
	return err
}

func (o Build) sign(ctx context.Context, b *bundle.Bundle) error {
	if o.Key == "" {
		return nil
	}
	signer, err := o.signer(ctx)
	if err != nil {
		return fmt.Errorf("--signing-key: %w", err)
	}
	var until time.Time
	if o.Expires != "" {
		var day rules.Date
		if err := day.UnmarshalText([]byte(o.Expires)); err != nil {
			return fmt.Errorf("--expires: %w", err)
		}
		if day.Over(time.Now()) {
			return fmt.Errorf("--expires %s: the day is over", day)
		}
		until = day.End()
	}
	return b.Sign(signer, o.KeyID, until)
}

// signer reads the private key. A command writes it to standard output.
func (o Build) signer(ctx context.Context) (crypto.Signer, error) {
	command, ok := strings.CutPrefix(o.Key, "exec:")
	if !ok {
		data, err := bundle.Secret(o.Key)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.Key, err)
		}
		return bundle.ParseSigner(data)
	}
	words := strings.Fields(command)
	if len(words) == 0 {
		return nil, errors.New("exec: names no command")
	}
	cmd := exec.CommandContext(ctx, o.Host.Find(words[0]), words[1:]...)
	cmd.Env = append(os.Environ(), "PATH="+o.Host.Path)
	var stdout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, o.Host.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w", words[0], err)
	}
	return bundle.ParseSigner(stdout.Bytes())
}
