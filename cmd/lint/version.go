package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/release"
)

// version is set by the build; else the version of the module is shown. So is rulePages, the
// address of the folder of rules' pages, as https://example.com/flux-remedy/blob/v0.1.0/policies/rules.
var version, rulePages string

func newVersion(std streams) *cobra.Command {
	table := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version and the helm-controller that is assumed",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if table {
				return report.WriteVersions(std.out)
			}
			_, err := fmt.Fprintf(std.out, "flux-remedy %s (%s)\nhelm-controller %s unless the tree or the configuration says otherwise\n",
				buildVersion(), runtime.Version(), release.DefaultControllerVersion)
			return err
		},
	}
	cmd.Flags().BoolVar(&table, "flux", false, "print what differs between the versions of helm-controller, and how that is known")
	return cmd
}

// buildVersion returns the version that the build has set, else that of the module.
func buildVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
