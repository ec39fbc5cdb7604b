package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"

	admissionv1 "k8s.io/api/admission/v1"
)

// forgetful returns a handler like another one that remembers no answers.
func forgetful(h *handler) *handler {
	out, p := *h, *h.ruleset()
	p.answers = nil
	out.ruleset = func() *ruleset { return &p }
	return &out
}

// remembered returns how many answers a handler remembers.
func remembered(h *handler) int { return len(h.ruleset().answers.of) }

// stamped returns a review as the API server sends it: with a uid of its own, and objects
// that it has given one.
func stamped(t testing.TB, review *admissionv1.AdmissionReview, number int) []byte {
	t.Helper()
	text, err := json.Marshal(review)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte(`"metadata":{`), fmt.Appendf(nil, `"metadata":{"uid":"object-%d","resourceVersion":"%d","creationTimestamp":"2026-01-01T00:00:%02dZ",`, number, number, number%60))
	return bytes.Replace(text, fmt.Appendf(nil, `"uid":%q`, review.Request.UID), fmt.Appendf(nil, `"uid":"request-%d"`, number), 1)
}

func TestAnswers(t *testing.T) {
	h := newHandler(t)
	other := forgetful(h)
	n := 0
	for _, review := range []*admissionv1.AdmissionReview{
		request(helmRelease("good", retried), nil), request(helmRelease("bad", bad), nil),
		request(helmRelease("worse", bad), helmRelease("worse", retried)), request(helmRelease("bad", bad), helmRelease("bad", strings.Replace(bad, "{", "{timeout: 7m, ", 1))),
		request(helmRelease("touched", retried), helmRelease("touched", retried)),
	} {
		before, first := remembered(h), 0
		for i := range 3 {
			n++
			body := stamped(t, review, n)
			code, got := post(h, body)
			wantCode, want := post(other, body)
			if code != wantCode || !bytes.Equal(got, want) {
				t.Errorf("answered %d %s, want %d %s", code, got, wantCode, want)
			}
			if !bytes.Contains(got, fmt.Appendf(nil, `"uid":"request-%d"`, n)) {
				t.Errorf("not an answer to request %d: %s", n, got)
			}
			if i == 0 {
				first = remembered(h)
			}
		}
		// One that depends on a name, as whether the chart holds data, takes a second entry that says so.
		if first != before+1 && first != before+2 || remembered(h) != first {
			t.Errorf("%s: remembers %d more, then %d, want one or two, then none", review.Request.Object.Raw, first-before, remembered(h)-first)
		}
	}
}

// TestAnswersDepend holds that an answer is given again to the same question only.
func TestAnswersDepend(t *testing.T) {
	h := newHandler(t)
	now := day
	h.now = func() time.Time { return now }
	allowed := func(body []byte) bool {
		code, text := post(h, body)
		if code != http.StatusOK {
			t.Fatalf("%d %s", code, text)
		}
		return bytes.Contains(text, []byte(`"allowed":true`))
	}
	waived := helmRelease("waived", bad)
	waived.SetAnnotations(map[string]string{rules.WaiverAnnotation + "no-recovery": day.Format(time.DateOnly) + " until the night"})
	review := request(waived, nil)
	if !allowed(stamped(t, review, 1)) || !allowed(stamped(t, review, 2)) {
		t.Error("denied on the last day of its waiver")
	}
	now = now.AddDate(0, 0, 1)
	if allowed(stamped(t, review, 3)) {
		t.Error("allowed after the last day of its waiver")
	}
	strict, lenient := *h, *h
	strict.path, lenient.path = "/validate/production", "/validate/development"
	lenient.evidence = func(*ruleset, string) release.Evidence { return release.Evidence{Configured: release.Development} }
	body := stamped(t, request(helmRelease("bad", bad), nil), 4)
	for range 2 {
		_, denied := post(&strict, body)
		_, admitted := post(&lenient, body)
		if bytes.Contains(denied, []byte(`"allowed":true`)) || !bytes.Contains(admitted, []byte(`"allowed":true`)) {
			t.Errorf("production answers %s, development %s", denied, admitted)
		}
	}
}

// TestAnswersOfOwnRules holds that rules of a user see all of an object.
func TestAnswersOfOwnRules(t *testing.T) {
	own := ownRule("first", "", `{
	some key, value in input.object.metadata
	key == "uid"
	value == "object-1"
}`)
	engine, err := rules.New(t.Context(), policies.FS, fstest.MapFS{"visibility/first/first.rego": {Data: []byte(own)}})
	if err != nil {
		t.Fatal(err)
	}
	h := newHandler(t)
	p := *h.ruleset()
	p.engine, p.answers = engine, &answers{engine: engine}
	h.ruleset = func() *ruleset { return &p }
	for range 2 {
		for number, want := range map[int]bool{1: true, 2: false} {
			_, text := post(h, stamped(t, request(helmRelease("app", retried), nil), number))
			if got := bytes.Contains(text, []byte("a name is wanted")); got != want {
				t.Errorf("object %d: %s", number, text)
			}
		}
	}
}

func TestAnswersEnd(t *testing.T) {
	h := newHandler(t)
	text := strings.Repeat("x", small/2)
	for i := range 2 * maxAnswers / small {
		object := helmRelease("app", retried)
		object.SetLabels(map[string]string{"a": text})
		post(h, stamped(t, request(object, helmRelease(fmt.Sprint("app", i), retried)), i))
		if size := h.ruleset().answers.size; size > maxAnswers {
			t.Fatalf("%d bytes are remembered", size)
		}
	}
	if n := remembered(h); n == 0 || n > maxAnswers/(small/2) {
		t.Errorf("%d are remembered", n)
	}
}

// FuzzAnswers holds a handler to one that remembers nothing: each body has the same answer
// from both, when it is new and when it is known.
func FuzzAnswers(f *testing.F) {
	for _, review := range seeds(f) {
		f.Add(review)
	}
	plain := string(stamped(f, request(helmRelease("app", bad), helmRelease("app", retried)), 1))
	f.Add([]byte(plain))
	for _, odd := range []string{
		`"uid":"a","UID":"a"`, `"uid":"a","UID":"b"`, `"UID":"a","uid":"b"`, `"uid":"a","uid":"b"`, `"uid":"a","uid":null`, `"u\u0069d":"a"`, `"uid":"a\u0062"`,
		`"uid":"a<b"`, `"uid":""`, `"uid":5`, "\"uid\":\"\xff\"", `"uid":null,"uId":"a"`, `"uid":"a","object":{"metadata":{"uid":1e999}}`,
	} {
		f.Add([]byte(strings.Replace(plain, `"uid":"request-1"`, odd, 1)))
	}
	for _, odd := range []string{`"REQUEST":{"uid":"request-1"},"request":`, `"request":{"uid":"request-1"},"Request":`, `"request":null,"REQUEST":`, `"request":{"uid":"c"},"request":`, "\"reque\u017ft\":{\"uid\":\"a\"},\"request\":"} {
		f.Add([]byte(strings.Replace(plain, `"request":`, odd, 1)))
	}
	for _, odd := range []string{`"metadata":{"uid":1e999,`, `"METADATA":{"uid":"x"},"metadata":{`, `"metadata":{"uid":"x"},"metadata":{"uid":null,`, `"metadata":{"uid":{"uid":"x"},`} {
		f.Add([]byte(strings.Replace(plain, `"metadata":{`, odd, 1)))
	}
	h := newHandler(f)
	other := forgetful(h)
	f.Fuzz(func(t *testing.T, body []byte) {
		wantCode, want := post(other, body)
		for range 2 {
			if code, got := post(h, body); code != wantCode || !bytes.Equal(got, want) {
				t.Fatalf("%s\nanswered %d %s\nwant %d %s", body, code, got, wantCode, want)
			}
		}
		// What the API server sets is not what a fuzzer finds by itself.
		for _, name := range []string{"uid", "resourceVersion", "creationTimestamp"} {
			for _, times := range []int{1, -1} {
				changed := bytes.Replace(body, []byte(`"`+name+`":"`), []byte(`"`+name+`":"0`), times)
				wantCode, want := post(other, changed)
				if code, got := post(h, changed); code != wantCode || !bytes.Equal(got, want) {
					t.Fatalf("%s\nanswered %d %s\nwant %d %s", changed, code, got, wantCode, want)
				}
			}
		}
	})
}

// TestAnswersKeep holds that nothing of any length is kept that does not count.
func TestAnswersKeep(t *testing.T) {
	h := newHandler(t)
	waived := helmRelease("waived", bad)
	waived.SetAnnotations(map[string]string{rules.WaiverAnnotation + "no-recovery": "2999-01-01 reason"})
	review := request(waived, nil)
	review.Request.UserInfo.Groups = []string{"group"}
	post(h, stamped(t, review, 1))
	for _, known := range h.ruleset().answers.of {
		if known.answer == nil {
			continue
		}
		d := known.answer.decision
		if known.request.UserInfo.Groups != nil || len(d.waived) != 1 || d.waived[0].Waiver != nil || d.expired != nil || d.lapsed != nil {
			t.Errorf("kept: %+v of %+v", d, known.request)
		}
	}
}
