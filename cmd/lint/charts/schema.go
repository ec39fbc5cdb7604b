package main

import (
	"bytes"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
	chart "helm.sh/helm/v4/pkg/chart/v2"
)

// closed returns an error if the schema of a chart's values, or of those of a chart in it, refers to what is not in
// it: Helm would read that from the disk or fetch it while it validates.
func closed(c *chart.Chart) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the schema of the values of %s cannot be read: %v", c.Name(), r)
		}
	}()
	if c.Schema != nil {
		compiler := jsonschema.NewCompiler()
		compiler.UseLoader(nowhere{})
		schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(c.Schema))
		if err == nil {
			err = compiler.AddResource(schemaFile, schema)
		}
		if err == nil {
			_, err = compiler.Compile(schemaFile)
		}
		if err != nil {
			return fmt.Errorf("the schema of the values of %s cannot be read: %w", c.Name(), err)
		}
	}
	for _, d := range c.Dependencies() {
		if err := closed(d); err != nil {
			return err
		}
	}
	return nil
}

// schemaFile is what Helm calls the schema of a chart.
const schemaFile = "file:///values.schema.json"

// nowhere is where other schemas are.
type nowhere struct{}

// Load finds nothing.
func (nowhere) Load(url string) (any, error) {
	return nil, fmt.Errorf("it refers to %s, which is not in the chart, and nothing is fetched", url)
}
