#!/bin/sh
# Makes the secrets of compose.yaml as files in `secrets` beside it. What is there stays as it is.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p secrets
chmod 700 secrets

# Containers read them as users of their own, so the files are readable to all and their folder only to who owns it.
keep() {
  if [ -e "secrets/$1" ]; then return; fi
  cat > "secrets/.$1"
  chmod 444 "secrets/.$1"
  mv "secrets/.$1" "secrets/$1"
}

openssl rand -base64 32 | keep app-secret-key
openssl rand -base64 32 | keep internal-secret
openssl rand -hex 32 | keep postgres-password
printf 'ROOT_ACCESS_KEY=turma\nROOT_SECRET_KEY=%s\n' "$(openssl rand -hex 32)" | keep bucket.env
printf 'postgres://turma:%s@postgres:5432/turma\n' "$(cat secrets/postgres-password)" | keep database-url
printf 's3://turma:%s@bucket:7070/turma?tls=false\n' "$(sed -n s/^ROOT_SECRET_KEY=//p secrets/bucket.env)" | keep storage-url
