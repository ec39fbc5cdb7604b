package rules.api["unknown-field_test"]
