package rules["visibility"]["blind-rollback_test"]
