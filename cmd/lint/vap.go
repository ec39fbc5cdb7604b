package main

import (
	"cmp"
	"time"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/rulekit"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/cmd/lint/internal/vap"
	"github.com/flux-remedy/remedy/pkg/rules"
)

func newVAP(std streams) *cobra.Command {
	var policies load.Policies
	var file, cluster string
	cmd := &cobra.Command{
		Use:   "vap",
		Short: "Write ValidatingAdmissionPolicies for a cluster without the webhook",
		Long: `Write ValidatingAdmissionPolicies and their bindings: what CEL can say of the rules,
under the configuration. The API server evaluates them by itself, so that they hold
while the webhook is away, or without it.`,
		Example: `  flux-remedy vap > policies.yaml
  flux-remedy vap --config .flux-remedy.yaml --cluster production | kubectl apply -f -`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			config, engine, err := policies.Configured(cmd.Context(), std.err, file)
			if err != nil {
				return err
			}
			return vap.Write(std.out, engine, config.Config, cluster, time.Now(), func(rule rules.Rule) string {
				return cmp.Or(rulekit.URL(config.Spec.RulePages, rule), "flux-remedy rules "+rule.ID)
			})
		},
	}
	usage.Config(cmd, &file, rules.ConfigFile)
	cmd.Flags().StringVar(&cluster, "cluster", "", "`NAME` of the cluster, which clusters in the configuration match")
	policyFlags(cmd, &policies)
	return cmd
}
