#!/bin/sh
# Makes the secrets of compose.yaml as files in `secrets` beside it. What is there stays as it is.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p secrets
chmod 700 secrets

# keep NAME COMMAND…: what the command says, as a file. A command that fails ends all of it, and there is no file.
# Containers read them as users of their own, so the files are readable to all and their folder only to who owns it.
keep() {
  file=$1
  shift
  if [ -s "secrets/$file" ]; then return; fi
  said=$("$@")
  printf '%s\n' "$said" > "secrets/.$file"
  chmod 444 "secrets/.$file"
  mv -f "secrets/.$file" "secrets/$file"
}

bucket_env() {
  key=$(openssl rand -hex 32) && printf 'ROOT_ACCESS_KEY=turma\nROOT_SECRET_KEY=%s' "$key"
}
database_url() {
  printf 'postgres://turma:%s@postgres:5432/turma' "$(cat secrets/postgres-password)"
}
storage_url() {
  printf 's3://turma:%s@bucket:7070/turma?tls=false' "$(sed -n s/^ROOT_SECRET_KEY=//p secrets/bucket.env)"
}

keep app-secret-key openssl rand -base64 32
keep internal-secret openssl rand -base64 32
keep backup-passphrase openssl rand -base64 24
keep postgres-password openssl rand -hex 32
keep bucket.env bucket_env
keep database-url database_url
keep storage-url storage_url
