package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/bundling"
	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/output"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/ruleset"
	"github.com/flux-remedy/remedy/cmd/lint/internal/shown"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/bundle"
	"github.com/flux-remedy/remedy/pkg/rules"
)

func newBundle(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bundle",
		Short: "Build, sign, check and compare bundles of rules and configuration",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBundleBuild(std), newBundleVerify(std), newBundleInspect(std), newBundleDiff(std))
	return cmd
}

func newBundleBuild(std streams) *cobra.Command {
	b := bundling.Build{Version: buildVersion(), Host: std.host}
	cmd := &cobra.Command{
		Use:   "build",
		Short: "Pack the built-in rules, yours and the configuration into an OPA bundle",
		Example: `  flux-remedy bundle build --policy policy -o policies.tar.gz --revision v7
  flux-remedy bundle build -o policies.tar.gz --signing-key env:KEY --expires 2027-06-30`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return b.Run(cmd.Context(), std.out) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&b.Out, "output", "o", "", "`FILE` of the bundle, a tar.gz")
	flags.StringVar(&b.Layout, "oci", "", "new folder `DIR` for the bundle as an OCI layout")
	usage.Folders(cmd, &b.Policies.Folders)
	usage.Config(cmd, &b.Config, rules.ConfigFile)
	flags.BoolVar(&b.NoConfig, "no-config", false, "leave the configuration to the repository and the webhook")
	flags.StringVar(&b.Revision, "revision", "", "`NAME` of the content (default: the start of its hash)")
	flags.StringVar(&b.Key, "signing-key", "", "private key to sign with: `FILE|env:NAME|exec:COMMAND`")
	flags.StringVar(&b.KeyID, "key-id", bundle.DefaultKeyID, "`NAME` of the key in the signature")
	flags.StringVar(&b.Expires, "expires", "", "last day of the signature, `YYYY-MM-DD`")
	usage.Exclude(cmd, "config", "no-config")
	return cmd
}

func newBundleVerify(std streams) *cobra.Command {
	var v bundling.Verify
	cmd := &cobra.Command{
		Use:   "verify [FILE|DIR]",
		Short: "Check a bundle and its signature, and whether a webhook judges by it",
		Long: `Check a bundle: its files, its signature with --verify-key, and that it judges by the
digest that it names. With --webhook, ask a running webhook whether it judges by the
same; without FILE, by what lint judges by here.`,
		Example: `  flux-remedy bundle verify policies.tar.gz --verify-key key.pub
  flux-remedy bundle verify policies.tar.gz --webhook http://127.0.0.1:8080`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			v.Policies.Bundle = strings.Join(args, "")
			err := v.Run(cmd.Context(), std.out, std.err)
			if errors.Is(err, bundling.ErrDiffers) {
				return &exitError{exitFindings, err}
			}
			return err
		},
	}
	flags := cmd.Flags()
	usage.Keys(cmd, &v.Policies.Keys)
	usage.Folders(cmd, &v.Policies.Folders)
	usage.Config(cmd, &v.Config, rules.ConfigFile)
	flags.StringVar(&v.Webhook.URL, "webhook", "", "`URL` of the webhook's metrics, as http://127.0.0.1:8080")
	flags.StringVar(&v.Webhook.CA, "ca-file", "", "`FILE` with the CA of the webhook's metrics")
	flags.StringVar(&v.Webhook.Token, "token", "", "token for the webhook's metrics: `FILE|env:NAME`")
	usage.Need(cmd, "ca-file", "webhook")
	usage.Need(cmd, "token", "webhook")
	return cmd
}

func newBundleInspect(std streams) *cobra.Command {
	var i bundling.Inspect
	cmd := &cobra.Command{
		Use:   "inspect FILE|DIR",
		Short: "Show what a bundle holds",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			i.Policies.Bundle = args[0]
			return i.Run(cmd.Context(), std.out)
		},
	}
	usage.Keys(cmd, &i.Policies.Keys)
	cmd.Flags().StringVarP(&i.Format, "output", "o", "text", "`FORMAT`: text, json")
	usage.Complete(cmd, "output", []string{"text", "json"})
	return cmd
}

func newBundleDiff(std streams) *cobra.Command {
	s, repo, outputs := &source{}, "", []string{}
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Compare two bundles, and what they say of a repository",
		Long: `List what differs from bundle A to B: rules, severities, parameters, the rest of the
configuration. With --repo, also the releases there of which B says something else.`,
		Example: `  flux-remedy bundle diff v6.tar.gz v7.tar.gz --repo . -o markdown`,
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			to, err := output.Parse(outputs, report.DiffFormats())
			if err != nil {
				return err
			}
			load := func(ctx context.Context, policies ruleset.Named, engine *rules.Engine) (*flux.Tree, *rules.Config, error) {
				s.Policies = policies
				found, err := s.Load(ctx, std.process(), engine, onDisk(std), []string{repo})
				return found.Tree, found.Config.Config, err
			}
			if repo == "" {
				load = nil
			}
			result, err := bundling.Diff(cmd.Context(), args[0], args[1], s.Policies.Keys, load)
			if err != nil {
				return err
			}
			return output.Diff(std.out, to, result, func(w io.Writer) report.Options { return shown.Options(w, nil, nil, buildVersion()) })
		},
	}
	s.Builder = build.NewBuilder()
	usage.Keys(cmd, &s.Policies.Keys)
	usage.Name(cmd.Flags(), &repo, "repo", "folder `DIR` of a repository whose releases are judged by both")
	outputFlag(cmd, &outputs, report.DiffFormats())
	return cmd
}
