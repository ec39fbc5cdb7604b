//go:build browser

// Package browser tests the pages in a real Chromium. It needs the tag
// browser, as make test-browser sets it: not every machine has a Chromium.
package browser

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var (
	root  = flag.String("root", "../..", "root of the repository, with bin/flux-remedy in it")
	shots = flag.String("shots", "", "folder to keep screenshots in; empty keeps none")
)

// tab is a page in a browser, with its requests and errors.
type tab struct {
	*testing.T
	ctx context.Context
	url string

	lock     sync.Mutex
	requests []string
	errors   []string
}

// lint writes the html report of a tree and serves it in a fresh browser.
func lint(t *testing.T, dir, hash string) *tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	flux(t, "lint", dir, "-o", "html="+file, "--fail-on", "off")
	return visit(t, file, hash, "#rows .row")
}

// flux runs flux-remedy in the repository and returns what it prints.
func flux(t *testing.T, arguments ...string) string {
	t.Helper()
	return fluxExits(t, 0, arguments...)
}

// fluxExits does the same with an exit code.
func fluxExits(t *testing.T, code int, arguments ...string) string {
	t.Helper()
	program, err := filepath.Abs(filepath.Join(*root, "bin", "flux-remedy"))
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program, arguments...)
	command.Dir = *root
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if command.ProcessState.ExitCode() != code {
		t.Fatalf("%s: %v\n%s%s", command, err, out, stderr.Bytes())
	}
	return string(out)
}

// visit opens a page and waits for an element.
func visit(t *testing.T, file, hash, element string) *tab {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, file) }))
	t.Cleanup(server.Close)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.WindowSize(1280, 900), chromedp.WSURLReadTimeout(patience(t)))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, patience(t))
	t.Cleanup(cancel)
	p := &tab{T: t, ctx: ctx, url: server.URL + "/report"}
	chromedp.ListenTarget(ctx, p.listen)
	p.run(network.Enable(), chromedp.Navigate(p.url+hash), chromedp.WaitVisible(element, chromedp.ByQuery))
	t.Cleanup(p.quiet)
	return p
}

// patience is how long a browser is waited for: as long as the tests may take, but for what
// says then where it hung. A page has no deadline of its own, which a busy machine would miss.
func patience(t *testing.T) time.Duration {
	end, limited := t.Deadline()
	if !limited {
		return time.Hour
	}
	return time.Until(end) - 20*time.Second
}

func (p *tab) listen(event any) {
	p.lock.Lock()
	defer p.lock.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request.URL)
	case *runtime.EventExceptionThrown:
		p.errors = append(p.errors, e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		p.errors = append(p.errors, fmt.Sprintf("console.%s", e.Type))
	}
}

// quiet fails the test if the page has requested anything, or has failed.
func (p *tab) quiet() {
	p.lock.Lock()
	defer p.lock.Unlock()
	for _, url := range p.requests {
		if !strings.HasPrefix(url, p.url) && url != "data:," {
			p.Errorf("asks for %s", url)
		}
	}
	for _, e := range p.errors {
		p.Errorf("page fails: %s", e)
	}
}

func (p *tab) run(actions ...chromedp.Action) {
	p.Helper()
	if err := chromedp.Run(p.ctx, actions...); err != nil {
		p.Fatal(err)
	}
}

// eval returns the value of a JavaScript expression as text.
func (p *tab) eval(expression string) string {
	p.Helper()
	var value any
	p.run(chromedp.Evaluate(expression, &value, func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
	return fmt.Sprint(value)
}

// want compares the value of an expression.
func (p *tab) want(expression, want string) {
	p.Helper()
	if got := p.eval(expression); got != want {
		p.Errorf("%s is %q, want %q", expression, got, want)
	}
}

func (p *tab) shot(name string, whole bool) {
	p.Helper()
	if *shots == "" {
		return
	}
	var png []byte
	action := chromedp.CaptureScreenshot(&png)
	if whole {
		action = chromedp.FullScreenshot(&png, 100)
	}
	p.run(action)
	if err := os.WriteFile(filepath.Join(*shots, name+".png"), png, 0o644); err != nil {
		p.Fatal(err)
	}
}

func phone() chromedp.Action { return emulation.SetDeviceMetricsOverride(390, 844, 2, true) }

func scheme(name string) chromedp.Action {
	return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}})
}

// char types a character that the page may handle itself.
func char(c string) chromedp.Action {
	return chromedp.Tasks{input.DispatchKeyEvent(input.KeyDown).WithKey(c).WithText(c), input.DispatchKeyEvent(input.KeyUp).WithKey(c)}
}

const (
	rows    = `document.querySelectorAll("#rows .row").length`
	details = `document.querySelectorAll("#rows .detail").length`
	tally   = `document.getElementById("tally").textContent`
	paper   = `getComputedStyle(document.body).backgroundColor`
	hash    = `decodeURIComponent(location.hash)`
	focused = `document.activeElement.closest(".row")?.id ?? document.activeElement.name ?? ""`
)

func TestDemo(t *testing.T) {
	p := lint(t, "testdata/demo", "")
	all := p.eval(rows)
	p.want(tally, all)
	p.shot("demo-light", true)

	t.Log("search, and find nothing")
	p.run(chromedp.SendKeys(`input[name=q]`, "orders production", chromedp.ByQuery))
	p.want(rows, "1")
	p.want(tally, "1 of "+all+" releases")
	p.run(chromedp.SendKeys(`input[name=q]`, " nonsense", chromedp.ByQuery))
	p.want(`document.getElementById("nothing").hidden`, "false")
	p.run(chromedp.Click("#clear", chromedp.ByQuery))
	p.want(rows, all)

	t.Log("filter by the form and by the summary")
	p.run(chromedp.SetValue(`select[name=tier]`, "=staging", chromedp.ByQuery), chromedp.Evaluate(`document.querySelector("select[name=tier]").dispatchEvent(new Event("input", {bubbles: true}))`, nil))
	p.want(`[...document.querySelectorAll("#rows .row td:nth-child(3)")].every((cell) => cell.textContent === "staging")`, "true")
	p.run(chromedp.Click(`button[type=reset]`, chromedp.ByQuery), chromedp.Click(`.tile.error`, chromedp.ByQuery))
	p.want(`[...document.querySelectorAll("#rows .row")].every((row) => row.querySelector(".chip.error"))`, "true")
	p.want(hash, "#severity=error")
	p.run(chromedp.Click(`.tile.error`, chromedp.ByQuery))
	p.want(rows, all)

	t.Log("open in place, close, sort")
	p.run(chromedp.Click(`#rows .row:first-child button`, chromedp.ByQuery), chromedp.WaitVisible(`#rows .detail .finding`, chromedp.ByQuery))
	p.want(`document.querySelector("#rows .row button").getAttribute("aria-expanded")`, "true")
	p.want(`document.querySelectorAll("#rows .detail svg.strip rect").length > 0`, "true")
	p.shot("demo-open-light", true)
	p.run(scheme("dark"))
	p.shot("demo-open-dark", true)
	p.run(phone())
	p.want(`document.documentElement.scrollWidth <= innerWidth`, "true")
	p.shot("demo-phone-dark", true)
	p.run(scheme("light"))
	p.shot("demo-phone-light", true)
	p.run(emulation.ClearDeviceMetricsOverride(), chromedp.Click(`#rows .row:first-child button`, chromedp.ByQuery))
	p.want(details, "0")
	p.run(chromedp.Click(`[data-sort=name]`, chromedp.ByQuery))
	p.want(`document.querySelector("#rows .row .ns").textContent < [...document.querySelectorAll("#rows .row .ns")].pop().textContent`, "true")
}

const cards = `document.querySelectorAll("#blocks .block").length`

// TestPlaces: what is found is shown by place first, the worst first, with what is edited in the
// same documents; it follows the filters.
func TestPlaces(t *testing.T) {
	p := lint(t, "testdata/demo", "")
	p.want(cards+" > 3", "true")
	p.want(`document.querySelector("#blocks").compareDocumentPosition(document.querySelector("#rows")) & 4`, "4")
	p.want(`[...document.querySelectorAll("#blocks .block:not(.joined)")].map((b) => ["error", "warning", "info"].findIndex((s) => b.classList.contains(s))).every((s, i, all) => !i || s >= all[i - 1])`, "true")
	p.want(`document.querySelectorAll("#blocks .block:first-child .timeline svg.strip").length`, "1")
	p.run(chromedp.Click(`.tile.warning`, chromedp.ByQuery))
	p.want(`[...document.querySelectorAll("#blocks .block")].every((b) => b.classList.contains("warning"))`, "true")
	p.run(chromedp.Click(`button[type=reset]`, chromedp.ByQuery), chromedp.SendKeys(`input[name=q]`, "orders production", chromedp.ByQuery))
	p.want(`document.querySelector("#blocks .block").textContent.includes("orders.yaml")`, "true")
	p.want(`document.getElementById("places-tally").textContent.includes(" of ")`, "true")
	t.Log("unfold by keyboard, and follow a link to a release")
	p.run(chromedp.Evaluate(`[...document.querySelectorAll("#blocks summary")].find((s) => s.textContent === "1 release").focus()`, nil), chromedp.KeyEvent(kb.Enter))
	p.run(chromedp.WaitVisible(`#blocks .names a`, chromedp.ByQuery), chromedp.Click(`#blocks .names a`, chromedp.ByQuery), chromedp.WaitVisible(`.row.open + .detail`, chromedp.ByQuery))
	p.want(`document.querySelector("#rows .row.open").textContent.includes("orders")`, "true")
}

func TestKeyboard(t *testing.T) {
	p := lint(t, "testdata/demo", "")
	p.run(char("/"))
	p.want(focused, "q")
	p.run(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
	p.want(`[...document.querySelectorAll("#rows .row")].indexOf(document.activeElement.closest(".row"))`, "1")
	p.run(chromedp.KeyEvent(kb.Enter))
	p.want(details, "1")
	p.want(hash+`.startsWith("#release=")`, "true")
	p.run(chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(" "))
	p.want(details, "2")
	p.run(chromedp.KeyEvent(kb.Escape))
	p.want(focused, "q")
	p.run(char("x"), char("/"), char("y"))
	p.want(`document.activeElement.value`, "x/y")
}

func TestLink(t *testing.T) {
	p := lint(t, "testdata/demo", "#q=nonsense&release=staging%2Fshop%2Forders")
	p.want(details, "1")
	p.want(`document.activeElement.closest(".row.open") !== null`, "true")
	p.want(`document.querySelector("#rows .row.open").textContent.includes("orders")`, "true")
	p.run(chromedp.Evaluate(`location.hash = "#release=production/shop/postgres"`, nil), chromedp.WaitVisible(`.row.open + .detail`, chromedp.ByQuery))
	p.want(details, "2")
}

func TestColours(t *testing.T) {
	p := lint(t, "testdata/demo", "")
	p.run(scheme("light"))
	light := p.eval(paper)
	p.run(scheme("dark"))
	dark := p.eval(paper)
	if light == dark {
		t.Errorf("light and dark are both %s", light)
	}
	p.run(chromedp.Click("#theme", chromedp.ByQuery))
	p.want(paper, light)
	p.run(chromedp.Reload(), chromedp.WaitVisible("#rows .row", chromedp.ByQuery))
	p.want(paper, light)
	p.run(scheme("light"), chromedp.Click("#theme", chromedp.ByQuery))
	p.want(paper, dark)
	p.run(emulation.SetEmulatedMedia().WithMedia("print"))
	p.want(paper, "rgba(0, 0, 0, 0)")
}

// hostile has text that a browser would act on in every field that a report shows.
const hostile = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: '<script>document.title="owned"</script>'
  namespace: '"><img src=x onerror=document.title="owned">'
  annotations: {waive.flux-remedy.io/no-recovery: '2099-01-01 </script><script>document.title="owned"</script>'}
spec:
  interval: 10m
  chart: {spec: {chart: x, sourceRef: {kind: HelmRepository, name: x}}}
  upgrade: {remediation: {retries: 0}} # </script><script>document.title="owned"</script>
`

func TestHostile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "release.yaml"), []byte(hostile), 0o644); err != nil {
		t.Fatal(err)
	}
	p := lint(t, dir, "")
	p.run(chromedp.Click(`#rows .row button`, chromedp.ByQuery), chromedp.WaitVisible(`#rows .detail`, chromedp.ByQuery))
	p.want(`document.title.startsWith("Flux Remedy")`, "true")
	p.want(`document.querySelectorAll("img, main script, iframe").length`, "0")
	p.want(`document.querySelector("#rows .row").textContent.includes("<script>")`, "true")
	p.run(chromedp.Evaluate(`document.body.append(Object.assign(document.createElement("script"), {textContent: "document.title = 'owned'"}))`, nil))
	p.want(`document.title.startsWith("Flux Remedy")`, "true")
	p.want(`fetch("/other").then(() => "asked", () => "refused")`, "refused")
}

func TestManyReleases(t *testing.T) {
	dir := manyReleases(t)
	p := lint(t, dir, "")
	p.want(tally, "2,000")
	p.want(`document.querySelectorAll("#rows .chip").length > 0`, "true")
	p.want(rows+` <= 200`, "true")
	p.shot("many-light", false)
	p.run(scheme("dark"))
	p.shot("many-dark", false)
	p.run(scheme("light"))
	for _, measured := range []string{
		`(() => { const t = performance.now(), q = document.querySelector("input[name=q]"); q.value = "app-0777"; q.dispatchEvent(new Event("input", {bubbles: true})); document.body.offsetHeight; return performance.now() - t })()`,
		`performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd`,
	} {
		var ms float64
		p.run(chromedp.Evaluate(measured, &ms))
		p.Logf("%.0f ms: %.40s", ms, measured) // a busy machine takes longer: what bounds it is how much is drawn
	}
	p.want(rows, "2")
	p.want(cards+" > 0", "true")
	p.want(`document.querySelectorAll("main *").length < 10000`, "true")
	p.want(`document.documentElement.outerHTML.length < 4e6 && document.getElementById("data").textContent.length < 1 << 20`, "true")
	p.run(chromedp.Click(`button[type=reset]`, chromedp.ByQuery), chromedp.ScrollIntoView("#undetermined", chromedp.ByQuery))
	p.run(chromedp.Poll(rows+` > 100`, nil, chromedp.WithPollingTimeout(0)))
	p.want(cards+" <= 10", "true")
	p.run(chromedp.Evaluate(`dispatchEvent(new Event("beforeprint"))`, nil))
	p.want(rows, "2000")
}

// manyReleases returns a folder with 1,000 releases that two clusters apply; each has findings.
func manyReleases(t *testing.T) string {
	t.Helper()
	var releases strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&releases, "---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: app-%04d, namespace: team-%d}\n"+
			"spec: {interval: 1h, chart: {spec: {chart: app, sourceRef: {kind: HelmRepository, name: charts}}}}\n", i, i%40)
	}
	dir := t.TempDir()
	for file, text := range map[string]string{
		"apps/releases.yaml":            releases.String(),
		"clusters/production/apps.yaml": applied,
		"clusters/staging/apps.yaml":    applied,
	} {
		file = filepath.Join(dir, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const applied = `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1m, url: https://example.com/fleet}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {interval: 10m, path: ./apps, prune: true, sourceRef: {kind: GitRepository, name: flux-system}}
`
