package incident

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load/snapshot"
)

// Options say what is asked, and how it is answered.
type Options struct {
	// Namespace and Name are those of the releases. Without a name it is all; without a
	// namespace that of the context, all of a file, or All.
	Namespace, Name string
	All             bool
	// File holds them, "-" is standard input, also as the name; empty means a cluster.
	File, Format string
	Now          time.Time
}

// Check returns an error about options that cannot be followed.
func (o *Options) Check() error {
	if o.Name == "-" && o.File == "" {
		o.Name, o.File = "", "-"
	}
	switch {
	case !slices.Contains(Formats(), o.Format):
		return fmt.Errorf("-o %s: unknown format: want %s", o.Format, strings.Join(Formats(), ", "))
	case o.File == "" && o.Name != "" && o.All:
		return errors.New("--all-namespaces: a release is in one namespace: want --namespace")
	}
	return nil
}

// Read returns the objects of File that are asked for, all HelmReleases beside them, and what holds up what
// among all that is there.
func (o *Options) Read(ctx context.Context, from snapshot.Snapshot) (asked, all []map[string]any, around *standstill.Cluster, err error) {
	around = &standstill.Cluster{}
	all, err = Releases(around.Adding(Objects(ctx, from, o.File)), "", "")
	for _, object := range all {
		if isNamed(object, o.Namespace, o.Name) {
			asked = append(asked, object)
		}
	}
	return asked, all, around, err
}

// Nothing says what was not found, and where.
func (o *Options) Nothing(where string) string {
	return strings.Join(strings.Fields("no HelmRelease "+o.Name+" was found "+where), " ")
}

// Explain says of each object what is wrong.
func (o *Options) Explain(ctx context.Context, out io.Writer, objects []map[string]any, by *Source) error {
	all, unread := by.All(ctx, objects)
	return errors.Join(Write(out, o.Format, all, by.Engine.InForce()), unread)
}

// Register registers the flags that say what is asked.
func (o *Options) Register(flags *pflag.FlagSet) {
	flags.StringVarP(&o.Namespace, "namespace", "n", "", "releases of that `NAMESPACE` (default: that of the context, or all of FILE)")
	flags.BoolVarP(&o.All, "all-namespaces", "A", false, "releases of all namespaces")
	flags.StringVarP(&o.File, "filename", "f", "", "`FILE` with HelmReleases as the cluster has them; - is standard input")
	flags.StringVarP(&o.Format, "output", "o", "text", "`FORMAT`: "+strings.Join(Formats(), ", "))
}
