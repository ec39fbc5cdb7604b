package bundle

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// key is one that verifies.
type key struct {
	pem   string
	algs  []string // that fit it
	from  time.Time
	until time.Time // zero for a key without a certificate
}

// Keys verify signatures. With none, no signature is asked for.
type Keys []key

// ParseKeys reads public keys and certificates in PEM; several may follow each other.
func ParseKeys(data []byte) (Keys, error) {
	var keys Keys
	for {
		var block *pem.Block
		if block, data = pem.Decode(data); block == nil {
			break
		}
		k, err := parseKey(block)
		if err != nil {
			return nil, err
		}
		keys = append(keys, k)
	}
	if len(keys) == 0 {
		return nil, errors.New("it holds no public key: want PEM, a PUBLIC KEY or a CERTIFICATE")
	}
	return keys, nil
}

// Fingerprints identify the keys: the SHA-256 of each, or of its certificate, in DER.
func (keys Keys) Fingerprints() []string {
	var out []string
	for _, k := range keys {
		block, _ := pem.Decode([]byte(k.pem))
		out = append(out, fmt.Sprintf("sha256:%x", sha256.Sum256(block.Bytes)))
	}
	return out
}

func parseKey(block *pem.Block) (k key, err error) {
	var public crypto.PublicKey
	switch block.Type {
	case "PUBLIC KEY":
		public, err = x509.ParsePKIXPublicKey(block.Bytes)
	case "RSA PUBLIC KEY":
		public, err = x509.ParsePKCS1PublicKey(block.Bytes)
	case "CERTIFICATE":
		var certificate *x509.Certificate
		if certificate, err = x509.ParseCertificate(block.Bytes); err == nil {
			public, k.from, k.until = certificate.PublicKey, certificate.NotBefore, certificate.NotAfter
		}
	default:
		return k, fmt.Errorf("it holds a %s: want a PUBLIC KEY or a CERTIFICATE", block.Type)
	}
	if err != nil {
		return k, fmt.Errorf("%s: %w", block.Type, err)
	}
	k.pem = string(pem.EncodeToMemory(block))
	k.algs, err = algorithms(public)
	return k, err
}

var errNoAlgorithm = errors.New("the key is of no kind that is known: want Ed25519, ECDSA on P-256, P-384 or P-521, or RSA")

// algorithms returns those of JSON Web Signatures that fit a public key, the best first. A
// shared secret is none: whoever verifies with it could sign as well.
func algorithms(public crypto.PublicKey) ([]string, error) {
	switch public := public.(type) {
	case *rsa.PublicKey:
		if bits := public.N.BitLen(); bits < 2048 {
			return nil, fmt.Errorf("the RSA key has %d bits: want 2048 or more", bits)
		}
		return []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"}, nil
	case *ecdsa.PublicKey:
		if name := public.Curve.Params().Name; curves[name] != "" {
			return []string{curves[name]}, nil
		}
	case ed25519.PublicKey:
		return []string{"EdDSA"}, nil
	}
	return nil, errNoAlgorithm
}

var curves = map[string]string{"P-256": "ES256", "P-384": "ES384", "P-521": "ES512"}

// usable returns why a key verifies no signature of an algorithm at a time.
func (k key) usable(alg string, now time.Time) error {
	switch {
	case !slices.Contains(k.algs, alg):
		return fmt.Errorf("it is signed with %q, the key takes %s", alg, strings.Join(k.algs, ", "))
	case now.Before(k.from):
		return fmt.Errorf("the certificate of the key is not valid before %s", day(k.from))
	case !k.until.IsZero() && now.After(k.until):
		return fmt.Errorf("the certificate of the key has expired on %s: verify with its successor", day(k.until))
	}
	return nil
}

func day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// ParseSigner reads a private key in PEM, without a passphrase.
func ParseSigner(data []byte) (crypto.Signer, error) {
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, errors.New("it holds no private key: want PEM")
	}
	var private any
	var err error
	switch block.Type {
	case "PRIVATE KEY":
		private, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	case "RSA PRIVATE KEY":
		private, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	case "EC PRIVATE KEY":
		private, err = x509.ParseECPrivateKey(block.Bytes)
	default:
		return nil, fmt.Errorf("it holds a %s: want a PRIVATE KEY without a passphrase", block.Type)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", block.Type, err)
	}
	signer, ok := private.(crypto.Signer)
	if !ok {
		return nil, errors.New("the key cannot sign")
	}
	_, err = algorithms(signer.Public())
	return signer, err
}
