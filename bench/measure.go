package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// cost is what a run of a program takes.
type cost struct {
	cpu, wall time.Duration // cpu is user and system time, of its children too
	peak      int64         // resident memory in bytes at most, of its largest process
}

// program is something that is measured.
type program struct {
	name string
	// command returns what to run on a tree.
	command func(tree string) []string
	// codes are the exit codes of a run that did its work. Findings are no failure.
	codes []int
}

// run runs the program on a tree. What it prints goes through a pipe and is thrown away.
func (p program) run(tree string) (cost, error) {
	cmd, err := launcher(p.command(tree))
	if err != nil {
		return cost{}, err
	}
	report, child, err := os.Pipe()
	if err != nil {
		return cost{}, err
	}
	defer report.Close()
	var stdout, stderr tail
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = &stdout, &stderr, []*os.File{child}
	err = cmd.Run()
	child.Close()
	var e launchResult
	if err == nil {
		err = json.NewDecoder(report).Decode(&e)
	}
	if err == nil && !slices.Contains(p.codes, e.Code) {
		err = fmt.Errorf("exit code %d", e.Code)
	}
	if err != nil {
		return cost{}, fmt.Errorf("%s on %s: %w: %s %s", p.name, tree, err, bytes.TrimSpace(stderr.text), bytes.TrimSpace(stdout.text))
	}
	return cost{cpu: e.CPU, wall: e.Wall, peak: e.Peak}, nil
}

// tail keeps the end of what is written to it.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p[max(0, len(p)-500):]...)
	t.text = t.text[max(0, len(t.text)-500):]
	return len(p), nil
}

// rounds runs all programs in turn, n times, and returns their costs by program.
func rounds(programs []program, tree string, n int) ([][]cost, error) {
	out := make([][]cost, len(programs))
	for range n {
		for i, p := range programs {
			c, err := p.run(tree)
			if err != nil {
				return nil, err
			}
			out[i] = append(out[i], c)
		}
	}
	return out, nil
}

// summary returns the medians of times and the highest peak.
func summary(costs []cost) cost {
	var cpu, wall []time.Duration
	var out cost
	for _, c := range costs {
		cpu, wall = append(cpu, c.cpu), append(wall, c.wall)
		out.peak = max(out.peak, c.peak)
	}
	out.cpu, out.wall = median(cpu), median(wall)
	return out
}

func median(of []time.Duration) time.Duration {
	slices.Sort(of)
	return (of[(len(of)-1)/2] + of[len(of)/2]) / 2
}

// launch is the first argument of a bench that starts one program, and does nothing else.
// The kernel counts the memory of the process that starts a program as the program's
// own, so a process that made trees must not start it.
const launch = "launch"

// launchResult is what a launcher writes to its file 3, as JSON, when its program has ended.
type launchResult struct {
	Code      int
	CPU, Wall time.Duration
	Peak      int64 // bytes
}

// launched runs a program with the files of this process.
func launched(args []string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return err
	}
	state := cmd.ProcessState
	usage := state.SysUsage().(*syscall.Rusage)
	return json.NewEncoder(os.NewFile(3, "ended")).Encode(launchResult{
		Code: state.ExitCode(), CPU: state.UserTime() + state.SystemTime(), Wall: wall,
		Peak: usage.Maxrss << 10, // KiB on Linux
	})
}

// launcher returns the command that runs a program through a new process of bench.
func launcher(args []string) (*exec.Cmd, error) {
	self, err := os.Executable()
	return exec.Command(self, append([]string{launch}, args...)...), err
}

// machine describes where and when this runs: other programs that run meanwhile make
// wall times longer, CPU times a little.
func machine(now time.Time) string {
	return fmt.Sprintf("%s, %d cores of %s, %s of memory, %s %s/%s, load %s.", now.UTC().Format(time.DateOnly),
		runtime.NumCPU(), field("/proc/cpuinfo", "model name"), gibi(field("/proc/meminfo", "MemTotal")),
		runtime.Version(), runtime.GOOS, runtime.GOARCH, load())
}

// field returns the first value of a name in a file of /proc.
func field(file, name string) string {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

func gibi(memory string) string {
	var kibi int
	if _, err := fmt.Sscanf(memory, "%d kB", &kibi); err != nil {
		return memory
	}
	return fmt.Sprintf("%d GiB", kibi>>20)
}

// load returns the mean number of processes that wanted to run in the last minute.
func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
