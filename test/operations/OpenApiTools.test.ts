import { assert, describe, it } from "@effect/vitest"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { document } from "../harness/Document.ts"
import { withFiles } from "../harness/Files.ts"
import { lint } from "../tools/Lint.ts"
import { needTools } from "../tools/Needed.ts"
import { compile, project, runTool } from "../tools/Tools.ts"

// Takes long: three tools generate clients of the whole API, and a compiler checks them.

const generate = async (folder: string, tool: string, ...args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await runTool(tool, args, folder)
  assert.strictEqual(code, 0, `${tool}: ${stdout}${stderr}`)
}

const tsconfig = {
  compilerOptions: {
    target: "ES2024",
    lib: ["ES2024", "DOM", "DOM.Iterable"],
    module: "Preserve",
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    types: []
  },
  include: ["."]
}

// The client uses `fetch` with JSON. For a body that may also be CSV, orval generates code that does not compile.
const orval = `
  export default {
    turma: {
      input: { target: "openapi.json" },
      output: {
        target: "orval/client.ts",
        client: "fetch",
        mode: "single",
        override: { contentType: { exclude: ["text/csv"] } }
      }
    }
  }
`

// The types are worth something if they refuse wrong code.
const use = `
  import type { components, paths } from "./openapi-typescript/schema"
  import { type CreatedEndpoint } from "./names"
  import { webhookEndpointsCreate as heyApi } from "./hey-api"
  import { webhookEndpointsCreate as orval } from "./orval/client"

  const clubId = "6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10"
  const body: CreatedEndpoint = { url: "https://hooks.flauta.example/turma", event_types: ["student.created"] }
  // @ts-expect-error: types are a list
  const wrong: CreatedEndpoint = { url: "https://hooks.flauta.example/turma", event_types: "student.created" }
  export const status = (endpoint: components["schemas"]["WebhookEndpoint"]): "enabled" | "paused" | "disabled" =>
    endpoint.status

  export const answers = async () => {
    const one = await heyApi({ path: { clubId }, body })
    const answered = one.data?.data
    // @ts-expect-error: it is a text
    const secret: number | undefined = answered?.secret
    // @ts-expect-error: it has no such field
    const nothing = answered?.nothing
    const two = await orval(clubId, body)
    const other: string | undefined = two.status === 201 ? two.data.data.secret : undefined
    // @ts-expect-error: it has no such field
    await heyApi({ path: { clubId }, body: { ...body, colour: "red" } })
    // @ts-expect-error: it has no such field
    await orval(clubId, { ...body, colour: "red" })
    return [secret, nothing, other, wrong]
  }
`

const names = `
  import type { paths } from "./openapi-typescript/schema"
  type Create = paths["/v1/clubs/{clubId}/webhook-endpoints"]["post"]
  export type CreatedEndpoint = Create["requestBody"]["content"]["application/json"]
`

describe("Clients generated from the document", () => {
  it("by openapi-typescript, hey-api and orval compile strictly, and know what is sent and answered", async (context) => {
    await needTools(context)
    const files = {
      "openapi.json": JSON.stringify(document),
      "orval.config.mjs": orval,
      "tsconfig.json": JSON.stringify(tsconfig),
      "names.ts": names,
      "use.ts": use
    }
    await withFiles(files, async (folder) => {
      await generate(folder, "openapi-typescript", "openapi.json", "--output", "openapi-typescript/schema.ts")
      await generate(folder, "openapi-ts", "--input", "openapi.json", "--output", "hey-api")
      await generate(folder, "orval", "--config", "orval.config.mjs")
      const { code, stdout } = await compile(folder)
      assert.deepStrictEqual({ code, stdout }, { code: 0, stdout: "" })
    })
  })
})

describe("The linters", () => {
  it("find an operation that says nothing of itself, and an example that its schema does not take", async (context) => {
    await needTools(context)
    const operation = (example: unknown) => ({
      operationId: "things.list",
      tags: ["Things"],
      summary: "List the things",
      responses: {
        200: {
          description: "All of them",
          content: { "application/json": { schema: { type: "string" }, example } }
        },
        400: { description: "Not so" }
      },
      security: []
    })
    const written = {
      openapi: "3.1.0",
      info: {
        title: "Things",
        version: "1",
        description: "Of things",
        contact: { name: "Nobody" },
        license: { name: "None", identifier: "MIT" }
      },
      servers: [{ url: "https://things.test" }],
      tags: [{ name: "Things", description: "What there is" }],
      paths: { "/things": { get: operation(1) } }
    }
    await withFiles({ "openapi.json": JSON.stringify(written) }, async (folder) => {
      const rules = (await lint(join(folder, "openapi.json"))).map(({ rule }) => rule)
      assert.deepStrictEqual(rules, [
        "spectral operation-description",
        "spectral oas3-valid-media-example",
        "redocly no-invalid-media-type-examples"
      ])
    })
  })

  it("have every recommended rule on", async () => {
    const read = (name: string) => readFile(join(project, "test/tools", name), "utf8")
    assert.deepStrictEqual(JSON.parse(await read("spectral.json")), { extends: [["spectral:oas", "recommended"]] })
    assert.strictEqual(await read("redocly.yaml"), "telemetry: \"off\"\nextends:\n  - recommended\n")
  })
})
