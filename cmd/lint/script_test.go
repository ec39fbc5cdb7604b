package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script and docs")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"flux-remedy": main, "flux-remedies": mains, "openssl": openssl})
}

// TestScript runs the scripts that specify the command line.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits, "cluster": cluster, "undigest": undigest},
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

var digest = regexp.MustCompile(`(sha256:|policy digest )[0-9a-f]{12,64}`)

// undigest FILE writes what the last command wrote to standard output to a file, with a
// word instead of digests: those of the built-in policies change with every rule.
func undigest(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: undigest FILE")
	}
	text := digest.ReplaceAllString(ts.ReadFile("stdout"), "${1}DIGEST")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

func exitCode(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return strconv.Itoa(exit.ExitCode())
	}
	return err.Error()
}
