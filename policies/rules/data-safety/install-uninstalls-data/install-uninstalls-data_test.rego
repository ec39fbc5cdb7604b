package rules["data-safety"]["install-uninstalls-data_test"]
