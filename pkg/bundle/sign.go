package bundle

import (
	"crypto"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"github.com/lestrrat-go/jwx/v3/jwa"
	"github.com/lestrrat-go/jwx/v3/jws"

	"github.com/open-policy-agent/opa/v1/bundle"
	"github.com/open-policy-agent/opa/v1/util"
)

// Signature is what a signature says.
type Signature struct {
	// KeyID names the key, if it was signed with a name.
	KeyID string
	// Algorithm is that of JSON Web Signatures.
	Algorithm string
	// Until is when it ends, or the certificate of its key does; zero if they do not.
	Until time.Time
}

// header is that of a JSON Web Token.
type header struct {
	Algorithm string `json:"alg"`
	KeyID     string `json:"kid,omitempty"`
}

// claims are what OPA signs, and when that ends, which OPA does not look at.
type claims struct {
	Files []bundle.FileInfo `json:"files"`
	KeyID string            `json:"keyid"`
	Until int64             `json:"exp,omitempty"`
	From  int64             `json:"nbf,omitempty"`
}

// DefaultKeyID names a key for OPA, which wants a name.
const DefaultKeyID = "default"

// Sign signs all files. The signature ends at a time, unless that is zero. The same key, RSA
// or Ed25519, always makes the same signature.
func (b *Bundle) Sign(signer crypto.Signer, keyID string, until time.Time) error {
	delete(b.files, signaturesFile)
	algs, err := algorithms(signer.Public())
	if err != nil {
		return err
	}
	hashes, err := hashes(b.files)
	if err != nil {
		return err
	}
	of := claims{Files: hashes, KeyID: keyID}
	if !until.IsZero() {
		of.Until = until.Unix()
	}
	token, err := token(of, signer, algs[0])
	if err != nil {
		return err
	}
	b.Signature = &Signature{KeyID: keyID, Algorithm: algs[0], Until: until}
	b.files[signaturesFile], err = json.MarshalIndent(bundle.SignaturesConfig{Signatures: []string{string(token)}}, "", "  ")
	return err
}

// token returns the JSON Web Token of claims.
func token(of claims, signer crypto.Signer, algorithm string) ([]byte, error) {
	alg, ok := jwa.LookupSignatureAlgorithm(algorithm)
	if !ok {
		return nil, errNoAlgorithm
	}
	head := jws.NewHeaders()
	if err := errors.Join(head.Set(jws.TypeKey, "JWT"), head.Set(jws.KeyIDKey, of.KeyID)); err != nil {
		return nil, err
	}
	return jws.Sign(asJSON(of), jws.WithKey(alg, signer, jws.WithProtectedHeaders(head)))
}

// hashes returns the files as OPA hashes them, sorted by name.
func hashes(files contents) ([]bundle.FileInfo, error) {
	hasher, err := bundle.NewSignatureHasher(bundle.SHA256)
	if err != nil {
		return nil, err
	}
	var out []bundle.FileInfo
	for _, name := range files.names() {
		var value any = files[name]
		if bundle.IsStructuredDoc(name) {
			if err := util.Unmarshal(files[name], &value); err != nil {
				return nil, err
			}
		}
		sum, err := hasher.HashFile(value)
		if err != nil {
			return nil, err
		}
		out = append(out, bundle.NewFile(name, hex.EncodeToString(sum), string(bundle.SHA256)))
	}
	return out, nil
}
