import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Config, ConfigProvider, Effect, FileSystem, Option, Redacted } from "effect"
import { optionalSetting } from "../../../src/platform/config/Setting.ts"

const description = {
  variable: "TOKEN",
  meaning: "lets in",
  unset: "unset",
  expected: "eight letters",
  example: "abcdefgh"
}

const token = optionalSetting(
  { ...description, isSecret: true },
  (variable) => Config.Redacted(variable)
)
const number = optionalSetting({ ...description, isSecret: true }, Config.Int)
const open = optionalSetting({ ...description, isSecret: false }, Config.String)

const withEnvironment = (env: Record<string, string>) =>
  Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env })))

const fileWith = Effect.fnUntraced(function*(text: string) {
  const fs = yield* FileSystem.FileSystem
  const file = `${yield* fs.makeTempDirectoryScoped({ prefix: "turma-secret-" })}/token`
  yield* fs.writeFileString(file, text)
  return file
})

const faultOf = (env: Record<string, string>) =>
  withEnvironment(env)(Effect.map(Effect.flip(number.read), ({ message }) => message))

layer(NodeServices.layer)("A secret from a file", (it) => {
  it.effect("is what the file has, without one line break at its end", () =>
    Effect.gen(function*() {
      for (
        const [text, value] of [["s3cret", "s3cret"], ["s3cret\n", "s3cret"], ["s3cret\r\n", "s3cret"], [
          "a\n\n",
          "a\n"
        ]]
      ) {
        const TOKEN_FILE = yield* fileWith(text ?? "")
        const read = yield* withEnvironment({ TOKEN_FILE })(token.read)
        assert.deepStrictEqual(Option.map(read, Redacted.value), Option.some(value))
      }
    }))

  it.effect("is read anew each time", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const TOKEN_FILE = yield* fileWith("1")
      assert.deepStrictEqual(yield* withEnvironment({ TOKEN_FILE })(number.read), Option.some(1))
      yield* fs.writeFileString(TOKEN_FILE, "2\n")
      assert.deepStrictEqual(yield* withEnvironment({ TOKEN_FILE })(number.read), Option.some(2))
    }))

  it.effect("is refused beside the variable itself, naming both", () =>
    Effect.gen(function*() {
      const TOKEN_FILE = yield* fileWith("1")
      assert.strictEqual(
        yield* faultOf({ TOKEN: "2", TOKEN_FILE }),
        "TOKEN and TOKEN_FILE are both set: set one of them"
      )
      // An empty variable is unset.
      assert.deepStrictEqual(yield* withEnvironment({ TOKEN: "", TOKEN_FILE })(number.read), Option.some(1))
    }))

  it.effect("is refused in one line that names variable and path where the file cannot be used", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const empty = yield* fileWith("\n")
      const large = yield* fileWith("1".repeat(65_537))
      const line = (path: string, why: string) => `TOKEN_FILE: cannot use the file ${path} (${why})`
      for (
        const [path, why] of [
          [`${folder}/none`, "ENOENT"],
          [folder, "it is no regular file"],
          ["/dev/zero", "it is no regular file"],
          [empty, "it is empty"],
          [large, "it has more than 65536 bytes"]
        ] as const
      ) {
        assert.strictEqual(yield* faultOf({ TOKEN_FILE: path }), line(path, why))
      }
    }))

  it.effect("is refused without a word of what it has", () =>
    Effect.gen(function*() {
      const TOKEN_FILE = yield* fileWith("hunter2")
      const fault = yield* faultOf({ TOKEN_FILE })
      assert.strictEqual(fault, `TOKEN: expected eight letters in ${TOKEN_FILE}, the file of TOKEN_FILE`)
      const error = yield* withEnvironment({ TOKEN_FILE })(Effect.flip(number.read))
      assert.notInclude(JSON.stringify(error) + String(error) + (error.stack ?? ""), "hunter2")
    }))

  it.effect("is none of a setting that is no secret", () =>
    Effect.gen(function*() {
      const TOKEN_FILE = yield* fileWith("1")
      assert.deepStrictEqual(yield* withEnvironment({ TOKEN_FILE })(open.read), Option.none())
    }))
})
