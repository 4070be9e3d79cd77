import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Path } from "effect"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { startArguments } from "../harness/ScriptArguments.ts"

const source = fileURLToPath(new URL("../../src/cli/keepCompiled.js", import.meta.url))

/** A program in TypeScript that prints true if its process has loaded Node's compiler for TypeScript. */
const compilerIsLoaded = `
  const loaded: unknown = Reflect.get(process, "moduleLoadList")
  console.log(String(loaded).includes("internal/deps/amaro"))`

const script = `
  await import(process.argv[1])
  console.log((await import("node:module")).getCompileCacheDir() ?? "none")`

/** Runs a copy in `folder` that prints the folder for its compiled code. Answers its output. */
const askCopy = Effect.fnUntraced(function*(folder: string, env: Record<string, string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const copy = path.join(folder, "src", "cli", "keepCompiled.js")
  yield* fs.makeDirectory(path.dirname(copy), { recursive: true })
  yield* fs.copyFile(source, copy)
  const args = ["--input-type=module", "--eval", script, copy]
  return yield* Effect.promise(() => promisify(execFile)(process.execPath, args, { env }))
})

layer(NodeServices.layer, { concurrent: true, excludeTestServices: true })("What is compiled", (it) => {
  it.effect("is kept beside the packages", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const { stdout } = yield* askCopy(folder, { HOME: "/dev/null" })
      assert.isTrue(stdout.startsWith(`${folder}/node_modules/.cache/node/`), stdout)
    }))

  it.effect("is kept for this user where the copy cannot be written to", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      yield* fs.writeFileString(`${folder}/node_modules`, "no folder")
      const { stdout } = yield* askCopy(folder, { XDG_CACHE_HOME: `${folder}/mine` })
      assert.isTrue(stdout.startsWith(`${folder}/mine/turma/`), stdout)
    }))

  it.effect("is not kept where nothing can be written, and nobody hears of it", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      yield* fs.writeFileString(`${folder}/node_modules`, "no folder")
      assert.deepStrictEqual(yield* askCopy(folder, { HOME: "/dev/null" }), { stdout: "none\n", stderr: "" })
    }))

  it.effect("is kept where the environment says", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const { stdout } = yield* askCopy(folder, { NODE_COMPILE_CACHE: `${folder}/named` })
      assert.isTrue(stdout.startsWith(`${folder}/named/`), stdout)
    }))

  it.effect("spares another start the compiler of TypeScript", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      yield* fs.makeDirectory(`${folder}/src/cli/bundle`, { recursive: true })
      for (const file of ["keepCompiled.js", "requireNode.js", "run.js", "bundle/place.js"]) {
        yield* fs.copyFile(
          fileURLToPath(new URL(`../../src/cli/${file}`, import.meta.url)),
          `${folder}/src/cli/${file}`
        )
      }
      yield* fs.writeFileString(`${folder}/package.json`, `{ "type": "module" }`)
      yield* fs.writeFileString(`${folder}/package-lock.json`, "{}")
      yield* fs.writeFileString(`${folder}/src/main.ts`, compilerIsLoaded)
      const start = Effect.promise(() =>
        promisify(execFile)(process.execPath, startArguments, { cwd: folder, env: {} })
      )
      assert.strictEqual((yield* start).stdout, "true\n")
      assert.strictEqual((yield* start).stdout, "false\n")
    }))
})
