package bundling

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/rulekit"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/pkg/bundle"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Kind is that of the JSON document of a [Description].
const Kind = "Bundle"

// Description is what there is to say of a bundle. Its JSON is read by other tools: names stay.
type Description struct {
	APIVersion string `json:"apiVersion" jsonschema:"enum=flux-remedy.io/v1alpha1"`
	Kind       string `json:"kind" jsonschema:"enum=Bundle"`
	// Revision names the content.
	Revision string `json:"revision"`
	// Digest of the policies and the configuration.
	Digest rules.Digest `json:"digest"`
	// Version of the program that built it.
	Version string `json:"version"`
	// Configuration is true if the bundle has one.
	Configuration bool `json:"configuration"`
	// Signature is the one that was verified; absent if none was asked for.
	Signature *Signature `json:"signature,omitempty"`
	// Altered is true if its built-in rules are not those of this program: they were
	// changed, or are of another version.
	Altered bool `json:"altered"`
	// Rules are all, with the severities that they have under the configuration.
	Rules []Rule `json:"rules"`

	from  string // file of the configuration
	built bool   // just now
}

// Signature is one that was verified.
type Signature struct {
	KeyID     string `json:"keyID"`
	Algorithm string `json:"algorithm"`
	// Until is when it ends, in RFC 3339; absent if it does not.
	Until string `json:"until,omitempty"`
}

// Rule is a rule of a bundle.
type Rule struct {
	ID       string `json:"id"`
	Category string `json:"category"`
	// Own is true if it is not one of the built-in rules of this program.
	Own bool `json:"own"`
}

// describe describes a bundle that was opened.
func describe(b *bundle.Bundle, engine *rules.Engine) Description {
	d := Description{
		APIVersion: rules.ConfigAPIVersion, Kind: Kind, Revision: b.Revision, Digest: b.Digest, Version: b.Version,
		Configuration: b.ConfigData() != nil, Altered: b.Altered(), Rules: []Rule{},
	}
	if s := b.Signature; s != nil {
		d.Signature = &Signature{KeyID: s.KeyID, Algorithm: s.Algorithm}
		if !s.Until.IsZero() {
			d.Signature.Until = s.Until.UTC().Format(time.RFC3339)
		}
	}
	for _, rule := range engine.Rules() {
		d.Rules = append(d.Rules, Rule{ID: rule.ID, Category: rule.Category, Own: !rulekit.BuiltIn(rule)})
	}
	return d
}

// state says what a bundle is or, without one, which digest the policies here have. A bundle
// without a configuration judges by the one that is found here.
func state(out io.Writer, b *bundle.Bundle, engine *rules.Engine) error {
	if b == nil {
		_, err := fmt.Fprintf(out, "digest         %s, of the policies and the configuration here\n", engine.Digest())
		return err
	}
	if err := write(out, describe(b, engine)); err != nil || engine.Digest() == b.Digest {
		return err
	}
	_, err := fmt.Fprintf(out, "digest here    %s, under the configuration here\n", engine.Digest())
	return err
}

// Inspect says which bundle is shown, and how.
type Inspect struct {
	Policies load.Policies
	Format   string // text or json
}

// Run shows all of a bundle.
func (i *Inspect) Run(ctx context.Context, out io.Writer) error {
	if i.Format != "text" && i.Format != "json" {
		return fmt.Errorf("-o %s: unknown format: want text, json", i.Format)
	}
	engine, err := i.Policies.Open(ctx)
	if err != nil {
		return err
	}
	d := describe(i.Policies.Opened(), engine)
	if i.Format == "json" {
		return plain.WriteJSON(out, d)
	}
	if err := write(out, d); err != nil {
		return err
	}
	d = plain.Copy(d, plain.Line)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nCATEGORY\tRULE\tFROM")
	for _, rule := range d.Rules {
		fmt.Fprintf(w, "%s\t%s\t%s\n", rule.Category, rule.ID, origin(rule))
	}
	return w.Flush()
}

func origin(r Rule) string {
	if r.Own {
		return "your own"
	}
	return "built in"
}

// write writes a description in short, for people.
func write(out io.Writer, d Description) error {
	own := 0
	for _, rule := range d.Rules {
		if rule.Own {
			own++
		}
	}
	d = plain.Copy(d, plain.Line)
	fmt.Fprintf(out, "revision       %s\n", d.Revision)
	fmt.Fprintf(out, "digest         %s\n", d.Digest)
	fmt.Fprintf(out, "built by       flux-remedy %s\n", d.Version)
	fmt.Fprintf(out, "rules          %d, %d of them your own%s\n", len(d.Rules), own, d.altered())
	fmt.Fprintf(out, "configuration  %s\n", configuration(d))
	_, err := fmt.Fprintf(out, "signature      %s\n", d.signature())
	return err
}

func (d Description) altered() string {
	if d.Altered {
		return "; the built-in ones are not as in this program: changed, or of another version"
	}
	return ""
}

func configuration(d Description) string {
	switch {
	case d.from != "":
		return d.from
	case d.Configuration:
		return "in the bundle"
	}
	return "none: the one of the repository or the webhook holds"
}

func (d Description) signature() string {
	switch {
	case d.Signature == nil && d.built:
		return "none: --signing-key makes one"
	case d.Signature == nil:
		return "not verified: no --verify-key is given"
	}
	text := "verified"
	if d.built {
		text = "made"
	}
	text += ", key " + d.Signature.KeyID + ", " + d.Signature.Algorithm
	if d.Signature.Until != "" {
		text += ", until " + d.Signature.Until
	}
	return text
}
