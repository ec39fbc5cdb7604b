package admission

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/flux-remedy/remedy/cmd/webhook/internal/admission/admissiontest"
	"github.com/flux-remedy/remedy/internal/slim"
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

// plain returns a review of an update as the API server writes it.
func plain(t testing.TB) []byte {
	t.Helper()
	review := admissiontest.Request(admissiontest.HelmRelease("app", admissiontest.Bad), admissiontest.HelmRelease("app", admissiontest.Retried))
	for _, object := range []*runtime.RawExtension{&review.Request.Object, &review.Request.OldObject} {
		object.Raw = bytes.Replace(object.Raw, []byte(`"metadata":{`), []byte(`"metadata":{"uid":"a","managedFields":[{"manager":"flux"}],`), 1)
	}
	text, err := json.Marshal(review)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// oddities returns reviews that are written as no API server does.
func oddities(t testing.TB) [][]byte {
	t.Helper()
	plain := plain(t)
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
	left, err := slim.Read(bytes.NewReader(text), Unread, slim.Limits{Bytes: 8 << 20, Values: 100_000, Above: 8 << 20})
	if err != nil {
		return false
	}
	got, sure := decodeSure(left.Text)
	var want envelope
	err = json.Unmarshal(left.Text, &want)
	if sure && (err != nil || !reflect.DeepEqual(got, want)) {
		t.Fatalf("%s\ngot %+v\nwant %+v, %v", left.Text, got, want, err)
	}
	return sure
}

// TestDecode holds that what is written twice, in other letters or as no API server does
// is read as encoding/json does, and that what an API server writes needs no second decoder.
func TestDecode(t *testing.T) {
	for _, text := range oddities(t) {
		sameReview(t, text)
	}
	if !sameReview(t, plain(t)) {
		t.Error("not sure of a plain review")
	}
}

// FuzzDecode holds the decoder to encoding/json wherever it is sure.
func FuzzDecode(f *testing.F) {
	for _, text := range append(oddities(f), plain(f)) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) { sameReview(t, text) })
}
