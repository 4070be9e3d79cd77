import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Redacted } from "effect"
import { forgetProfile, keepProfile, readProfiles } from "../../../src/cli/profile/Profiles.ts"
import { secretKey } from "../commands/CommandLine.ts"

const profile = {
  url: "https://turma.example",
  club_id: "6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10",
  club_name: "Violão",
  key: Redacted.make(secretKey)
}

/** In a folder of one's own; `folder` is that of the settings. */
const inFolder = <A, E, R>(use: (folder: string) => Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const home = yield* fs.makeTempDirectoryScoped()
    const env = ConfigProvider.fromEnv({ env: { XDG_CONFIG_HOME: `${home}/config` } })
    return yield* Effect.provide(use(`${home}/config/turma`), ConfigProvider.layer(env))
  })

const modeOf = Effect.fnUntraced(function*(path: string) {
  const fs = yield* FileSystem.FileSystem
  return ((yield* fs.stat(path)).mode & 0o777).toString(8)
})

layer(NodeServices.layer, { excludeTestServices: true })("Profiles", (it) => {
  it.effect("are for their owner alone, folder and file, whatever the umask", () =>
    inFolder((folder) =>
      Effect.gen(function*() {
        const before = process.umask(0)
        yield* Effect.ensuring(keepProfile("a", profile), Effect.sync(() => process.umask(before)))
        assert.strictEqual(yield* modeOf(folder), "700")
        assert.strictEqual(yield* modeOf(`${folder}/profiles.json`), "600")
        const fs = yield* FileSystem.FileSystem
        assert.deepStrictEqual(yield* fs.readDirectory(folder), ["profiles.json"])
      })
    ))

  it.effect("are several, of which the latest is meant", () =>
    inFolder(() =>
      Effect.gen(function*() {
        yield* keepProfile("a", profile)
        yield* keepProfile("b", { ...profile, club_name: "Flauta" })
        const { latest, profiles } = yield* readProfiles
        assert.deepStrictEqual([latest, Object.keys(profiles)], ["b", ["a", "b"]])
        assert.strictEqual(Redacted.value(profiles["a"]?.key ?? Redacted.make("")), secretKey)
        yield* forgetProfile("b")
        assert.strictEqual((yield* readProfiles).latest, "a")
        yield* forgetProfile("a")
        assert.deepStrictEqual(yield* readProfiles, { latest: null, profiles: {} })
      })
    ))

  it.effect.each([0o640, 0o604, 0o620])(
    "are not used where others may open the file: %o",
    (mode) =>
      inFolder((folder) =>
        Effect.gen(function*() {
          const fs = yield* FileSystem.FileSystem
          yield* keepProfile("a", profile)
          yield* fs.chmod(`${folder}/profiles.json`, mode)
          const { exit_code, message } = yield* Effect.flip(readProfiles)
          assert.strictEqual(exit_code, 2)
          assert.match(message, /can be read by others.*chmod 600/)
          assert.notInclude(message, secretKey)
        })
      )
  )

  it.effect("are not used where others may write into the folder", () =>
    inFolder((folder) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        yield* keepProfile("a", profile)
        yield* fs.chmod(folder, 0o770)
        assert.match((yield* Effect.flip(readProfiles)).message, /can be written to by others/)
        assert.match((yield* Effect.flip(keepProfile("b", profile))).message, /can be written to by others/)
      })
    ))

  it.effect("that are no profiles are told of without what is in the file", () =>
    inFolder((folder) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        yield* keepProfile("a", profile)
        yield* fs.writeFileString(`${folder}/profiles.json`, `{"key":"${secretKey}"`)
        const { message } = yield* Effect.flip(readProfiles)
        assert.match(message, /is no file of profiles/)
        assert.notInclude(message, secretKey)
      })
    ))

  it.effect("do not show their keys where they are printed or logged", () =>
    inFolder(() =>
      Effect.gen(function*() {
        yield* keepProfile("a", profile)
        assert.notInclude(JSON.stringify(yield* readProfiles), secretKey)
      })
    ))
})
