package bundle

import (
	"bytes"
	"crypto"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
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

// strong are the hashes that are believed.
var strong = []string{string(bundle.SHA256), string(bundle.SHA384), string(bundle.SHA512)}

// verify returns the signature of files that one of the keys has made; nil if there are no
// keys. Each file must be signed, and each that is signed be there.
func (keys Keys) verify(files contents, now time.Time) (*Signature, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	data, ok := files[signaturesFile]
	if !ok {
		return nil, errors.New("it is not signed, and a key is given to verify it")
	}
	var signed bundle.SignaturesConfig
	if err := json.Unmarshal(data, &signed); err != nil || len(signed.Signatures) != 1 || signed.Plugin != "" {
		return nil, fmt.Errorf("%s: want one signature of OPA's own kind", signaturesFile)
	}
	token := signed.Signatures[0]
	head, of, err := parse(token)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", signaturesFile, err)
	}
	by, hashes, err := keys.believe(token, head, now)
	if err != nil {
		return nil, err
	}
	if err := checkFiles(files, hashes); err != nil {
		return nil, err
	}
	out := &Signature{KeyID: head.KeyID, Algorithm: head.Algorithm, Until: by.until}
	if of.From != 0 && now.Before(time.Unix(of.From, 0)) {
		return nil, fmt.Errorf("its signature is not valid before %s", day(time.Unix(of.From, 0)))
	}
	if of.Until != 0 {
		until := time.Unix(of.Until, 0)
		if !now.Before(until) {
			return nil, fmt.Errorf("its signature has expired on %s: sign it anew", day(until))
		}
		if out.Until.IsZero() || until.Before(out.Until) {
			out.Until = until
		}
	}
	return out, nil
}

// parse reads a token. Nothing in it is believed yet.
func parse(token string) (head header, of claims, err error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return head, of, errors.New("no JSON Web Token")
	}
	return head, of, errors.Join(decode(parts[0], &head), decode(parts[1], &of))
}

func decode(part string, into any) error {
	raw, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// believe has OPA verify a token with the first key that can, and returns that and the files
// that the token names. The key says which algorithms there are, never the token.
func (keys Keys) believe(token string, head header, now time.Time) (key, map[string]bundle.FileInfo, error) {
	var errs []error
	for _, k := range keys {
		if err := k.usable(head.Algorithm, now); err != nil {
			errs = append(errs, err)
			continue
		}
		const id = "given"
		hashes, err := bundle.VerifyBundleSignature(bundle.SignaturesConfig{Signatures: []string{token}}, &bundle.VerificationConfig{
			PublicKeys: map[string]*bundle.KeyConfig{id: {Key: k.pem, Algorithm: head.Algorithm}}, KeyID: id,
		})
		if err == nil {
			return k, hashes, nil
		}
		errs = append(errs, errors.New("its signature is not of this key"))
	}
	if len(keys) == 1 {
		return key{}, nil, errs[0]
	}
	return key{}, nil, fmt.Errorf("none of %d keys verifies it: %w", len(keys), errors.Join(unique(errs)...))
}

func unique(errs []error) []error {
	return slices.CompactFunc(errs, func(a, b error) bool { return a.Error() == b.Error() })
}

// checkFiles compares files with what was signed.
func checkFiles(files contents, hashes map[string]bundle.FileInfo) error {
	for _, name := range files.names() {
		if name == signaturesFile {
			continue
		}
		if of, ok := hashes[name]; ok && !slices.Contains(strong, of.Algorithm) {
			return fmt.Errorf("%s is signed by its %s: want SHA-256", name, of.Algorithm)
		} else if !ok {
			return fmt.Errorf("%s is not signed: it was added", name)
		}
		if err := bundle.VerifyBundleFile(name, *bytes.NewBuffer(files[name]), hashes); err != nil {
			return fmt.Errorf("%s was changed after it was signed", name)
		}
	}
	for name := range hashes {
		return fmt.Errorf("%s is signed and not there", name)
	}
	return nil
}
