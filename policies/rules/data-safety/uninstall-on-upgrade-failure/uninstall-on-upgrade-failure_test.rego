package rules["data-safety"]["uninstall-on-upgrade-failure_test"]
