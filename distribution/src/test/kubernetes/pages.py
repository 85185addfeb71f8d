"""Lets the API server check every manifest of the pages: pages.py PAGE...

A manifest is a block of YAML that names an apiVersion. Nothing is created; webhooks see it as if it were.
"""

import pathlib
import re
import subprocess
import sys

failed = checked = 0
for page in map(pathlib.Path, sys.argv[1:]):
    for block in re.findall(r"^```yaml\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL):
        if not re.search(r"^apiVersion:", block, re.MULTILINE):
            continue
        for namespace in re.findall(r"^  namespace: (\S+)", block, re.MULTILINE):
            subprocess.run(("kubectl", "create", "namespace", namespace), capture_output=True)
        command = ("kubectl", "apply", "--dry-run=server", "--validate=strict", "-f", "-")
        result = subprocess.run(command, input=block, capture_output=True, text=True)
        checked += 1
        failed += result.returncode != 0
        for line in (result.stdout + result.stderr).splitlines():
            print(f"{page.name}: {line}", flush=True)
print(f"{checked} manifests, {failed} refused")
sys.exit(1 if failed or not checked else 0)
