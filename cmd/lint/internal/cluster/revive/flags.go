package revive

import (
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// Register registers the flags that say what is revived, and how.
func (o *Options) Register(flags *pflag.FlagSet) {
	flags.BoolVar(&o.AllStuck, "all-stuck", false, "all releases that need a human")
	flags.BoolVar(&o.Yes, "yes", false, "make the requests")
	flags.IntVar(&o.AtOnce, "at-once", 1, "try `N` releases at once")
	flags.DurationVar(&o.Wait, "wait", 15*time.Minute, "wait for the outcome of a release for this `DURATION`")
	flags.BoolVar(&o.KeepGoing, "keep-going", false, "go on with other releases after one that fails again")
	flags.StringVar(&o.Context, "context", "", "`CONTEXT` of the kubeconfig (default: the current one)")
	flags.StringVarP(&o.Namespace, "namespace", "n", "", "releases of that `NAMESPACE` (default: that of the context; with --all-stuck all)")
	flags.StringVarP(&o.Format, "output", "o", "text", "`FORMAT`: "+strings.Join(Formats(), ", "))
}
