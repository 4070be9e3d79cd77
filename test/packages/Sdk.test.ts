import { assert, beforeAll, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { version } from "../../src/platform/version.ts"
import { AppLayer } from "../harness/App.ts"
import { run } from "../harness/Programs.ts"
import { browser, check, checkReadme, compilers, node22, pageOf, settings } from "./Checked.ts"
import { type EmptyProject, installedProject, programOf, withoutRegistry } from "./Packed.ts"

// Takes long: it installs packages and runs two compilers.
// The SDK as its users have it: installed from its tarball into an empty project without other packages of ours.

const use = `
import { createTurma, type Turma, TurmaError, verifyWebhook } from "turma-sdk"

const turma: Turma = createTurma({ baseUrl: "http://127.0.0.1:3000", token: "a" })

export const version: Promise<string> = turma.health.live().then(({ data }) => data.version)

export const names = async (clubId: string) => {
  const found: Array<string> = []
  for await (const { name } of turma.students.list({ clubId, limit: 100 })) found.push(name)
  return found
}

export const verified = (body: string, headers: Headers) => verifyWebhook({ secret: "whsec_YQ==", body, headers })

export const codeOf = (error: unknown) => error instanceof TurmaError ? error.code : undefined

// @ts-expect-error: there is no such operation
export const nothing = () => turma.health.nothing()
`

const baseUrl = Effect.map(
  HttpServer.HttpServer,
  ({ address }) => `http://127.0.0.1:${address._tag === "UnixPathAddress" ? 0 : address.port}`
)

describe.skipIf(withoutRegistry)("turma-sdk in an empty project", () => {
  let empty: EmptyProject

  beforeAll(async () => {
    empty = await installedProject(["turma-sdk"], [...compilers, node22.spec])
    await writeFile(join(empty.folder, "use.ts"), use)
    const folder = join(empty.folder, "commonjs")
    await mkdir(folder)
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "commonjs" }))
    const make = `console.log(typeof createTurma({ baseUrl: "http://localhost" }).GET)`
    await writeFile(join(folder, "use.ts"), `import { createTurma } from "turma-sdk"\n${make}\n`)
    await writeFile(join(folder, "use.js"), `const { createTurma } = require("turma-sdk")\n${make}\n`)
    return empty.remove
  })

  it.each(settings)("is checked whole by $compiler with the modules of $module", async (setting) => {
    assert.deepStrictEqual(await check(empty.folder, { ...setting, lib: browser, types: [] }), [])
    assert.deepStrictEqual(await check(empty.folder, { ...setting, lib: ["ES2024"], types: ["node"] }), [])
  })

  it("has a README whose programs are right", async () => {
    assert.deepStrictEqual(await checkReadme(empty.folder, "turma-sdk"), { faults: [], programs: 4 })
  })

  it("is required by programs that are no modules, as npm init makes them", async () => {
    const programs = [process.execPath, join(empty.folder, node22.program)]
    const said = await Promise.all(programs.map((node) => run(node, ["commonjs/use.js"], { cwd: empty.folder })))
    assert.deepStrictEqual(said.map(({ stdout }) => stdout), ["function\n", "function\n"])
  })

  it.each(settings)("is checked there by $compiler with the modules of $module", async (setting) => {
    const files = ["commonjs/use.ts"]
    assert.deepStrictEqual(await check(empty.folder, { ...setting, lib: ["ES2024"], types: ["node"] }, files), [])
  })

  it("is a page of less than 15 kB, compressed, that imports nothing", async () => {
    const { compressed, imports, size } = await pageOf(
      empty.folder,
      `import { createTurma, verifyWebhook } from "turma-sdk"
       console.log(createTurma({ baseUrl: "https://turma.example" }), verifyWebhook)`
    )
    process.stdout.write(`turma-sdk in a page: ${size} bytes, ${compressed} compressed\n`)
    assert.deepStrictEqual(imports, [])
    assert.isBelow(compressed, 15_000)
  })

  layer(AppLayer, { timeout: "60 seconds" })((it) => {
    it.effect("runs its README's program on Node 24 and on Node 22", () =>
      Effect.gen(function*() {
        const program = yield* Effect.flatMap(baseUrl, (url) => Effect.promise(() => programOf("turma-sdk", url)))
        yield* Effect.promise(() => writeFile(join(empty.folder, "program.ts"), program))
        for (const node of [process.execPath, join(empty.folder, node22.program)]) {
          const { stdout } = yield* Effect.promise(() => run(node, ["program.ts"], { cwd: empty.folder }))
          assert.strictEqual(stdout, `${version}\n`)
        }
      }))
  })
})
