import { assert, describe, it } from "@effect/vitest"
import { cp, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { withFiles } from "../../harness/Files.ts"
import { run } from "../../harness/Programs.ts"
import { project } from "../../tools/Tools.ts"

/** A contract with one operation of this id. */
const contract = (id: string) => `
  export const contractDocument = {
    security: [],
    paths: { "/v1/things": { get: { operationId: "${id}", summary: "List", responses: { 204: {} } } } },
    webhooks: {},
    components: { schemas: {} }
  }`

const copied = [
  "src/cli/sdk",
  "src/cli/bundle/place.js",
  "src/operations/documentation/ApiDocument.ts",
  "src/platform/http/document/Schemas.ts"
]

/** A project with the program that makes the files, and a contract. */
const withProject = (use: (folder: string) => Promise<void>) =>
  withFiles({ "package.json": `{ "type": "module" }`, "package-lock.json": "{}" }, async (folder) => {
    await Promise.all(copied.map(async (path) => {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await cp(join(project, path), join(folder, path), { recursive: true })
    }))
    await mkdir(join(folder, "src/sdk/contract"), { recursive: true })
    await writeContract(folder, "things.list")
    await use(folder)
  })

const writeContract = (folder: string, id: string) =>
  writeFile(join(folder, "src/cli/bundle/contractDocument.ts"), contract(id))

const make = (folder: string) => run(process.execPath, ["src/cli/sdk/make.ts"], { cwd: folder })

const placeOf = (folder: string, name: string) => join(folder, "src/sdk/contract", name)

const routesIn = (folder: string) => readFile(placeOf(folder, "Routes.ts"), "utf8")

const madeAt = async (folder: string) => (await stat(placeOf(folder, "Routes.ts"))).mtimeMs

describe("What the SDK has of the contract", () => {
  it("is made, and left alone while the sources are the same", () =>
    withProject(async (folder) => {
      await make(folder)
      assert.include(await routesIn(folder), `"things.list": "GET /v1/things open"`)
      const before = await madeAt(folder)
      await make(folder)
      assert.strictEqual(await madeAt(folder), before)
    }))

  it("is made anew of another contract, and left alone by a source that changes nothing of it", () =>
    withProject(async (folder) => {
      await make(folder)
      const before = await madeAt(folder)
      await writeFile(join(folder, "src/other.ts"), "export {}")
      await make(folder)
      assert.strictEqual(await madeAt(folder), before)
      await writeContract(folder, "things.all")
      await make(folder)
      assert.include(await routesIn(folder), `"things.all"`)
    }))

  it("is made anew where a file of it was edited or is gone", () =>
    withProject(async (folder) => {
      await make(folder)
      const text = await routesIn(folder)
      await writeFile(placeOf(folder, "Routes.ts"), `${text}// edited`)
      await rm(placeOf(folder, "Schemas.ts"))
      await make(folder)
      assert.strictEqual(await routesIn(folder), text)
      assert.include(await readFile(placeOf(folder, "Schemas.ts"), "utf8"), `"things.list"`)
    }))

  it("is there for all who make it at once", () =>
    withProject(async (folder) => {
      await Promise.all([make(folder), make(folder), make(folder)])
      assert.include(await routesIn(folder), `"things.list"`)
    }))
})
