package flux

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// Controller is the process of a controller.
type Controller struct {
	cmd  *exec.Cmd
	log  string        // its file
	done chan struct{} // closed when it has ended
	once sync.Once
}

// Run starts a controller of the cluster's set, such as helm-controller, with flags beyond
// those that every test needs, and returns once its workers run.
func (c *Cluster) Run(t testing.TB, name string, flags ...string) *Controller {
	t.Helper()
	return c.launch(t, name, "Starting workers", append([]string{
		"--metrics-addr=0", "--health-addr=127.0.0.1:0", "--events-addr=", "--enable-leader-election=false",
		"--watch-all-namespaces=true", "--interval-jitter-percentage=0", "--log-encoding=console",
	}, flags...))
}

// RunManager starts kube-controller-manager with some of its controllers, and returns once they run.
func (c *Cluster) RunManager(t testing.TB, controllers ...string) *Controller {
	t.Helper()
	if err := c.guard.program("kube-controller-manager", filepath.Join(assets, "flux", "kube-controller-manager")); err != nil {
		t.Fatal(err)
	}
	return c.launch(t, "kube-controller-manager", "Caches are synced", []string{
		"--kubeconfig=" + c.kubeconfig, "--leader-elect=false", "--secure-port=0", "--controllers=" + strings.Join(controllers, ","),
	})
}

// launch starts a program and returns once a line of its log has the words.
func (c *Cluster) launch(t testing.TB, name, ready string, flags []string) *Controller {
	t.Helper()
	home, err := os.MkdirTemp(c.guard.dir, name+"-")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(c.guard.dir, "bin", name), flags...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+c.kubeconfig, "RUNTIME_NAMESPACE=flux-system", "HOME="+home, "TMPDIR="+home)
	separate(cmd)
	p := &Controller{cmd: cmd, log: home + ".log", done: make(chan struct{})}
	started := p.follow(t, ready, c.heed)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	c.mu.Lock()
	c.running = append(c.running, p)
	c.mu.Unlock()
	go func() {
		_ = cmd.Wait() // how it ends is the test's choice
		close(p.done)
	}()
	select {
	case <-started:
	case <-p.done:
		t.Fatalf("%s ended:\n%s", name, p.tail(20))
	case <-c.context(t).Done():
		t.Fatalf("%s did not start:\n%s", name, p.tail(20))
	}
	return p
}

// follow keeps the log of the controller, hands each line to heed, and returns a channel that is
// closed once a line has the words of ready.
func (p *Controller) follow(t testing.TB, ready string, heed func(line string)) <-chan struct{} {
	t.Helper()
	file, err := os.Create(p.log)
	if err != nil {
		t.Fatal(err)
	}
	read, write := io.Pipe()
	p.cmd.Stdout, p.cmd.Stderr = write, write
	started := make(chan struct{})
	go func() {
		defer file.Close()
		lines, told := bufio.NewReader(read), false
		for {
			line, err := lines.ReadString('\n')
			_, _ = file.WriteString(line)
			heed(line)
			if !told && strings.Contains(line, ready) {
				told = true
				close(started)
			}
			if err != nil {
				return
			}
		}
	}()
	go func() {
		<-p.done
		write.Close()
	}()
	return started
}

// Kill ends the controller by SIGKILL and waits for its end.
func (p *Controller) Kill() { p.signal(syscall.SIGKILL) }

// Stop ends the controller by SIGTERM, as an update of Flux does, and waits for its end.
func (p *Controller) Stop() { p.signal(syscall.SIGTERM) }

func (p *Controller) signal(s syscall.Signal) {
	p.once.Do(func() { _ = syscall.Kill(-p.cmd.Process.Pid, s) })
	<-p.done
}

// tail returns the last lines of the log.
func (p *Controller) tail(lines int) string {
	data, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	all := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	return fmt.Sprintf("%s\n%s", filepath.Base(p.log), bytes.Join(all[max(0, len(all)-lines):], []byte("\n")))
}

// context ends shortly before the test must.
func (c *Cluster) context(t testing.TB) context.Context { return Context(t) }
