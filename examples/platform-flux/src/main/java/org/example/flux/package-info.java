/** A platform of a third party: see docs/platform-spi.md of Muster. */
package org.example.flux;
