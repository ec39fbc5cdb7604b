package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

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
