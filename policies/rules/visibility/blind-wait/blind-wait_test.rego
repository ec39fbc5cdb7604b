package rules["visibility"]["blind-wait_test"]
