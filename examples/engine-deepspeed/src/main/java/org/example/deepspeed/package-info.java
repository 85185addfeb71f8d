/** An engine of a third party: see docs/engine-spi.md of Muster. */
package org.example.deepspeed;
