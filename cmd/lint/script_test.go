package main

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script and docs")

// collecting is how the programs that tests start collect garbage from the first line on, as
// they do anyway as soon as they run. Before, what tests link is initialised.
const collecting = "400"

func TestMain(m *testing.M) {
	if strings.HasSuffix(os.Args[0], ".test") {
		_ = os.Setenv("GOGC", collecting)
	}
	testscript.Main(m, map[string]func(){"flux-remedy": scripted, "flux-remedies": mains, "flux-remedy-itself": main, "openssl": openssl})
}

// scripted is the program, but that the digests which people read are always the same, and look made up: each
// change of a rule would change every report else.
func scripted() {
	out, err := &undigested{to: os.Stdout}, &undigested{to: os.Stderr}
	code := process(out, err)
	out.rest()
	err.rest()
	os.Exit(code)
}

// undigested writes whole lines.
type undigested struct {
	to   io.Writer
	held []byte
}

func (u *undigested) Write(p []byte) (int, error) {
	u.held = append(u.held, p...)
	whole := bytes.LastIndexByte(u.held, '\n') + 1
	_, err := u.to.Write(someDigest.ReplaceAll(u.held[:whole], []byte(madeUpDigest)))
	u.held = u.held[whole:]
	return len(p), err
}

func (u *undigested) rest() { _, _ = u.to.Write(u.held) }

const madeUpDigest = "policy digest 0123456789ab"

var someDigest = regexp.MustCompile(`policy digest [0-9a-f]{12}`)

// TestScript runs the scripts that specify the command line.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			env.Setenv("GOGC", collecting)
			crds, err := filepath.Abs("../../testdata/crds")
			env.Setenv("CRDS", crds)
			return err
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits, "cluster": cluster, "registry": registryInMemory, "undigest": undigest},
	})
}

// exits CODE COMMAND... runs a command and wants its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		code = exitCode(err)
	}
	if code != args[0] {
		ts.Fatalf("%v exits with %s, want %s", args[1:], code, args[0])
	}
}

var digest = regexp.MustCompile(`(sha256:|policy digest |flux-remedy.io/digest: )[0-9a-f]{12,64}`)

// undigest FILE writes what the last command wrote to standard output to a file, with a
// word instead of digests: those of the built-in policies change with every rule.
func undigest(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: undigest FILE")
	}
	text := digest.ReplaceAllString(ts.ReadFile("stdout"), "${1}DIGEST")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// registryInMemory starts a registry of OCI images on loopback, and names it in $REGISTRY.
func registryInMemory(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: registry")
	}
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	ts.Defer(server.Close)
	ts.Setenv("REGISTRY", strings.TrimPrefix(server.URL, "http://"))
}

func exitCode(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return strconv.Itoa(exit.ExitCode())
	}
	return err.Error()
}
