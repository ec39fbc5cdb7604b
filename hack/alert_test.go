package hack

import (
	"reflect"
	"strings"
	"testing"

	alertv1 "github.com/fluxcd/notification-controller/api/v1beta3"

	"github.com/flux-remedy/remedy/pkg/alert"
)

// TestAlertFields holds the fields that are read of Alerts and Providers to the types of
// notification-controller, which the programs do not link.
func TestAlertFields(t *testing.T) {
	alertFields, providerFields := alert.Specs()
	api := map[string]bool{}
	sameFields(t, "Alert", reflect.TypeOf(alertFields), reflect.TypeFor[alertv1.AlertSpec](), api)
	sameFields(t, "Provider", reflect.TypeOf(providerFields), reflect.TypeFor[alertv1.ProviderSpec](), api)
	for field, read := range api {
		if why, known := undecisive[field]; read == known {
			t.Errorf("%s of the API is read: %v; and decides nothing, since %q", field, read, why)
		}
	}
	for field := range undecisive {
		if _, ok := api[field]; !ok {
			t.Errorf("the API has no field %s", field)
		}
	}
	if want := alertv1.GroupVersion.Group; alert.Group != want {
		t.Errorf("group %s, want %s", alert.Group, want)
	}
}

// undecisive are the fields that do not decide whether somebody is told, and why.
var undecisive = map[string]string{
	"Alert.eventSeverity":           "failures are of severity error, which both of its values let through",
	"Alert.summary":                 "it is a text in the message",
	"Alert.eventSources.apiVersion": "sources are compared by kind, namespace, name and labels",
	"Provider.interval":             "it is deprecated, and not used",
	"Provider.username":             "it is the sender",
	"Provider.timeout":              "it is how long one message may take",
	"Provider.proxy":                "the way of a message; whether it arrives is not known",
	"Provider.proxySecretRef":       "the way of a message; whether it arrives is not known",
	"Provider.secretRef":            "what Secrets hold is not known",
	"Provider.serviceAccountName":   "what an account may do is not known",
	"Provider.certSecretRef":        "what Secrets hold is not known",
}

// sameFields checks that each field of a type is one of the API, with the same name in
// JSON and the same kind, and notes for each field of the API whether it is read.
func sameFields(t *testing.T, at string, own, api reflect.Type, read map[string]bool) {
	t.Helper()
	if own.Kind() != api.Kind() {
		t.Errorf("%s is a %s, and in the API a %s", at, own.Kind(), api.Kind())
		return
	}
	switch own.Kind() {
	case reflect.Slice, reflect.Map:
		sameFields(t, at, own.Elem(), api.Elem(), read)
	case reflect.Struct:
		for i := range api.NumField() {
			read[at+"."+jsonName(api.Field(i))] = false
		}
		for i := range own.NumField() {
			name := jsonName(own.Field(i))
			j := 0
			for j < api.NumField() && jsonName(api.Field(j)) != name {
				j++
			}
			if j == api.NumField() {
				t.Errorf("%s has no field %s in the API", at, name)
				continue
			}
			read[at+"."+name] = true
			sameFields(t, at+"."+name, own.Field(i).Type, api.Field(j).Type, read)
		}
	}
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
