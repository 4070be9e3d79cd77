import { NodeServices } from "@effect/platform-node"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { globSync, readFileSync } from "node:fs"
import { cp, mkdir } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { interfaceVersion, version } from "../../src/platform/version.ts"
import { ask, post, runTurma, startApi } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { type EmptyProject, installedProject, node22In, sharedProject, withFolder, withoutRegistry } from "./Packed.ts"

// Takes long: it installs the service and starts it several times.
// The service and the command line as their users have them: installed from the tarball into an empty project.

/** As in another person's terminal: without the programs of our own packages. */
const terminal = {
  PATH: (process.env["PATH"] ?? "").split(delimiter).filter((place) => !place.includes("node_modules")).join(delimiter)
}

/** Makes Node report another version. */
const pretending = (version: string) =>
  `data:text/javascript,${
    encodeURIComponent(`Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`)
  }`

const credentials = { email: "rita@example.com", password: "sopro e dedos" }

const mailsIn = (folder: string) =>
  globSync("*.eml", { cwd: folder }).map((mail) => readFileSync(join(folder, mail), "utf8")).join("\n")

/** The token in the first mail, from the folder that the service names. */
const mailedToken = (folder: string) =>
  Effect.sync(() => /^X-Link: .*token=(\S+)/m.exec(mailsIn(join(folder, ".data/mail")))?.[1] ?? "").pipe(
    Effect.delay("50 millis"),
    Effect.repeat({ until: (token) => token !== "" })
  )

describe.skipIf(withoutRegistry)("turma in an empty project", () => {
  let empty: EmptyProject
  let command = ""
  let node22 = ""

  beforeAll(async () => {
    node22 = node22In(await sharedProject())
    empty = await installedProject("turma")
    command = join(empty.folder, "node_modules/turma/bin/turma.js")
    return empty.remove
  })

  it.live("serves from an empty folder, ends at once when told to, and goes on from where it was", () =>
    Effect.gen(function*() {
      const folder = yield* postgresFolder()
      // npx does the same after it has installed the package.
      const path = `${join(empty.folder, "node_modules/.bin")}${delimiter}${terminal.PATH}`
      const serve = startApi({ program: "turma", args: [], cwd: folder, env: { PATH: path } })
      const first = yield* serve
      assert.deepStrictEqual((yield* ask(`${first.url}/v1/health`)).json, { data: { status: "ok", version } })
      assert.include(first.said.stdout, "Making a database in")
      assert.include(first.said.stdout, `All data is in ${folder}/.data`)
      assert.notInclude(first.said.stdout, "from its sources")
      assert.include((yield* ask(`${first.url}/docs/guides/tour`)).text, "<title>Tour · Turma</title>")
      assert.include((yield* ask(`${first.url}/account/sign-up`)).text, "stylesheet")
      const page = (yield* ask(`${first.url}/console`)).text
      const modules = [...page.matchAll(/(?:href|src)="(\/console\/assets\/[^"]+\.js)"/g)].map(([, path = ""]) => path)
      const scripts = yield* Effect.forEach(modules, (path) => ask(first.url + path))
      assert.isTrue(scripts.some(({ text }) => text.includes("application-name")))
      yield* post(`${first.url}/v1/auth/admin/sign-up`, { name: "Rita", ...credentials })
      yield* post(`${first.url}/v1/auth/admin/confirm`, { token: yield* mailedToken(folder) })
      assert.deepStrictEqual((yield* first.end()).code, 0)

      const second = yield* serve
      assert.notInclude(second.said.stdout, "Applied migration")
      assert.strictEqual((yield* post(`${second.url}/v1/auth/admin/sign-in`, credentials)).status, 200)
      assert.strictEqual((yield* second.end()).code, 0)
      assert.deepStrictEqual(yield* (yield* FileSystem.FileSystem).readDirectory(folder), [".data"])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("runs on the Node that it brings where the machine has an older one, in several processes too", () =>
    Effect.gen(function*() {
      const folder = yield* postgresFolder()
      const turma = yield* startApi({ program: node22, args: [command, "serve"], cwd: folder, env: { PROCESSES: "2" } })
      assert.strictEqual((yield* ask(`${turma.url}/v1/health`)).status, 200)
      const ended = yield* turma.end()
      assert.deepStrictEqual([ended.code, ended.stderr], [0, ""])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live.each([
    { name: "the Node that runs this", program: () => process.execPath, flags: [] },
    { name: "Node 22", program: () => node22, flags: [] },
    { name: "a Node 20", program: () => process.execPath, flags: ["--import", pretending("20.20.2")] }
  ])("answers its version and its contract on $name", ({ flags, program }) =>
    Effect.gen(function*() {
      const options = { program: program(), cwd: empty.folder, env: {} }
      const told = yield* runTurma({ ...options, args: [...flags, command, "--version"] })
      assert.deepStrictEqual([told.code, told.stdout], [0, `turma v${version}\n`])
      const contract = yield* runTurma({ ...options, args: [...flags, command, "openapi"] })
      assert.strictEqual(JSON.parse(contract.stdout).info.version, interfaceVersion)
    }))

  it("says what it needs where the Node is old and none was brought", () =>
    withFolder(async (folder) => {
      const own = join(folder, "node_modules/turma")
      await mkdir(own, { recursive: true })
      await Promise.all(["bin", "package.json"].map((name) =>
        cp(join(empty.folder, "node_modules/turma", name), join(own, name), { recursive: true })
      ))
      const args = ["--import", pretending("20.20.2"), join(own, "bin/turma.js")]
      const ended = await Effect.runPromise(runTurma({ args, cwd: folder, env: {} }))
      assert.strictEqual(ended.code, 1)
      assert.match(
        ended.stderr,
        /^turma: needs Node 24\.\d+\.\d+ or newer and this is 20\.20\.2; the package brings one, node-[\w-]+, which is not installed: .*\n$/
      )
    }))
})
