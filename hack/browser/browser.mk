.PHONY: test-browser
test-browser: build ## Test the html report in Chromium (needs chromium or google-chrome on the PATH; SHOTS=DIR keeps screenshots)
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
		{ echo "test-browser needs Chromium: install the package chromium, or google-chrome"; exit 1; }
	go -C hack test -tags browser -count=1 -timeout 15m ./browser -root $(CURDIR) $(if $(SHOTS),-shots $(abspath $(SHOTS)))
