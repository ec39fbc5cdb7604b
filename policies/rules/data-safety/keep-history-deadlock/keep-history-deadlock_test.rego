package rules["data-safety"]["keep-history-deadlock_test"]
