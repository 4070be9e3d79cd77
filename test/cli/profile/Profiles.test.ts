import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, PlatformError, Redacted } from "effect"
import { writeFileSync } from "node:fs"
import { configFolder } from "../../../src/cli/profile/Folder.ts"
import {
  forgetProfile,
  keepProfile,
  parseKey,
  preferProfile,
  type Profile,
  profileNamed,
  readProfiles
} from "../../../src/cli/profile/Profiles.ts"
import { secretKey } from "../commands/CommandLine.ts"

const profile = {
  url: "https://turma.example",
  club_id: "6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10",
  club_name: "Violão",
  key: Redacted.make(secretKey)
}

const keep = (name: string, profile: Profile) => keepProfile(() => name, profile)

/** Runs `use` in a new folder, with the folder of the settings in it. */
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
        yield* Effect.ensuring(keep("a", profile), Effect.sync(() => process.umask(before)))
        assert.strictEqual(yield* modeOf(folder), "700")
        assert.strictEqual(yield* modeOf(`${folder}/profiles.json`), "600")
        const fs = yield* FileSystem.FileSystem
        assert.deepStrictEqual(yield* fs.readDirectory(folder), ["profiles.json"])
      })
    ))

  it.effect("are several, of which the latest is meant", () =>
    inFolder(() =>
      Effect.gen(function*() {
        yield* keep("a", profile)
        yield* keep("b", { ...profile, club_name: "Flauta" })
        const { latest, profiles } = yield* readProfiles
        assert.deepStrictEqual([latest, Object.keys(profiles)], ["b", ["a", "b"]])
        assert.strictEqual(Redacted.value(profiles["a"]?.key ?? Redacted.make("")), secretKey)
        yield* forgetProfile("b", profile)
        assert.strictEqual((yield* readProfiles).latest, "a")
        yield* forgetProfile("a", profile)
        assert.deepStrictEqual(yield* readProfiles, { latest: null, profiles: {} })
      })
    ))

  it.effect.each([0o640, 0o604, 0o620])(
    "are not used where others may open the file: %o",
    (mode) =>
      inFolder((folder) =>
        Effect.gen(function*() {
          const fs = yield* FileSystem.FileSystem
          yield* keep("a", profile)
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
        yield* keep("a", profile)
        yield* fs.chmod(folder, 0o770)
        assert.match((yield* Effect.flip(readProfiles)).message, /can be written to by others/)
        assert.match((yield* Effect.flip(keep("b", profile))).message, /can be written to by others/)
      })
    ))

  it.effect("that are no profiles bring a message without what is in the file", () =>
    inFolder((folder) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        yield* keep("a", profile)
        yield* fs.writeFileString(`${folder}/profiles.json`, `{"key":"${secretKey}"`)
        const { message } = yield* Effect.flip(readProfiles)
        assert.match(message, /is no file of profiles \(it is not JSON: it ends too early\)/)
        assert.notInclude(message, secretKey)
        yield* fs.remove(`${folder}/profiles.json`)
        yield* fs.makeDirectory(`${folder}/profiles.json`, { mode: 0o700 })
        const folderThere = yield* Effect.flip(readProfiles)
        assert.match(folderThere.message, /^Cannot read the profiles in \S+\/profiles\.json: it is a folder$/)
      })
    ))

  it.effect("do not show their keys where they are printed or logged", () =>
    inFolder(() =>
      Effect.gen(function*() {
        yield* keep("a", profile)
        assert.notInclude(JSON.stringify(yield* readProfiles), secretKey)
      })
    ))

  it.effect("are all there when many commands change them at once", () =>
    inFolder((folder) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const names = Array.from({ length: 24 }, (_, index) => `club-${index}`)
        const [gone, ...left] = names
        yield* keep(gone ?? "", profile)
        yield* Effect.all([
          ...left.map((name) => Effect.asVoid(keep(name, profile))),
          forgetProfile(gone ?? "", profile)
        ], { concurrency: "unbounded" })
        assert.sameMembers(Object.keys((yield* readProfiles).profiles), left)
        assert.deepStrictEqual(yield* fs.readDirectory(folder), ["profiles.json"])
      })
    ))

  it.effect("are changed after a command that was killed at it, and nothing of its keys stays", () =>
    inFolder((folder) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        yield* keep("a", profile)
        yield* fs.writeFileString(`${folder}/profiles.lock`, "of a dead one")
        yield* fs.writeFileString(`${folder}/profiles.json.0d3adf51-4b0a-4c6e-9d53-2f1f9b6a7e10`, secretKey)
        const own = ["profiles.json.bak", "profiles.json.bak.0d3adf51-4b0a-4c6e-9d53-2f1f9b6a7e10"]
        for (const name of own) yield* fs.writeFileString(`${folder}/${name}`, "somebody's own")
        yield* keep("b", profile)
        assert.deepStrictEqual(Object.keys((yield* readProfiles).profiles), ["a", "b"])
        assert.sameMembers(yield* fs.readDirectory(folder), ["profiles.json", ...own])
      })
    ))

  it.effect("are not written by a command that others took for dead", () =>
    inFolder((folder) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        yield* keep("a", profile)
        const { message } = yield* Effect.flip(keepProfile(() => {
          writeFileSync(`${folder}/profiles.lock`, "of another")
          return "b"
        }, profile))
        assert.match(message, /meanwhile: try again/)
        assert.deepStrictEqual(Object.keys((yield* readProfiles).profiles), ["a"])
        assert.strictEqual(yield* fs.readFileString(`${folder}/profiles.lock`), "of another")
      })
    ))

  it.effect("are not held up by a lock that there was no room to write", () =>
    inFolder((folder) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        yield* keep("a", profile)
        const full = PlatformError.systemError({
          _tag: "WriteZero",
          module: "FileSystem",
          method: "write",
          description: "full"
        })
        const open: FileSystem.FileSystem["open"] = (path, options) =>
          Effect.map(fs.open(path, options), (file) => ({ ...file, writeAll: () => Effect.fail(full) }))
        const withoutRoom = Effect.provideService(keep("b", profile), FileSystem.FileSystem, { ...fs, open })
        assert.match((yield* Effect.flip(withoutRoom)).message, /cannot be written/)
        assert.deepStrictEqual(yield* fs.readDirectory(folder), ["profiles.json"])
      })
    ))

  it.effect("stay where they have another key by now, and say whose place was taken", () =>
    inFolder(() =>
      Effect.gen(function*() {
        const later = { ...profile, key: Redacted.make("turma_later") }
        assert.deepStrictEqual(yield* keep("a", profile), { name: "a", replaced: undefined })
        const { replaced } = yield* keep("a", later)
        assert.strictEqual(Redacted.value(replaced?.key ?? Redacted.make("")), secretKey)
        assert.isFalse(yield* forgetProfile("a", profile))
        assert.isDefined(profileNamed(yield* readProfiles, "a"))
        assert.isTrue(yield* forgetProfile("a", later))
        assert.isUndefined(profileNamed(yield* readProfiles, "a"))
        assert.isTrue(yield* forgetProfile("a", later))
      })
    ))

  it.effect("are preferred by name, and are none of what an object has by itself", () =>
    inFolder(() =>
      Effect.gen(function*() {
        yield* keep("a", profile)
        yield* keep("b", profile)
        assert.deepStrictEqual([yield* preferProfile("a"), (yield* readProfiles).latest], [true, "a"])
        assert.deepStrictEqual([yield* preferProfile("constructor"), (yield* readProfiles).latest], [false, "a"])
        yield* keep("__proto__", profile)
        assert.isDefined(profileNamed(yield* readProfiles, "__proto__"))
      })
    ))

  it.effect.each(["", "settings", "./settings"])(
    "are in no folder that depends on where one is: %j",
    (named) =>
      Effect.gen(function*() {
        const folder = Effect.provide(
          configFolder,
          ConfigProvider.layer(ConfigProvider.fromEnv({ env: { XDG_CONFIG_HOME: named } }))
        )
        assert.match(yield* folder, /^\/.*\/turma$/)
        const home = process.env["HOME"]
        process.env["HOME"] = ""
        const { exit_code, message } = yield* Effect.ensuring(
          Effect.flip(folder),
          Effect.sync(() => {
            if (home === undefined) delete process.env["HOME"]
            else process.env["HOME"] = home
          })
        )
        assert.deepStrictEqual([exit_code, /set HOME or XDG_CONFIG_HOME/.test(message)], [2, true])
      })
  )

  it.effect("have keys that can be sent, and tell of no other", () =>
    Effect.gen(function*() {
      assert.strictEqual(Redacted.value(yield* parseKey(Redacted.make(` ${secretKey}\n`), "It")), secretKey)
      for (const wrong of ["", "turma_a b", "turma_\u0001", "turma_…", "turma_a\nb"]) {
        const { exit_code, message } = yield* Effect.flip(parseKey(Redacted.make(wrong), "TURMA_KEY"))
        assert.deepStrictEqual([exit_code, message], [2, "TURMA_KEY is not a key"])
      }
    }))
})
