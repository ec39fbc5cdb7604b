package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client/config"

	"github.com/flux-remedy/remedy/cmd/webhook/internal/doctor"
)

// check examines the installation and returns the exit code: 0 if all is well, 1 if there
// are problems, 2 if it cannot be examined.
func check(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	installation, err := examined(ctx, args, stderr)
	if errors.Is(err, errAnswered) {
		return 0
	}
	var results []doctor.Result
	if err == nil {
		results, err = installation.Examine(ctx)
	}
	if err != nil {
		fmt.Fprintln(stderr, "remedy-webhook check:", err)
		return 2
	}
	code := 0
	for _, result := range results {
		if result.Fine != "" {
			fmt.Fprintf(stdout, "ok       %s: %s\n", result.Check, result.Fine)
		}
		for _, problem := range result.Problems {
			fmt.Fprintf(stdout, "problem  %s: %s\n", result.Check, problem)
			code = 1
		}
	}
	return code
}

func examined(ctx context.Context, args []string, stderr io.Writer) (*doctor.Installation, error) {
	i := &doctor.Installation{Now: time.Now}
	flags := pflag.NewFlagSet("remedy-webhook check", pflag.ContinueOnError)
	flags.SortFlags = false
	flags.SetOutput(stderr)
	var from sources
	flags.StringVar(&from.config, "config", "", "configuration file of the webhook; all defaults without it")
	flags.StringVar(&from.rules, "policy", "", "folder with further rules of the webhook")
	flags.StringVar(&from.bundle, "bundle", "", "file or folder of the webhook's bundle")
	flags.StringArrayVar(&from.keys, "verify-key", nil, "file with the public key or certificate that must have signed the bundle, or env:NAME; repeatable")
	var kubeconfig, kubecontext string
	flags.StringVar(&kubeconfig, "kubeconfig", "", "kubeconfig `FILE` (default: $KUBECONFIG, in a pod its cluster, or ~/.kube/config)")
	flags.StringVar(&kubecontext, "context", "", "context of the kubeconfig (default: the current one)")
	flags.StringVar(&i.Cluster, "cluster", "", "name of the cluster, which clusters in the configuration match")
	flags.StringVar(&i.Registration, "registration", "flux-remedy", "ValidatingWebhookConfiguration of the webhook")
	flags.StringVar(&i.Address, "address", "", "host:port of the webhook instead of its Service, for a look from outside of the cluster")
	flags.StringVar(&i.FluxNamespace, "flux-namespace", "flux-system", "namespace of helm-controller")
	flags.DurationVar(&i.Renewed, "renewed-before", 7*24*time.Hour, "how long before its end a certificate should have been replaced")
	if err := flags.Parse(args); errors.Is(err, pflag.ErrHelp) {
		return nil, errAnswered
	} else if err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	in, err := from.read()
	if err != nil {
		return nil, err
	}
	engine, policy, _, err := in.compile(ctx)
	if err != nil {
		return nil, err
	}
	i.Config = policy
	i.Digest = engine.Digest()
	if i.Access, err = access(kubeconfig, kubecontext); err != nil {
		return nil, fmt.Errorf("no access to a cluster: %w", err)
	}
	return i, nil
}

// access returns how the cluster is reached, as kubectl does.
func access(kubeconfig, kubecontext string) (*rest.Config, error) {
	if kubeconfig == "" {
		return config.GetConfigWithContext(kubecontext)
	}
	return clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
		&clientcmd.ClientConfigLoadingRules{ExplicitPath: kubeconfig}, &clientcmd.ConfigOverrides{CurrentContext: kubecontext}).ClientConfig()
}
