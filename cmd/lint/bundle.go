package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/rulekit/bundling"
	"github.com/flux-remedy/remedy/cmd/lint/internal/rulekit/registry"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/rules"
)

func newBundle(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bundle",
		Short: "Build, sign, check and compare bundles of rules and configuration",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBundleBuild(std), newBundleVerify(std), newBundleInspect(std), newBundleDiff(std), newBundlePush(std), newBundlePull(std))
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
	b.Register(cmd.Flags())
	usage.Folders(cmd, &b.Policies.Folders)
	usage.Config(cmd, &b.Config, rules.ConfigFile)
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
	usage.Keys(cmd, &v.Policies.Keys)
	usage.Folders(cmd, &v.Policies.Folders)
	usage.Config(cmd, &v.Config, rules.ConfigFile)
	v.Webhook.Register(cmd.Flags())
	usage.Need(cmd, "ca-file", "webhook")
	usage.Need(cmd, "token", "webhook")
	return cmd
}

func newBundleInspect(std streams) *cobra.Command {
	var i bundling.Inspect
	cmd := withArgs(1, func(ctx context.Context, args []string) error {
		i.Policies.Bundle = args[0]
		return i.Run(ctx, std.out)
	})
	cmd.Use, cmd.Short = "inspect FILE|DIR", "Show what a bundle holds"
	usage.Keys(cmd, &i.Policies.Keys)
	cmd.Flags().StringVarP(&i.Format, "output", "o", "text", "`FORMAT`: text, json")
	usage.Complete(cmd, "output", []string{"text", "json"})
	return cmd
}

func newBundlePush(std streams) *cobra.Command {
	p := bundling.Push{Client: registry.Client{Stdin: std.in, Host: std.host}}
	cmd := withArgs(2, func(ctx context.Context, args []string) error {
		p.Policies.Bundle, p.To = args[0], args[1]
		return p.Run(ctx, std.out)
	})
	cmd.Use, cmd.Short = "push FILE|DIR ADDRESS", "Push a bundle to a registry of OCI images"
	cmd.Example = `  flux-remedy bundle push policies.tar.gz oci://registry.example.com/remedy-policies:v7`
	usage.Keys(cmd, &p.Policies.Keys)
	p.Register(cmd.Flags())
	return cmd
}

func newBundlePull(std streams) *cobra.Command {
	p := bundling.Pull{Client: registry.Client{Stdin: std.in, Host: std.host}}
	cmd := withArgs(1, func(ctx context.Context, args []string) error {
		p.From = args[0]
		return p.Run(ctx, std.out)
	})
	cmd.Use, cmd.Short = "pull ADDRESS", "Bring a bundle from a registry into a file"
	cmd.Example = `  flux-remedy bundle pull oci://registry.example.com/remedy-policies:v7 --verify-key key.pub -o policies.tar.gz`
	usage.Keys(cmd, &p.Keys)
	p.Register(cmd.Flags())
	return cmd
}

// withArgs returns a command that runs with as many arguments.
func withArgs(n int, run func(ctx context.Context, args []string) error) *cobra.Command {
	return &cobra.Command{Args: cobra.ExactArgs(n), RunE: func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), args) }}
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
			to, err := report.ParseOutputs(outputs, report.DiffFormats())
			if err != nil {
				return err
			}
			read := func(ctx context.Context, policies load.Policies, engine *rules.Engine) (*effective.Tree, *rules.Config, error) {
				s.Policies = policies
				found, err := s.Load(ctx, std.process(), engine, onDisk(std), []string{repo})
				return found.Tree, found.Config.Config, err
			}
			if repo == "" {
				read = nil
			}
			result, err := bundling.Diff(cmd.Context(), args[0], args[1], s.Policies.Keys, read)
			if err != nil {
				return err
			}
			return to.WriteDiff(std.out, result, func(w io.Writer) report.Options { return reportOptions(w, nil, nil, "") })
		},
	}
	s.Builder = build.NewBuilder()
	usage.Keys(cmd, &s.Policies.Keys)
	usage.Name(cmd.Flags(), &repo, "repo", "folder `DIR` of a repository whose releases are judged by both")
	outputFlag(cmd, &outputs, report.DiffFormats())
	return cmd
}
