import { Effect, FileSystem, Path } from "effect"
import { ChildProcess } from "effect/process"
import { textFile } from "../../platform/text/TextFile.ts"
import { unreadable } from "../errors/Unreadable.ts"
import { UsageError } from "../errors/UsageError.ts"

/** A certificate and its key in PEM. `path` is the file with the certificate. */
export interface Certificate {
  readonly cert: string
  readonly key: string
  readonly path: string
}

/** Reads the pair that a person has. */
export const givenCertificate = Effect.fnUntraced(function*(path: string, keyPath: string) {
  const fs = yield* FileSystem.FileSystem
  const cert = yield* Effect.mapError(textFile(fs, path), unreadable(`the certificate ${path}`))
  const key = yield* Effect.mapError(textFile(fs, keyPath), unreadable(`the certificate's key ${keyPath}`))
  const certificate: Certificate = { cert, key, path }
  return certificate
})

const request = (path: string, keyPath: string) => [
  ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30".split(" "),
  ..."-subj /CN=turma -addext subjectAltName=IP:127.0.0.1,DNS:localhost".split(" "),
  "-keyout",
  keyPath,
  "-out",
  path
]

const noCertificate = () =>
  new UsageError({ message: "Cannot make a certificate with openssl: give --cert and --key, or --http" })

/**
 * A self-signed certificate for 127.0.0.1. Openssl makes it, since Node reads certificates and makes no certificate. It
 * exists until the scope closes, in a folder that nobody else reads.
 */
export const selfSigned = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const { join } = yield* Path.Path
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-webhooks-" })
  const path = join(folder, "certificate.pem")
  const keyPath = join(folder, "key.pem")
  const openssl = yield* ChildProcess.make("openssl", request(path, keyPath), { stderr: "ignore", stdout: "ignore" })
  if ((yield* openssl.exitCode) !== 0) return yield* noCertificate()
  return yield* givenCertificate(path, keyPath)
}).pipe(Effect.mapError(noCertificate))
