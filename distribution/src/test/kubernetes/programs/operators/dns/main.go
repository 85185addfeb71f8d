// CoreDNS with the plugins that pods need, and no more: its own main links every cloud's client.
package main

import (
	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/coremain"

	_ "github.com/coredns/coredns/plugin/bind"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/kubernetes"
	_ "github.com/coredns/coredns/plugin/template"
)

// The order in which the plugins see a query.
func init() {
	dnsserver.Directives = []string{"bind", "errors", "kubernetes", "template"}
}

func main() {
	coremain.Run()
}
