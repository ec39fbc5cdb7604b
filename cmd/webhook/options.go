package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"time"

	"github.com/spf13/pflag"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// version is set by the build.
var version = "devel"

// errAnswered reports that the flags asked for a text, which was printed.
var errAnswered = errors.New("answered")

// options are the flags.
type options struct {
	listen, manage string
	secure         string // empty: metrics are at manage, for everybody
	config, rules  string
	bundle         string // instead of rules, and of config if it has one
	keys           []string
	cluster        string
	tier           release.Tier // empty: the configuration's default
	reload         time.Duration

	certDir    string
	selfSigned bool
	rotate     rotation
	clientCA   string // empty: whoever reaches the port may ask
	clientName string
	tls12      bool
	http2      bool

	maxBody        int64
	maxConnections int
	maxConcurrent  int
	timeout        time.Duration
	headerTimeout  time.Duration
	idleTimeout    time.Duration
	shutdownDelay  time.Duration

	pprof    bool
	logLevel slog.Level

	// As written; complete parses them.
	tierName, minTLS string
}

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	flags := o.flags()
	flags.SetOutput(stderr)
	asked := flags.Bool("version", false, "print the version")
	if err := flags.Parse(args); errors.Is(err, pflag.ErrHelp) {
		return nil, errAnswered
	} else if err != nil {
		return nil, err
	}
	if *asked {
		fmt.Fprintln(stderr, "remedy-webhook", version)
		return nil, errAnswered
	}
	if flags.Changed("bundle") && o.bundle == "" {
		return nil, errors.New("--bundle is empty: is a variable not set?")
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	return o, o.complete()
}

func (o *options) flags() *pflag.FlagSet {
	flags := pflag.NewFlagSet("remedy-webhook", pflag.ContinueOnError)
	flags.SortFlags = false

	flags.StringVar(&o.listen, "listen", ":9443", "address of the admission endpoint (HTTPS)")
	flags.StringVar(&o.manage, "manage-listen", ":8080", "address of /healthz, /readyz and /metrics (HTTP)")
	flags.StringVar(&o.secure, "metrics-listen", "", "address of /metrics (HTTPS) for callers whose token may get it; without it /metrics is at --manage-listen, for everybody")
	flags.StringVar(&o.config, "config", "", "configuration file, a "+rules.ConfigKind+"; all defaults without it")
	flags.StringVar(&o.rules, "policy", "", "folder with further rules, in the shape of policies/rules")
	flags.StringVar(&o.bundle, "bundle", "", "file or folder of a bundle, which holds the rules and mostly the configuration")
	flags.StringArrayVar(&o.keys, "verify-key", nil, "file with the public key or certificate that must have signed the bundle, or env:NAME; repeatable")
	flags.StringVar(&o.tierName, "tier", "", "tier on /validate where the configuration names none (default its defaultTier)")
	flags.StringVar(&o.cluster, "cluster", "", "name of the cluster, which clusters in the configuration match")
	flags.DurationVar(&o.reload, "reload-interval", 2*time.Second, "how often config, policy, bundle and certificate are looked at for changes")

	flags.StringVar(&o.certDir, "cert-dir", "/etc/remedy-webhook/tls", "folder with tls.crt and tls.key")
	flags.BoolVar(&o.selfSigned, "self-signed", false, "serve with a certificate made in memory, for trying out")
	flags.BoolVar(&o.rotate.on, "rotate-certs", false, "make and renew the certificate in a Secret; needs a cluster and RBAC")
	flags.StringVar(&o.rotate.namespace, "namespace", os.Getenv("POD_NAMESPACE"), "namespace of the Secret and the Service, for --rotate-certs")
	flags.StringVar(&o.rotate.secret, "cert-secret", "remedy-webhook-tls", "Secret of the certificate, for --rotate-certs")
	flags.StringVar(&o.rotate.service, "cert-service", "remedy-webhook", "Service that the certificate names, for --rotate-certs")
	flags.StringVar(&o.rotate.registration, "cert-registration", "flux-remedy", "ValidatingWebhookConfiguration that gets the CA, for --rotate-certs")
	flags.StringVar(&o.clientCA, "client-ca", "", "file with the CA of client certificates; without it callers are not authenticated")
	flags.StringVar(&o.clientName, "client-name", "kube-apiserver", "common name or DNS name that a client certificate must have, for --client-ca")
	flags.StringVar(&o.minTLS, "tls-min-version", "1.3", "1.2 or 1.3")
	flags.BoolVar(&o.http2, "http2", false, "offer HTTP/2 beside HTTP/1.1")

	flags.Int64Var(&o.maxBody, "max-body", 8<<20, "largest AdmissionReview, in bytes; the values of a release are not held in memory")
	flags.IntVar(&o.maxConnections, "max-connections", 1000, "connections served at once; others wait")
	flags.IntVar(&o.maxConcurrent, "max-concurrent", 16, "requests judged at once; others wait")
	flags.DurationVar(&o.timeout, "timeout", 2500*time.Millisecond, "longest time for a request; less if the API server waits less")
	flags.DurationVar(&o.headerTimeout, "header-timeout", 5*time.Second, "longest time for the TLS handshake and a request's header")
	flags.DurationVar(&o.idleTimeout, "idle-timeout", 90*time.Second, "longest time that a connection is kept without a request")
	flags.DurationVar(&o.shutdownDelay, "shutdown-delay", 10*time.Second, "how long to serve on, unready, after SIGTERM")

	flags.BoolVar(&o.pprof, "pprof", false, "serve /debug/pprof on the management address")
	flags.TextVar(&o.logLevel, "log-level", slog.LevelInfo, "debug, info, warn or error")
	return flags
}

// complete parses tier and TLS version, and checks the flags against each other.
func (o *options) complete() error {
	var errs []error
	if o.tierName != "" {
		var err error
		o.tier, err = release.ParseTier(o.tierName)
		errs = append(errs, err)
	}
	o.tls12 = o.minTLS == "1.2"
	if !o.tls12 && o.minTLS != "1.3" {
		errs = append(errs, fmt.Errorf("--tls-min-version %s: want 1.2 or 1.3", o.minTLS))
	}
	for _, flag := range [][2]string{{"listen", o.listen}, {"manage-listen", o.manage}, {"metrics-listen", o.secure}} {
		if flag[1] == "" && flag[0] == "metrics-listen" {
			continue
		}
		if _, _, err := net.SplitHostPort(flag[1]); err != nil {
			errs = append(errs, fmt.Errorf("--%s: %w", flag[0], err))
		}
	}
	if o.maxBody < 1 || o.maxConnections < 1 || o.maxConcurrent < 1 {
		errs = append(errs, errors.New("--max-body, --max-connections and --max-concurrent must be above zero"))
	}
	if o.timeout <= 0 || o.headerTimeout <= 0 || o.idleTimeout <= 0 || o.reload <= 0 {
		errs = append(errs, errors.New("timeouts and --reload-interval must be above zero"))
	}
	if o.bundle != "" && o.rules != "" {
		errs = append(errs, errors.New("--bundle and --policy exclude each other: the bundle has all rules"))
	}
	if o.bundle == "" && len(o.keys) > 0 {
		errs = append(errs, errors.New("--verify-key: there is no --bundle to verify"))
	}
	if o.selfSigned && o.rotate.on {
		errs = append(errs, errors.New("--self-signed and --rotate-certs exclude each other"))
	}
	if o.rotate.on && o.rotate.namespace == "" {
		errs = append(errs, errors.New("--rotate-certs needs --namespace"))
	}
	return errors.Join(errs...)
}
