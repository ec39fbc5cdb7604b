package incident

import (
	"strings"

	"github.com/spf13/pflag"
)

// Register registers the flags that say what is asked.
func (o *Options) Register(flags *pflag.FlagSet) {
	flags.StringVarP(&o.Namespace, "namespace", "n", "", "releases of that `NAMESPACE` (default: that of the context, or all of FILE)")
	flags.BoolVarP(&o.All, "all-namespaces", "A", false, "releases of all namespaces")
	flags.StringVarP(&o.File, "filename", "f", "", "`FILE` with HelmReleases as the cluster has them; - is standard input")
	flags.StringVarP(&o.Format, "output", "o", "text", "`FORMAT`: "+strings.Join(Formats(), ", "))
}
