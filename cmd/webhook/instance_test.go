package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// instance is a running remedy-webhook.
type instance struct {
	t                     testing.TB
	command               *exec.Cmd
	admission, management string // addresses
	metrics               string // of --metrics-listen
	log                   *lockedBuffer
	exit                  chan error
	dir                   string // tls.crt, tls.key and .flux-remedy.yaml
}

// start runs a webhook with a certificate of the authority and more flags, and
// waits until it is ready.
func (a *authority) start(t testing.TB, flags ...string) *instance {
	t.Helper()
	dir := t.TempDir()
	a.issue(t, dir)
	i := launch(t, dir, append([]string{"--cert-dir", dir}, flags...)...)
	i.awaitReady()
	return i
}

// startDelivered does the same with the delivered program and the environment of
// the manifests, for tests that measure memory and time.
func (a *authority) startDelivered(t testing.TB, flags ...string) *instance {
	t.Helper()
	program, err := delivered()
	if err != nil {
		t.Fatal(err)
	}
	for _, variable := range container(t).Env {
		t.Setenv(variable.Name, variable.Value)
	}
	dir := t.TempDir()
	a.issue(t, dir)
	i := launchProgram(t, program, dir, append([]string{"--cert-dir", dir}, flags...)...)
	i.awaitReady()
	return i
}

// container returns the webhook's container in the manifests.
func container(t testing.TB) corev1.Container {
	t.Helper()
	raw, err := os.ReadFile("../../manifests/base/deployment.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var deployment appsv1.Deployment
	if err := yaml.UnmarshalStrict(raw, &deployment); err != nil {
		t.Fatal(err)
	}
	return deployment.Spec.Template.Spec.Containers[0]
}

// launch runs a webhook with flags and waits until it listens. It runs the test
// binary, so that the race detector covers it when it covers the tests.
func launch(t testing.TB, dir string, flags ...string) *instance {
	t.Helper()
	return launchProgram(t, os.Args[0], dir, flags...)
}

// delivered builds remedy-webhook as make build does, and as users run it.
var delivered = sync.OnceValues(func() (string, error) {
	return compile(".", "webhook", "CGO_ENABLED=0", "GOFLAGS=-trimpath")
})

// compile builds a program in the folder of programs.
func compile(from, name string, env ...string) (program string, err error) {
	dir, err := programs()
	if err != nil {
		return "", err
	}
	program = filepath.Join(dir, name)
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", program, from)
	build.Env = append(os.Environ(), env...)
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return program, nil
}

// programs is the folder of what tests build. TestMain removes it.
var programs = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "remedy-webhook") })

func launchProgram(t testing.TB, program, dir string, flags ...string) *instance {
	t.Helper()
	flags = append([]string{
		"--listen=127.0.0.1:0", "--manage-listen=127.0.0.1:0", "--reload-interval=20ms", "--shutdown-delay=500ms",
	}, flags...)
	i := &instance{t: t, command: exec.Command(program, flags...), log: &lockedBuffer{}, exit: make(chan error, 1), dir: dir}
	i.command.Env = append(os.Environ(), asProgram+"=1")
	out, err := i.command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := i.command.Start(); err != nil {
		t.Fatal(err)
	}
	listening := make(chan struct{})
	go func() {
		i.read(out, listening)
		i.exit <- i.command.Wait()
	}()
	t.Cleanup(func() { _ = i.command.Process.Kill() })
	select {
	case <-listening:
	case err := <-i.exit:
		t.Fatalf("the webhook ended: %v\n%s", err, i.log)
	case <-time.After(patience):
		t.Fatalf("the webhook does not listen\n%s", i.log)
	}
	return i
}

// read collects the log and finds the addresses in it.
func (i *instance) read(out io.Reader, listening chan<- struct{}) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		i.log.line(lines.Text())
		var entry struct{ Msg, Admission, Management, Metrics string }
		if json.Unmarshal(lines.Bytes(), &entry) == nil && entry.Msg == "listening" {
			i.admission, i.management, i.metrics = entry.Admission, entry.Management, entry.Metrics
			close(listening)
		}
	}
}

func (i *instance) awaitReady() {
	i.t.Helper()
	eventually(i.t, "the webhook is ready", i.ready)
}

func (i *instance) ready() error {
	if text, code := i.get("/readyz"); code != http.StatusOK {
		return fmt.Errorf("readyz: %d %s", code, text)
	}
	return nil
}

// get requests a path of the management address; code 0 means no answer.
func (i *instance) get(path string) (text string, code int) {
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Get("http://" + i.management + path)
	if err != nil {
		return err.Error(), 0
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err.Error(), 0
	}
	return string(body), response.StatusCode
}

// metric returns the line of a metric, as name{labels} value.
func (i *instance) metric(name string) string {
	text, _ := i.get("/metrics")
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, name) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// terminate sends SIGTERM.
func (i *instance) terminate() {
	i.t.Helper()
	if err := i.command.Process.Signal(syscall.SIGTERM); err != nil {
		i.t.Fatal(err)
	}
}

// awaitEnd waits for the process, which must exit with 0.
func (i *instance) awaitEnd() {
	i.t.Helper()
	select {
	case err := <-i.exit:
		if err != nil {
			i.t.Fatalf("the webhook ended with %v\n%s", err, i.log)
		}
	case <-time.After(patience):
		i.t.Fatalf("the webhook does not end\n%s", i.log)
	}
}

// lockedBuffer is a log that can be written and read concurrently.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) line(s string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.buf.WriteString(s + "\n")
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
