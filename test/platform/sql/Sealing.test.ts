import { NodeServices } from "@effect/platform-node"
import { assert, it, layer } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Layer, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Sealing, writeKeyFile } from "../../../src/platform/sql/Sealing.ts"

const keyOf = (byte: number) => Redacted.make(new Uint8Array(32).fill(byte))

const sealingWith = (...keys: Parameters<typeof Sealing.layerKeys>) =>
  Sealing.layerKeys(...keys).pipe(Layer.provide(SecureRandom.layerWebCrypto))

const text = (content: string) => new TextEncoder().encode(content)

const seal = (plain: Uint8Array, binding: string) => Effect.flatMap(Sealing, (sealing) => sealing.seal(plain, binding))
const open = (sealed: Uint8Array, binding: string) =>
  Effect.flatMap(Sealing, (sealing) => sealing.open(sealed, binding))

layer(sealingWith(keyOf(1)))("Sealing", (it) => {
  it.effect.prop(
    "opens what it sealed, and nothing with a byte changed or another binding",
    { plain: Schema.Uint8Array, binding: Schema.String, other: Schema.String, position: Schema.Int, bits: Schema.Int },
    Effect.fnUntraced(function*({ binding, bits, other, plain, position }) {
      const sealed = yield* seal(plain, binding)
      assert.deepStrictEqual(yield* open(sealed, binding), plain)

      const changed = Uint8Array.from(sealed)
      const index = Math.abs(position) % changed.length
      changed[index] = (changed[index] ?? 0) ^ (Math.abs(bits) % 255 + 1)
      assert.strictEqual((yield* Effect.flip(open(changed, binding)))._tag, "SealBroken")
      assert.strictEqual((yield* Effect.flip(open(sealed, `${other}!${binding}`)))._tag, "SealBroken")
    })
  )

  it.effect("notices every single byte that changes", () =>
    Effect.gen(function*() {
      const sealed = yield* seal(text("whsec_secret"), "webhook_endpoints/1")
      for (const index of sealed.keys()) {
        const changed = sealed.with(index, (sealed[index] ?? 0) ^ 1)
        assert.strictEqual((yield* Effect.flip(open(changed, "webhook_endpoints/1")))._tag, "SealBroken")
      }
    }))

  it.effect("does not open what is cut short", () =>
    Effect.gen(function*() {
      const sealed = yield* seal(text("secret"), "a")
      for (const length of sealed.keys()) {
        assert.strictEqual((yield* Effect.flip(open(sealed.subarray(0, length), "a")))._tag, "SealBroken")
      }
    }))

  it.effect("seals the same secret differently each time, 33 bytes longer", () =>
    Effect.gen(function*() {
      const [first, second] = [yield* seal(text("secret"), "a"), yield* seal(text("secret"), "a")]
      assert.notDeepEqual(first, second)
      assert.strictEqual(first.length, 6 + 33)
    }))
})

it.effect("opens with the previous key after a rotation and seals with the new one", () =>
  Effect.gen(function*() {
    const old = yield* Effect.provide(seal(text("secret"), "a"), sealingWith(keyOf(1)))
    const rotated = sealingWith(keyOf(2), keyOf(1))
    assert.deepStrictEqual(yield* Effect.provide(open(old, "a"), rotated), text("secret"))
    const renewed = yield* Effect.provide(seal(text("secret"), "a"), rotated)
    assert.deepStrictEqual(yield* Effect.provide(open(renewed, "a"), sealingWith(keyOf(2))), text("secret"))
    const forgotten = yield* Effect.flip(Effect.provide(open(old, "a"), sealingWith(keyOf(2))))
    assert.strictEqual(forgotten._tag, "SealBroken")
  }))

/** `Sealing.layer` as a process with these variables builds it. */
const processWith = (variables: Readonly<Record<string, string>>) =>
  Sealing.layer.pipe(
    Layer.fresh,
    Layer.provide(Layer.succeed(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env: variables })))
  )

const databaseUrl = { DATABASE_URL: "postgres://turma:hidden@127.0.0.1/turma" }
const base64Of = (byte: number) => Buffer.alloc(32, byte).toString("base64")

const settingError = (variables: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(Effect.scoped(Layer.build(processWith(variables)))), (error) => error.message)

it.effect("takes its keys from the settings", () =>
  Effect.gen(function*() {
    const old = yield* Effect.provide(seal(text("secret"), "a"), sealingWith(keyOf(1)))
    const keys = { APP_SECRET_KEY: base64Of(2), APP_SECRET_KEY_PREVIOUS: base64Of(1) }
    const opened = yield* Effect.provide(open(old, "a"), processWith({ ...databaseUrl, ...keys }))
    assert.deepStrictEqual(opened, text("secret"))
  }))

it.effect("demands a key of 32 bytes beside a database of one's own, and never shows the one refused", () =>
  Effect.gen(function*() {
    const line = "APP_SECRET_KEY: expected base64 of 32 random bytes, for example " +
      "APP_SECRET_KEY=the output of: openssl rand -base64 32"
    assert.strictEqual(yield* settingError(databaseUrl), line)
    assert.strictEqual(yield* settingError({ ...databaseUrl, APP_SECRET_KEY: "c2hvcnQ=" }), line)
    assert.strictEqual(yield* settingError({ APP_SECRET_KEY: "not base64!" }), line)
  }))

const dataFolder = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.makeTempDirectoryScoped({ prefix: "turma-key-" })
})

layer(NodeServices.layer)("The generated key", (it) => {
  it.effect("is one and the same for processes that start at once, and readable by its owner only", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = `${yield* dataFolder}/new`
      const start = Effect.provide(seal(text("secret"), "a"), processWith({ DATA_DIR: folder }))
      const sealed = yield* Effect.all(Array.from({ length: 8 }, () => start), { concurrency: "unbounded" })
      const opened = yield* Effect.provide(
        Effect.forEach(sealed, (one) => open(one, "a")),
        processWith({ DATA_DIR: folder })
      )
      assert.strictEqual(opened.length, 8)
      assert.deepStrictEqual(yield* fs.readDirectory(folder), ["app-secret-key"])
      assert.strictEqual((yield* fs.stat(`${folder}/app-secret-key`)).mode & 0o777, 0o600)
    }))

  it.effect("seals with the first key of the file, and opens with those on further lines", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* dataFolder
      const old = yield* Effect.provide(seal(text("secret"), "a"), sealingWith(keyOf(1)))
      yield* fs.writeFileString(`${folder}/app-secret-key`, `${base64Of(2)}\n${base64Of(1)}\n`)
      const both = processWith({ DATA_DIR: folder })
      assert.deepStrictEqual(yield* Effect.provide(open(old, "a"), both), text("secret"))
      const renewed = yield* Effect.provide(seal(text("secret"), "a"), both)
      assert.deepStrictEqual(yield* Effect.provide(open(renewed, "a"), sealingWith(keyOf(2))), text("secret"))
    }))

  const write = (file: string, ...keys: Parameters<typeof writeKeyFile>[1]) =>
    Effect.provide(writeKeyFile(file, keys), SecureRandom.layerWebCrypto)

  it.effect("is replaced as a whole, for those who could read it, and nothing is left beside it", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* dataFolder
      const file = `${folder}/app-secret-key`
      for (const [mode, becomes] of [[0o600, 0o600], [0o640, 0o640], [0o644, 0o640], [0o777, 0o660]] as const) {
        yield* fs.writeFileString(file, base64Of(1))
        yield* fs.chmod(file, mode)
        yield* write(file, keyOf(2), keyOf(1))
        assert.strictEqual(yield* fs.readFileString(file), `${base64Of(2)}\n${base64Of(1)}`)
        assert.strictEqual((yield* fs.stat(file)).mode & 0o777, becomes)
        assert.deepStrictEqual(yield* fs.readDirectory(folder), ["app-secret-key"])
      }
    }))

  it.effect("is not written through a link that has come into its place", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* dataFolder
      yield* fs.writeFileString(`${folder}/else`, base64Of(1))
      yield* fs.symlink(`${folder}/else`, `${folder}/app-secret-key`)
      const error = yield* Effect.flip(write(`${folder}/app-secret-key`, keyOf(2)))
      assert.strictEqual(error.message, `${folder}/app-secret-key: it is no file`)
      assert.strictEqual(yield* fs.readFileString(`${folder}/else`), base64Of(1))
    }))

  const isRoot = process.getuid?.() === 0

  it.effect.skipIf(!isRoot)("still belongs to whom it did when root replaces it", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const file = `${yield* dataFolder}/app-secret-key`
      yield* fs.writeFileString(file, base64Of(1))
      yield* fs.chown(file, 65534, 65533)
      yield* fs.chmod(file, 0o640)
      yield* write(file, keyOf(2), keyOf(1))
      const { gid, mode, uid } = yield* fs.stat(file)
      assert.deepStrictEqual([uid, gid, mode & 0o777], [Option.some(65534), Option.some(65533), 0o640])
    }))

  it.effect.skipIf(!isRoot)(
    "stays as it is where whoever replaces it cannot give it to its owner",
    () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* dataFolder
        const file = `${folder}/app-secret-key`
        yield* fs.writeFileString(file, base64Of(1))
        yield* fs.chmod(folder, 0o777)
        const asNobody = Effect.acquireUseRelease(
          Effect.sync(() => process.seteuid?.(65534)),
          () => Effect.flip(write(file, keyOf(2), keyOf(1))),
          () => Effect.sync(() => process.seteuid?.(0))
        )
        assert.include((yield* asNobody).message, "EPERM")
        assert.strictEqual(yield* fs.readFileString(file), base64Of(1))
        assert.deepStrictEqual(yield* fs.readDirectory(folder), ["app-secret-key"])
      })
  )

  it.effect("is refused with one line when the file holds something else", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* dataFolder
      yield* fs.writeFileString(`${folder}/app-secret-key`, "damaged")
      const message = yield* settingError({ DATA_DIR: folder })
      assert.strictEqual(message, `${folder}/app-secret-key: expected base64 of 32 random bytes`)
    }))
})
