import { Effect } from "effect"
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { isIP } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A certificate and its key, as `node:tls` takes them. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

interface CertificateOptions {
  /** The certificate's names and addresses: by default `localhost`, `127.0.0.1` and `::1`. */
  readonly names?: ReadonlyArray<string>
  /** Days from today until it ends; negative means expired. It begins two days before today, or before that end. */
  readonly validDays?: number
}

// Just enough of X.509 (RFC 5280) in DER: a test then needs no installed tool.
const der = (tag: number, ...contents: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(contents)
  const { length } = content
  const head = length < 128
    ? [tag, length]
    : length < 256
    ? [tag, 0x81, length]
    : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), content])
}
const sequence = (...contents: ReadonlyArray<Uint8Array>) => der(0x30, ...contents)
const id = (hex: string) => der(0x06, Buffer.from(hex, "hex"))
const bits = (bytes: Uint8Array) => der(0x03, Buffer.from([0]), bytes)
const yes = der(0x01, Buffer.from([0xff]))

const ecdsaWithSha256 = sequence(id("2a8648ce3d040302"))
const nameOf = (text: string) => sequence(der(0x31, sequence(id("550403"), der(0x0c, Buffer.from(text)))))
const timeOf = (date: Date) => der(0x18, Buffer.from(`${date.toISOString().replace(/\..*|[-:T]/g, "")}Z`))
const extension = (hex: string, value: Uint8Array) => sequence(id(hex), der(0x04, value))
const criticalExtension = (hex: string, value: Uint8Array) => sequence(id(hex), yes, der(0x04, value))

const addressBytes = (address: string): Buffer => {
  if (isIP(address) === 4) return Buffer.from(address.split(".").map(Number))
  const [head = "", tail = ""] = address.split("::")
  const groups = (text: string) => (text === "" ? [] : text.split(":"))
  const zeros = 8 - groups(head).length - groups(tail).length
  const all = [...groups(head), ...Array.from({ length: zeros }, () => "0"), ...groups(tail)]
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex")
}

const alternativeNames = (names: ReadonlyArray<string>) =>
  sequence(...names.map((name) => isIP(name) === 0 ? der(0x82, Buffer.from(name)) : der(0x87, addressBytes(name))))

const day = 86_400_000

const pem = (bytes: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString("base64").replace(/.{1,64}/g, "$&\n")}-----END CERTIFICATE-----\n`

const keyIdOf = (publicKey: Buffer) => createHash("sha1").update(publicKey).digest()

interface Parts {
  readonly issuer: string
  readonly subject: string
  readonly publicKey: Buffer
  readonly signer: { readonly privateKey: string; readonly publicKey: Buffer }
  readonly validDays: number
  readonly extensions: ReadonlyArray<Uint8Array>
}

const certificateOf = ({ extensions, issuer, publicKey, signer, subject, validDays }: Parts) => {
  const now = Date.now()
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(15)),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(timeOf(new Date(now + (Math.min(validDays, 0) - 2) * day)), timeOf(new Date(now + validDays * day))),
    nameOf(subject),
    publicKey,
    der(
      0xa3,
      sequence(
        ...extensions,
        extension("551d0e", der(0x04, keyIdOf(publicKey))),
        extension("551d23", sequence(der(0x80, keyIdOf(signer.publicKey))))
      )
    )
  )
  return pem(sequence(body, ecdsaWithSha256, bits(sign("sha256", body, signer.privateKey))))
}

const keyPair = () =>
  generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" }
  })

const usualNames = ["localhost", "127.0.0.1", "::1"]

const forServers = (names: ReadonlyArray<string>) => extension("551d11", alternativeNames(names))

/** A test's own authority, which only configured clients trust, and the certificates it signs. */
export const testCa = () => {
  const signer = keyPair()
  const issuer = `Turma test authority ${randomBytes(4).toString("hex")}`
  const caPem = certificateOf({
    issuer,
    subject: issuer,
    publicKey: signer.publicKey,
    signer,
    validDays: 2,
    extensions: [
      criticalExtension("551d13", sequence(yes)),
      criticalExtension("551d0f", der(0x03, Buffer.from([1, 6])))
    ]
  })
  const certificate = ({ names = usualNames, validDays = 2 }: CertificateOptions = {}): Certificate => {
    const { privateKey, publicKey } = keyPair()
    const cert = certificateOf({
      issuer,
      subject: "Turma test receiver",
      publicKey,
      signer,
      validDays,
      extensions: [forServers(names)]
    })
    return { cert, key: privateKey }
  }
  return { caPem, certificate }
}

export type TestCa = ReturnType<typeof testCa>

/** A self-signed certificate. */
export const selfSigned = (names: ReadonlyArray<string> = usualNames): Certificate => {
  const signer = keyPair()
  const subject = "Turma test receiver"
  const { publicKey } = signer
  const extensions = [forServers(names)]
  return {
    cert: certificateOf({ issuer: subject, subject, publicKey, signer, validDays: 2, extensions }),
    key: signer.privateKey
  }
}

/** The authority's certificate in a file for `WEBHOOK_EXTRA_CA_FILE`, removed with the scope. */
export const caFile = Effect.fnUntraced(function*({ caPem }: TestCa) {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "turma-ca-"))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true }))
  )
  const file = join(folder, "ca.pem")
  yield* Effect.promise(() => writeFile(file, caPem))
  return file
})
