package admission

import (
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/flux-remedy/remedy/internal/slim"
)

// envelope is what is read of an AdmissionReview.
type envelope struct {
	APIVersion, Kind string
	Request          *Review
}

// The fields of an envelope, of a review and of its user, as decodeSure knows them.
var (
	envelopeFields = []string{"apiVersion", "kind", "request"}
	reviewFields   = []string{"uid", "operation", "subResource", "namespace", "name", "dryRun", "userInfo", "object", "oldObject"}
	userFields     = []string{"username", "groups"}
)

// decodeSure reads what [json.Unmarshal] would, and reports whether that is certain. It is
// for reviews as the API server writes them.
func decodeSure(text []byte) (in envelope, ok bool) {
	d := slim.NewDecoder(text)
	d.Fields(envelopeFields, func(name int) {
		switch envelopeFields[name] {
		case "apiVersion":
			in.APIVersion = d.Text()
		case "kind":
			in.Kind = d.Text()
		case "request":
			in.Request = &Review{}
			in.Request.decodeSure(d)
		}
	})
	return in, d.Sure()
}

func (r *Review) decodeSure(d *slim.Decoder) {
	d.Fields(reviewFields, func(name int) {
		switch reviewFields[name] {
		case "uid":
			r.UID = types.UID(d.Text())
		case "operation":
			r.Operation = admissionv1.Operation(d.Text())
		case "subResource":
			r.SubResource = d.Text()
		case "namespace":
			r.Namespace = d.Text()
		case "name":
			r.Name = d.Text()
		case "dryRun":
			r.DryRun = d.Bool()
		case "userInfo":
			d.Fields(userFields, func(name int) {
				switch userFields[name] {
				case "username":
					r.UserInfo.Username = d.Text()
				case "groups":
					r.UserInfo.Groups = d.Texts()
				}
			})
		case "object":
			r.Object = d.Object()
		case "oldObject":
			r.Old = d.Object()
		}
	})
}
