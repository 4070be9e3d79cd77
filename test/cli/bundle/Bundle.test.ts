import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { execFile, spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const project = fileURLToPath(new URL("../../../", import.meta.url))

const run = (cwd: string, ...args: ReadonlyArray<string>) =>
  Effect.promise(async () => (await promisify(execFile)(process.execPath, args, { cwd, env: {} })).stdout.trim())

/** Prints if it ran from the bundle or the sources, and the text of a file beside its source. */
const program = `
  import { readFileSync } from "node:fs"
  const from: string = String(new Error().stack).includes(".cache/turma") ? "bundle" : "sources"
  console.log(from, readFileSync(new URL("beside.txt", import.meta.url), "utf8"))`

/** A project with its own program, and the functions that make and run its bundles. */
const makeProject = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.realPath(yield* fs.makeTempDirectoryScoped())
  yield* fs.makeDirectory(`${folder}/node_modules`)
  for (const name of ["rolldown", "@rolldown", "@oxc-project"]) {
    yield* fs.symlink(`${project}node_modules/${name}`, `${folder}/node_modules/${name}`)
  }
  yield* fs.makeDirectory(`${folder}/src/cli`, { recursive: true })
  yield* fs.copy(`${project}src/cli/bundle`, `${folder}/src/cli/bundle`)
  for (const name of ["run.js", "requireNode.js", "keepCompiled.js"]) {
    yield* fs.copyFile(`${project}src/cli/${name}`, `${folder}/src/cli/${name}`)
  }
  yield* fs.writeFileString(`${folder}/package.json`, `{ "type": "module" }`)
  yield* fs.writeFileString(`${folder}/package-lock.json`, "{}")
  yield* fs.writeFileString(`${folder}/src/beside.txt`, "found")
  yield* fs.writeFileString(`${folder}/src/main.ts`, program)
  for (const name of ["child", "documentation"]) {
    yield* fs.writeFileString(`${folder}/src/cli/${name}.ts`, program.replace("beside", "../beside"))
  }
  yield* fs.writeFileString(
    `${folder}/src/cli/bundle/contractDocument.ts`,
    `export const contractDocument = { of: "sources" }`
  )
  const start = (...args: ReadonlyArray<string>) => run(folder, "src/cli/run.js", ...args)
  return { folder, fs, start, make: run(folder, "src/cli/bundle/make.ts") }
})

layer(NodeServices.layer, { concurrent: true, excludeTestServices: true })("A bundle", (it) => {
  it.effect("is run instead of the sources, and finds what lies beside them", () =>
    Effect.gen(function*() {
      const { folder, fs, make, start } = yield* makeProject
      assert.strictEqual(yield* start(), "sources found")
      assert.strictEqual(yield* start("child"), "sources found")
      assert.strictEqual(yield* start("documentation"), "sources found")
      yield* make
      assert.strictEqual(yield* start(), "bundle found")
      assert.strictEqual(yield* start("child"), "bundle found")
      assert.strictEqual(yield* start("documentation"), "bundle found")
      const cache = `${folder}/node_modules/.cache/turma`
      const [bundle] = yield* fs.readDirectory(cache)
      assert.strictEqual(yield* fs.readFileString(`${cache}/${bundle}/openapi.json`), `{"of":"sources"}`)
    }))

  it.effect("has the modules that its own start as threads, without their sources", () =>
    Effect.gen(function*() {
      const { folder, fs, make, start } = yield* makeProject
      yield* fs.writeFileString(`${folder}/src/part.ts`, `export const said: string = "by a thread"`)
      yield* fs.writeFileString(
        `${folder}/src/thread.ts`,
        `import { said } from "./part.ts"\nconsole.log(String(new Error().stack).includes(".cache/turma"), said)`
      )
      yield* fs.writeFileString(
        `${folder}/src/main.ts`,
        `import { Worker } from "node:worker_threads"\nnew Worker(new URL("./thread.ts", import.meta.url))`
      )
      assert.strictEqual(yield* start(), "false by a thread")
      yield* make
      assert.strictEqual(yield* start(), "true by a thread")
    }))

  it.effect("is not run once a source or the packages are others, and again once it is made anew", () =>
    Effect.gen(function*() {
      const { folder, fs, make, start } = yield* makeProject
      const changes = [
        fs.writeFileString(`${folder}/src/main.ts`, `${program} // edited`),
        fs.utimes(`${folder}/src/main.ts`, 1, 1),
        fs.writeFileString(`${folder}/src/new.ts`, "export {}"),
        Effect.andThen(fs.remove(`${folder}/src/new.ts`), fs.remove(`${folder}/src/cli/old.ts`)),
        fs.writeFileString(`${folder}/src/prices.json`, "[1]"),
        fs.writeFileString(`${folder}/package-lock.json`, "{ }"),
        fs.remove(`${folder}/package-lock.json`)
      ]
      yield* fs.writeFileString(`${folder}/src/cli/old.ts`, "export {}")
      for (const change of changes) {
        yield* make
        assert.strictEqual(yield* start(), "bundle found")
        yield* change
        assert.strictEqual(yield* start(), "sources found")
      }
    }))

  it.effect("is run when a file has come and gone since", () =>
    Effect.gen(function*() {
      const { folder, fs, make, start } = yield* makeProject
      yield* make
      yield* fs.writeFileString(`${folder}/src/new.ts`, "export {}")
      yield* fs.remove(`${folder}/src/new.ts`)
      assert.strictEqual(yield* start(), "bundle found")
    }))

  it.effect("stays for those that run from it when another one is made, and is made once", () =>
    Effect.gen(function*() {
      const { folder, fs, make } = yield* makeProject
      const made = fs.readDirectory(`${folder}/node_modules/.cache/turma`)
      yield* make
      yield* make
      const [first] = yield* made
      assert.lengthOf(yield* made, 1)
      yield* fs.utimes(`${folder}/src/main.ts`, 1, 1)
      yield* make
      assert.lengthOf(yield* made, 2)
      assert.include(yield* made, first)
    }))

  it.effect("is run where the packages are another folder's, and a source has a link to nowhere beside it", () =>
    Effect.gen(function*() {
      const { folder, fs, make, start } = yield* makeProject
      const elsewhere = yield* fs.makeTempDirectoryScoped()
      yield* fs.rename(`${folder}/node_modules`, `${elsewhere}/packages`)
      yield* fs.symlink(`${elsewhere}/packages`, `${folder}/node_modules`)
      yield* fs.symlink(`${folder}/nowhere`, `${folder}/src/.#main.ts`)
      yield* make
      assert.strictEqual(yield* start(), "bundle found")
    }))

  it.effect("that two make at once is there for both", () =>
    Effect.gen(function*() {
      const { make, start } = yield* makeProject
      yield* Effect.all([make, make, make], { concurrency: "unbounded" })
      assert.strictEqual(yield* start(), "bundle found")
    }))

  it.effect("that breaks off leaves nothing", () =>
    Effect.gen(function*() {
      const { folder, fs, make, start } = yield* makeProject
      yield* fs.writeFileString(`${folder}/src/cli/child.ts`, `import "./nowhere.ts"`)
      assert.isTrue(yield* Effect.match(Effect.sandbox(make), { onFailure: () => true, onSuccess: () => false }))
      const cache = `${folder}/node_modules/.cache/turma`
      assert.deepStrictEqual((yield* fs.exists(cache)) ? yield* fs.readDirectory(cache) : [], [])
      assert.strictEqual(yield* start(), "sources found")
    }))
})

layer(NodeServices.layer, { excludeTestServices: true })("The service's bundle", (it) => {
  it.effect("is all that is loaded: the message about a malformed variable leaves out its sources", () =>
    Effect.gen(function*() {
      // In a copy of the project, so that the bundle of other tests does not change meanwhile.
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.realPath(yield* fs.makeTempDirectoryScoped())
      yield* fs.copy(`${project}src`, `${folder}/src`)
      for (const name of ["package.json", "package-lock.json"]) yield* fs.copyFile(project + name, `${folder}/${name}`)
      yield* fs.makeDirectory(`${folder}/node_modules`)
      for (const name of yield* fs.readDirectory(`${project}node_modules`)) {
        if (name !== ".cache") yield* fs.symlink(`${project}node_modules/${name}`, `${folder}/node_modules/${name}`)
      }
      yield* run(folder, "src/cli/bundle/make.ts")
      const script = `
        import { registerHooks } from "node:module"
        registerHooks({ load: (url, context, next) => {
          console.log(url)
          return next(url, context)
        } })
        await import("./src/cli/run.js")`
      const { status, stderr, stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
        cwd: folder,
        env: { PORT: "many" },
        encoding: "utf8"
      })
      assert.strictEqual(status, 2)
      assert.include(stderr, "PORT")
      const sources = `file://${folder}/src/`
      assert.deepStrictEqual(
        stdout.split("\n").filter((url) => url.startsWith(sources)).map((url) => url.slice(sources.length)),
        ["cli/run.js", "cli/requireNode.js", "cli/keepCompiled.js", "cli/bundle/place.js"]
      )
    }))

  it.effect("finds the packages that it leaves out where their importers do", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const ofEffect = yield* fs.readDirectory(`${project}node_modules/@effect`)
      const packages = ["effect", ...ofEffect.map((name) => `@effect/${name}`)]
      const nested = yield* Effect.filter(packages, (name) => fs.exists(`${project}node_modules/${name}/node_modules`))
      assert.deepStrictEqual(nested, [])
    }))
})
