package bundle

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	_ "crypto/sha512" // of P-384 and P-521
	"encoding/asn1"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"time"

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
	Type      string `json:"typ,omitempty"`
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
	payload := encode(header{algs[0], "JWT", keyID}) + "." + encode(of)
	signature, err := sign(signer, algs[0], []byte(payload))
	if err != nil {
		return err
	}
	b.Signature = &Signature{KeyID: keyID, Algorithm: algs[0], Until: until}
	token := payload + "." + base64.RawURLEncoding.EncodeToString(signature)
	b.files[signaturesFile], err = json.MarshalIndent(bundle.SignaturesConfig{Signatures: []string{token}}, "", "  ")
	return err
}

func encode(part any) string { return base64.RawURLEncoding.EncodeToString(asJSON(part)) }

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

// digests are those of the algorithms that are signed with.
var digests = map[string]crypto.Hash{"RS256": crypto.SHA256, "ES256": crypto.SHA256, "ES384": crypto.SHA384, "ES512": crypto.SHA512}

// sign returns a signature as JSON Web Signatures have it. Without randomness, ECDSA is
// deterministic (RFC 6979), and the others are by themselves.
func sign(signer crypto.Signer, alg string, payload []byte) ([]byte, error) {
	digest := digests[alg]
	message := payload
	if digest != 0 {
		h := digest.New()
		h.Write(payload)
		message = h.Sum(nil)
	}
	switch public := signer.Public().(type) {
	case ed25519.PublicKey, *rsa.PublicKey:
		return signer.Sign(nil, message, digest)
	case *ecdsa.PublicKey:
		raw, err := signer.Sign(nil, message, digest)
		if err != nil {
			return nil, err
		}
		return fixed(raw, (public.Curve.Params().BitSize+7)/8)
	}
	return nil, errNoAlgorithm
}

// fixed returns the two numbers of an ECDSA signature side by side.
func fixed(raw []byte, size int) ([]byte, error) {
	var pair struct{ R, S *big.Int }
	if _, err := asn1.Unmarshal(raw, &pair); err != nil {
		return nil, err
	}
	out := make([]byte, 2*size)
	pair.R.FillBytes(out[:size])
	pair.S.FillBytes(out[size:])
	return out, nil
}
