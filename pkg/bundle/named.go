package bundle

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// ReadKeys reads public keys and certificates from files, or from the environment for what
// begins with "env:".
func ReadKeys(named []string) (keys Keys, err error) {
	for _, name := range named {
		data, err := Secret(name)
		if err != nil {
			return nil, fmt.Errorf("verify key %s: %w", name, err)
		}
		more, err := ParseKeys(data)
		if err != nil {
			return nil, fmt.Errorf("verify key %s: %w", name, err)
		}
		keys = append(keys, more...)
	}
	return keys, nil
}

// Secret reads a file or, for what begins with "env:", a variable of the environment.
func Secret(name string) ([]byte, error) {
	variable, ok := strings.CutPrefix(name, "env:")
	if !ok {
		data, err := os.ReadFile(name)
		if err != nil {
			err = shorter(err)
		}
		return data, err
	}
	value := os.Getenv(variable)
	if value == "" {
		return nil, errors.New("the variable is not set, or empty")
	}
	return []byte(value), nil
}
