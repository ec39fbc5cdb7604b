package rules

import "fmt"

// FixConfig says how findings are repaired.
type FixConfig struct {
	// Prefer is the class that a repair leads to where both are possible: retry
	// (RetryOnFailure on both halves) or bounded (a bounded number of retries,
	// with rollback). Default: retry, but where one of install and upgrade recovers,
	// the other one gets what that has. Charts that hold data, which are
	// law.statefulCharts, always retry.
	Prefer Class `json:"prefer,omitempty" jsonschema:"enum=retry,enum=bounded"`
}

func (f FixConfig) validate() error {
	switch f.Prefer {
	case "", ClassRetry, ClassBounded:
		return nil
	}
	return fmt.Errorf("prefer is %q: want retry or bounded", f.Prefer)
}
