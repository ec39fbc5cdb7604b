package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"flag"
	"fmt"
	"math/big"
	"os"
	"time"
)

// openssl stands in for the program of that name in scripts and pages: it makes keys of
// Ed25519, their public halves, and certificates.
//
//	openssl genpkey -algorithm ed25519 -out key.pem
//	openssl pkey -in key.pem -pubout -out key.pub
//	openssl req -new -x509 -key key.pem -subj /CN=policies -days 30 -out key.crt
func openssl() {
	if err := openSSL(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "openssl:", err)
		os.Exit(1)
	}
}

func openSSL(args []string) error {
	flags := flag.NewFlagSet("openssl", flag.ContinueOnError)
	out, in, key, days := flags.String("out", "", ""), flags.String("in", "", ""), flags.String("key", "", ""), flags.Int("days", 30, "")
	for _, name := range []string{"new", "x509", "pubout"} {
		flags.Bool(name, false, "")
	}
	flags.String("subj", "", "")
	flags.String("algorithm", "", "")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	kind, der, err := "PRIVATE KEY", []byte(nil), error(nil)
	switch args[0] {
	case "genpkey":
		_, private, _ := ed25519.GenerateKey(rand.Reader)
		der, err = x509.MarshalPKCS8PrivateKey(private)
	case "pkey":
		kind = "PUBLIC KEY"
		der, err = public(*in)
	case "req":
		kind = "CERTIFICATE"
		der, err = selfSigned(*key, *days)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(*out, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}

func private(file string) (ed25519.PrivateKey, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(data)
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	return key.(ed25519.PrivateKey), nil
}

func public(file string) ([]byte, error) {
	key, err := private(file)
	if err != nil {
		return nil, err
	}
	return x509.MarshalPKIXPublicKey(key.Public())
}

// selfSigned makes a certificate; with less than no days it has expired.
func selfSigned(file string, days int) ([]byte, error) {
	key, err := private(file)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: now.AddDate(-1, 0, 0), NotAfter: now.AddDate(0, 0, days)}
	return x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
}
