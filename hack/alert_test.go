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
	sameFields(t, "Alert", reflect.TypeOf(alertFields), reflect.TypeFor[alertv1.AlertSpec]())
	sameFields(t, "Provider", reflect.TypeOf(providerFields), reflect.TypeFor[alertv1.ProviderSpec]())
	if want := alertv1.GroupVersion.Group; alert.Group != want {
		t.Errorf("group %s, want %s", alert.Group, want)
	}
}

// sameFields checks that each field of a type is one of the API, with the same name in
// JSON and the same kind.
func sameFields(t *testing.T, at string, own, api reflect.Type) {
	t.Helper()
	if own.Kind() != api.Kind() {
		t.Errorf("%s is a %s, and in the API a %s", at, own.Kind(), api.Kind())
		return
	}
	switch own.Kind() {
	case reflect.Slice, reflect.Map:
		sameFields(t, at, own.Elem(), api.Elem())
	case reflect.Struct:
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
			sameFields(t, at+"."+name, own.Field(i).Type, api.Field(j).Type)
		}
	}
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
