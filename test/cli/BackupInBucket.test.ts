import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { emptyDatabaseUrl } from "../harness/Postgres.ts"
import { startS3 } from "../harness/S3.ts"
import { refusal } from "../harness/S3Answers.ts"
import { account } from "../harness/S3Signatures.ts"
import { runTurma } from "../harness/Turma.ts"
import { contentOf, file, installation, linesOf, source, sqlOf } from "../operations/backup/Installation.ts"

// Takes long: each verification makes a server.
const passphrase = "vogal consoante vogal"
const sealing = { BACKUP_PASSPHRASE: passphrase }
const secrets = [
  passphrase,
  account.accessKeyId,
  account.secretAccessKey,
  encodeURIComponent(account.secretAccessKey),
  "Signature="
]

const foreign = ["notes.txt", "turma-ffffffff-20261127T030000Z.turma", "turma-old.turma"]

/** An installation whose backups share a bucket with other things. Its commands of Turma print no secret. */
const stand = Effect.gen(function*() {
  const from = yield* source
  const s3 = yield* startS3
  for (const name of foreign) {
    s3.objects.set(`club-files/${name}`, { body: Buffer.from("theirs"), type: "", etag: "\"a\"", modified: 0 })
  }
  const turma = Effect.fnUntraced(function*(env: Record<string, string>, ...args: ReadonlyArray<string>) {
    const ended = yield* runTurma({ args: ["src/cli/main.ts", ...args], env: { BACKUP_URL: s3.url, ...env } })
    for (const secret of secrets) assert.notInclude(ended.stdout + ended.stderr, secret)
    return ended
  })
  const own = () => s3.list().filter((name) => !foreign.includes(name))
  return { from, own, s3, turma, place: `s3://127.0.0.1:${s3.port}/files/club-files` }
})

const TestLayer = Layer.mergeAll(NodeServices.layer, SecureRandom.layerWebCrypto)

layer(TestLayer, { excludeTestServices: true })(
  "Backups in a bucket, by the command line",
  (it) => {
    it.effect(
      "are made, listed, verified, kept, and restored elsewhere; two that keep one at once lose none; no secret is said",
      () =>
        Effect.gen(function*() {
          const fs = yield* FileSystem.FileSystem
          const { from, own, place, s3, turma } = yield* stand
          const sealed = { ...from.env, ...sealing }
          const made = yield* turma(sealed, "backup")
          assert.strictEqual(made.code, 0, made.stderr)
          const [first = ""] = own()
          assert.include(made.stdout, `${place}/${first} holds the installation as of `)
          assert.match(made.stdout, /^It is sealed: without BACKUP_PASSPHRASE nobody can read it/m)
          // Within the same second, it would have the same name.
          yield* Effect.sleep("1100 millis")
          const kept = yield* turma(sealed, "backup", "--keep", "1")
          assert.strictEqual(kept.code, 0, kept.stderr)
          assert.match(kept.stdout, /^It is good: restored within [\d.]+ seconds/m)
          assert.include(kept.stdout, `\nDeleted: ${first}\n`)
          const [name = ""] = own()
          assert.deepStrictEqual(s3.list(), [...foreign, name].toSorted())

          const bytes = s3.objects.get(`club-files/${name}`)?.body.length
          const listed = yield* turma(sealed, "backups", "list")
          assert.include(listed.stdout, `${name}  ${bytes}\n`)
          assert.notInclude(listed.stdout, "notes.txt")

          const target = yield* installation(yield* emptyDatabaseUrl)
          const untouched = linesOf("select relname as line from pg_class where relnamespace = 'public'::regnamespace")
          const refused = Effect.fnUntraced(function*(env: Record<string, string>, wanted: string, why: RegExp) {
            const { code, stderr } = yield* turma({ ...target.env, ...sealing, ...env }, "restore", wanted)
            assert.strictEqual(code, 1)
            assert.match(stderr, why)
            assert.deepStrictEqual(yield* Effect.provide(untouched, sqlOf(target)), [])
          })
          yield* refused(
            { BACKUP_PASSPHRASE: "vogal consoante outra" },
            name,
            /is not the passphrase that it was sealed/
          )
          yield* refused({}, first, /there is no such backup/)
          yield* refused({}, `../${name}`, /there is no such file/)
          const whole = s3.objects.get(`club-files/${name}`)
          assert.isDefined(whole)
          const changed = Buffer.from(whole.body)
          changed[changed.length - 40] = (changed[changed.length - 40] ?? 0) ^ 1
          for (const body of [changed, whole.body.subarray(0, -1000)]) {
            s3.objects.set(`club-files/${name}`, { ...whole, body })
            yield* refused({}, name, /it ends in the middle, or its end was changed/)
          }
          s3.objects.set(`club-files/${name}`, whole)

          const restored = yield* turma({ ...target.env, ...sealing }, "restore", name)
          assert.strictEqual(restored.code, 0, restored.stderr)
          const [was, is] = yield* Effect.all([from, target].map((each) => Effect.provide(contentOf, sqlOf(each))))
          for (const [what, lines] of was ?? []) assert.deepStrictEqual(is?.get(what), lines, what)
          assert.strictEqual(yield* fs.readFileString(`${target.env.DATA_DIR}/${file}`), "bytes")

          // Sealing each of these would take half a second of computation.
          const command = turma(from.env, "backup", "--keep", "1")
          const both = yield* Effect.all([command, command], { concurrency: 2 })
          assert.include(both.map(({ code }) => code), 0, both.map(({ stderr }) => stderr).join())
          assert.isAbove(own().length, 0)
          assert.deepStrictEqual(s3.inParts(), [])
          const [left = ""] = own()
          const verified = yield* turma(from.env, "backups", "verify", left)
          assert.strictEqual(verified.code, 0, verified.stderr)
          assert.include(verified.stdout, `${place}/${left} is the installation as of `)

          // A bucket that refuses says so without a secret.
          s3.before(() => refusal(403, "SignatureDoesNotMatch"))
          for (const args of [["backup"], ["backups", "list"], ["backups", "verify", left]]) {
            const { code, stderr } = yield* turma(from.env, ...args)
            assert.strictEqual(code, 1)
            assert.include(stderr, place)
            assert.match(stderr, /S3 answered (?:GET|HEAD) with 403/)
          }
        })
    )
  }
)
