#!/bin/sh
# Installs what the Slack tests talk to: a local Slack, and what draws messages as a person sees them.
# Everything goes into one cache folder outside the repository; needs node and npm. Pictures also need Chromium.
set -eu
folder="${XDG_CACHE_HOME:-$HOME/.cache}/gpu-bot-tests"
mkdir -p "$folder"
cd "$folder"
[ -f package.json ] || printf '{"name": "gpu-bot-tests", "private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error \
    local-slack-linux-x64@0.1.8 slack-blocks-to-jsx@1.1.1 react@18 react-dom@18
echo "installed in $folder"
