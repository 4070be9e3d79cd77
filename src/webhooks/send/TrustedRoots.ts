import { Effect, FileSystem, Option } from "effect"
import { X509Certificate } from "node:crypto"
import { createSecureContext, getCACertificates } from "node:tls"
import { SettingError } from "../../platform/config/Setting.ts"
import { textFile } from "../../platform/text/TextFile.ts"
import { whyUnreadable } from "../../platform/text/Unreadable.ts"
import { addressSettings } from "./AddressSettings.ts"

const extraCa = Effect.fnUntraced(
  function*(file: string) {
    const fs = yield* FileSystem.FileSystem
    const pem = yield* textFile(fs, file)
    // The context accepts any text without an error.
    yield* Effect.try(() => new X509Certificate(pem))
    yield* Effect
      .logWarning(`WEBHOOK_EXTRA_CA_FILE is set: webhooks trust the authorities of ${file}. This is for development and tests only`)
    return pem
  },
  (effect, file) =>
    Effect.mapError(effect, (error) =>
      new SettingError({
        variable: "WEBHOOK_EXTRA_CA_FILE",
        expected: error._tag === "PlatformError"
          ? `a file of certificates in PEM, but ${file} cannot be read: ${whyUnreadable(error)}`
          : "a file of certificates in PEM",
        example: "/etc/turma/ca.pem"
      }))
)

/** The authorities that receivers' certificates are checked against, read once: reading them for each connection is slow. */
export const trustedRoots = Effect.gen(function*() {
  const file = yield* addressSettings.WEBHOOK_EXTRA_CA_FILE.read
  const versions = { minVersion: "TLSv1.2" } as const
  if (Option.isNone(file)) return createSecureContext(versions)
  const pem = yield* extraCa(file.value)
  return createSecureContext({ ...versions, ca: [...getCACertificates("default"), pem] })
})
