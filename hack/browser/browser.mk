AXE := bin/npm/node_modules/axe-core/axe.min.js

# axe-core in the version of package-lock.json, whose checksum npm compares.
$(AXE): hack/browser/package-lock.json
	@command -v npm >/dev/null || { echo "test-browser needs npm, which gets axe-core"; exit 1; }
	@mkdir -p bin/npm
	@cp hack/browser/package.json hack/browser/package-lock.json hack/browser/.npmrc bin/npm/
	npm ci --prefix bin/npm --ignore-scripts --no-audit --no-fund
	@touch $@

.PHONY: test-browser
test-browser: build $(AXE) ## Test the pages in Chromium, with axe-core (needs npm, and chromium or google-chrome on the PATH; SHOTS=DIR keeps screenshots)
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
		{ echo "test-browser needs Chromium: install the package chromium, or google-chrome"; exit 1; }
	go -C hack test -tags browser -count=1 -timeout 15m ./browser -root $(CURDIR) -axe $(CURDIR)/$(AXE) $(if $(SHOTS),-shots $(abspath $(SHOTS)))
