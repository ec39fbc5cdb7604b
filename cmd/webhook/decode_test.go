package main

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// odd are reviews that say something in two ways, or in a way that no API server does. Each
// takes one text of a plain review for another.
var odd = [][2]string{
	{`"request":`, `"REQUEST":{"operation":"DELETE"},"request":`},
	{`"request":`, `"request":{"operation":"DELETE"},"request":`},
	{`"request":`, `"request":null,"Request":`},
	{`"request":`, `"r\u0065quest":`},
	{`"request":`, "\"reque\u017ft\":"},
	{`"kind":"AdmissionReview"`, `"kind":"AdmissionReview","Kind":"Pod"`},
	{`"kind":"AdmissionReview"`, `"KIND":"AdmissionReview"`},
	{`"kind":"AdmissionReview"`, `"kind":null`},
	{`"operation":"UPDATE"`, `"operation":"UPDATE","Operation":"DELETE"`},
	{`"operation":"UPDATE"`, `"operation":"DELETE","operation":"UPDATE"`},
	{`"operation":"UPDATE"`, `"operation":"DELETE"`},
	{`"operation":"UPDATE"`, `"operation":"UPDATE","subResource":"status"`},
	{`"operation":"UPDATE"`, `"operation":"UPDATE","subresource":"status"`},
	{`"operation":"UPDATE"`, `"operation":"UPDATE","dryRun":null`},
	{`"operation":"UPDATE"`, `"operation":"UPDATE","dryRun":"true"`},
	{`"userInfo":{`, `"userInfo":{"username":"a","Username":"b","groups":["a",null],`},
	{`"userInfo":{`, `"userInfo":null,"USERINFO":{`},
	{`"userInfo":{`, `"userInfo":{"groups":{},`},
	{`"object":{`, `"object":{"spec":{"install":{"remediation":{"retries":3}}}},"object":{`},
	{`"object":{`, `"object":null,"oldObject":{},"object":{`},
	{`"object":{`, `"OBJECT":{"kind":"HelmRelease"},"object":{`},
	{`"object":{`, `"object":[],"object":{`},
	{`"oldObject":{`, `"oldObject":{"a":1},"OldObject":{`},
	{`"oldObject":{`, `"oldObject":null,"x":{`},
	{`"oldObject":{`, `"oldObject":{"kind":"Pod","a":`},
	{`"spec":{`, `"sp\u0065c":{`},
	{`"spec":{`, `"Spec":{"suspend":true},"spec":{`},
	{`"spec":{`, `"spec":{"suspend":true},"spec":{`},
	{`"spec":{`, `"spec":{},"sp\u0065c":{`},
	{`"spec":{`, `"spec":null,"SPEC":{`},
	{`"interval":"10m"`, `"interval":"10m","interval":"1s"`},
	{`"interval":"10m"`, `"Interval":"10m"`},
	{`"interval":"10m"`, `"interval":null`},
	{`"interval":"10m"`, `"interval":1e400`},
	{`"interval":"10m"`, `"interval":"10m","maxHistory":1e30`},
	{`"interval":"10m"`, `"interval":"10m","maxHistory":-0`},
	{`"interval":"10m"`, `"interval":"10m","maxHistory":5.0`},
	{`"interval":"10m"`, `"interval":"10m","maxHistory":9007199254740993`},
	{`"interval":"10m"`, `"interval":"10m","install":{"Remediation":{"retries":3}}`},
	{`"interval":"10m"`, "\"interval\":\"10m\",\"releaseName\":\"\xff\xfe\""},
	{`"interval":"10m"`, `"interval":"10m","releaseName":"\ud800"`},
	{`"interval":"10m"`, `"interval":"10\u006d"`},
	{`"interval":"10m"`, "\"interval\":\"10m\",\"install\u0000\":{}"},
	{`"interval":"10m"`, `"interval":"10m","postRenderers":` + strings.Repeat("[", 300) + strings.Repeat("]", 300)},
	{`"interval":"10m"`, `"interval":"10m","x":` + strings.Repeat(`{"a":`, 12_000) + "1" + strings.Repeat("}", 12_000)},
	{`"metadata":{`, `"metadata":null,"metadata":{`},
	{`"metadata":{`, `"Metadata":{"deletionTimestamp":"x"},"metadata":{`},
	{`"metadata":{`, `"metadata":{"deletionTimestamp":"x","deletionTimestamp":null,`},
	{`"metadata":{`, `"metadata":{"managedFields":[{"a":1,"a":2}],`},
	{`{"kind":"AdmissionReview"`, "\ufeff" + `{"kind":"AdmissionReview"`},
	{`{"kind":"AdmissionReview"`, ` 	{ "kind" : "AdmissionReview"`},
	{`{"kind":"AdmissionReview"`, `{"kind":"AdmissionReview"}{"kind":"AdmissionReview"`},
	{`{"kind":"AdmissionReview"`, `[]`},
}

// oddities returns reviews that are written as no API server does.
func oddities(t testing.TB) [][]byte {
	t.Helper()
	plain := stamped(t, request(helmRelease("app", bad), helmRelease("app", retried)), 1)
	var out [][]byte
	for _, change := range odd {
		for _, times := range []int{1, -1} {
			changed := bytes.Replace(plain, []byte(change[0]), []byte(change[1]), times)
			if bytes.Equal(changed, plain) {
				t.Fatalf("%s is not in %s", change[0], plain)
			}
			out = append(out, changed)
		}
	}
	return out
}

// sameReview fails the test unless a body is decoded as by encoding/json, and reports
// whether that was certain.
func sameReview(t testing.TB, text []byte) bool {
	t.Helper()
	left, err := newLimits(8<<20, 1).read(t.Context(), bytes.NewReader(text))
	if err != nil {
		return false
	}
	defer left.done()
	got, sure := left.decodeSure()
	var want envelope
	err = json.Unmarshal(left.Text, &want)
	if sure && (err != nil || !reflect.DeepEqual(got, want)) {
		t.Fatalf("%s\ngot %+v\nwant %+v, %v", left.Text, got, want, err)
	}
	return sure
}

// TestDecodeOdd holds that what is written twice, in other letters or as no API server does
// is read as encoding/json does, and answered as if nothing was remembered.
func TestDecodeOdd(t *testing.T) {
	h := newHandler(t)
	other := forgetful(h)
	for _, text := range oddities(t) {
		sameReview(t, text)
		wantCode, want := post(other, text)
		for range 2 {
			if code, got := post(h, text); code != wantCode || !bytes.Equal(got, want) {
				t.Errorf("%.2000s\nanswered %d %s\nwant %d %s", text, code, got, wantCode, want)
			}
		}
	}
}

// TestDecodeSure holds that reviews as an API server writes them need no second decoder.
func TestDecodeSure(t *testing.T) {
	for name, text := range reviews() {
		if !sameReview(t, text) {
			t.Errorf("%s: not sure", name)
		}
	}
}

// FuzzDecode holds the decoder to encoding/json wherever it is sure.
func FuzzDecode(f *testing.F) {
	for _, text := range append(seeds(f), oddities(f)...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) { sameReview(t, text) })
}
