import { assert, beforeAll, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { isBuiltin } from "node:module"
import { join } from "node:path"
import { version } from "../../src/platform/version.ts"
import { type Files, type Graph, graphOf, missing, readAll, serverCode } from "./Files.ts"
import { packed, packInto, project, unpack, withFolder } from "./Packed.ts"

// Takes long: all packages are packed twice.

const read = (path: string) => readFileSync(join(project, path), "utf8")

const entries = {
  "turma-client": ["dist/Client.js", "dist/Api.js"],
  "turma-sdk": ["dist/index.js"],
  turma: ["turma", "main", "child", "documentation"].map((name) => `bundle/${name}.js`)
}

interface Contents {
  readonly files: Files
  readonly graph: Graph
}

const contentsOf = (name: keyof typeof entries): Promise<Contents> =>
  withFolder(async (folder) => {
    const own = await unpack(name, folder)
    return { files: await readAll(own), graph: await graphOf(own, entries[name]) }
  })

const manifestOf = ({ files }: Contents) => JSON.parse(files.get("package.json") ?? "{}")

/** Every file that a part of package.json names. */
const targetsOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value.replace(/^\.\//, "")]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(targetsOf) : []
}

const packageOf = (specifier: string) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier

const nothing: Contents = { files: new Map(), graph: { modules: [], outside: [] } }

describe("the packages", () => {
  let client = nothing
  let sdk = nothing
  let service = nothing

  beforeAll(async () => {
    client = await contentsOf("turma-client")
    sdk = await contentsOf("turma-sdk")
    service = await contentsOf("turma")
  })

  it("have the pages made, with nothing of what they are made of", () => {
    const ofPages = [...service.files.keys()].filter((path) => /^src\/(?:browser|classroom|console)\//.test(path))
    assert.include(ofPages, "src/browser/built/console/manifest.json")
    assert.include(ofPages, "src/browser/built/classroom/manifest.json")
    assert.deepStrictEqual(ofPages.filter((path) => !path.startsWith("src/browser/built/")), [])
    const { dependencies } = manifestOf(service)
    assert.doesNotHaveAnyKeys(dependencies, ["preact", "@preact/signals", "uplot", "rolldown"])
  })

  it("have one version, that of the service, and say what changed in it", () => {
    assert.strictEqual(JSON.parse(read("package.json")).version, version)
    for (const contents of [client, sdk, service]) {
      assert.strictEqual(manifestOf(contents).version, version)
      assert.include(contents.files.get("CHANGELOG.md"), `\n## ${version}\n`)
    }
  })

  it("are free to use, are modules, run no script of ours, and name no host", () => {
    for (const contents of [client, sdk, service]) {
      const { license, type, ...manifest } = manifestOf(contents)
      assert.deepStrictEqual([license, type], ["MIT", "module"])
      assert.doesNotHaveAnyKeys(manifest, ["scripts", "repository", "homepage", "bugs", "private", "devDependencies"])
      assert.strictEqual(contents.files.get("LICENSE"), read("LICENSE"))
    }
  })

  it("have every file that they send somebody to, types before what runs", () => {
    for (const contents of [client, sdk, service]) {
      const { bin, exports } = manifestOf(contents)
      const targets = targetsOf([bin, exports]).filter((path) => !path.includes("*"))
      assert.deepStrictEqual(targets.filter((path) => !contents.files.has(path)), [])
    }
    for (const contents of [client, sdk]) {
      assert.deepStrictEqual(missing(contents.files), [])
      assert.deepStrictEqual(Object.keys(manifestOf(contents).exports["."]), ["types", "default"])
    }
  })

  it("are packed into the same bytes by whoever packs the same sources", () =>
    withFolder(async (folder) => {
      await packInto(folder, "077")
      const sums = await Promise.all([await packed, folder].map((place) => readFile(join(place, "SHA256SUMS"), "utf8")))
      assert.match(sums[0] ?? "", /^(?:[0-9a-f]{64} {2}turma[-.\w]*\.tgz\n){3}$/)
      assert.strictEqual(sums[1], sums[0])
    }))

  it("leave no compiled file in the sources", () => {
    const compiled = readdirSync(join(project, "src"), { recursive: true, encoding: "utf8" })
    assert.deepStrictEqual(compiled.filter((path) => path.endsWith(".d.ts")), [])
  })

  it("have a client without any code of the server", () => {
    assert.deepStrictEqual(serverCode(client.files), [])
    assert.deepStrictEqual(client.graph.outside, [
      "effect",
      "effect/encoding/Base64Url",
      "effect/http",
      "effect/http-api",
      "effect/net"
    ])
  })

  it.each([
    ["dist/membership/clubs/Http.js", "", "dist/membership/clubs/Http.js"],
    ["dist/clubs/Clubs.js", "export const a = sql`select 1`", "dist/clubs/Clubs.js says sql`"],
    ["dist/clubs/Clubs.js", `import { readFileSync } from "node:fs"`, "dist/clubs/Clubs.js > node:fs"],
    ["dist/clubs/Clubs.d.ts", `import type { SqlError } from "effect/sql"`, "dist/clubs/Clubs.d.ts > effect/sql"],
    [
      "dist/Api.d.ts",
      `export type A = import("effect/sql/SqlError").SqlError`,
      "dist/Api.d.ts > effect/sql/SqlError"
    ]
  ])("would not have a client with %s: %s", (path, text, found) => {
    assert.deepStrictEqual(serverCode(new Map([[path, text]])), [found])
  })

  it("have a client of what it needs alone, each module with its declaration", () => {
    const own = [...client.files.keys()].filter((path) => path.startsWith("dist/"))
    assert.deepStrictEqual(own.filter((path) => path.endsWith(".js")).toSorted(), client.graph.modules)
    const declared = own.filter((path) => path.endsWith(".d.ts")).map((path) => path.replace(".d.ts", ".js"))
    assert.includeMembers(declared, [...client.graph.modules])
    assert.deepStrictEqual(Object.keys(manifestOf(client).peerDependencies), ["effect"])
    assert.notProperty(manifestOf(client), "dependencies")
  })

  it("have an SDK that needs nothing else", () => {
    assert.deepStrictEqual(sdk.graph.outside, [])
    assert.doesNotHaveAnyKeys(manifestOf(sdk), ["dependencies", "peerDependencies", "optionalDependencies"])
    // Comments in the declarations show how to read a token from the environment.
    assert.deepStrictEqual(serverCode(new Map([...sdk.files].filter(([path]) => path.endsWith(".js")))), [])
  })

  it("have a service that brings whatever it imports, in the very versions of the checkout", () => {
    const { dependencies, optionalDependencies } = manifestOf(service)
    const imported = service.graph.outside.filter((id) => !isBuiltin(id)).map(packageOf)
    assert.deepStrictEqual(imported.filter((name) => dependencies[name] === undefined), [])
    const lock = JSON.parse(read("package-lock.json")).packages
    const versions = Object.keys(dependencies).map((name) => [name, lock[`node_modules/${name}`].version])
    assert.deepStrictEqual(dependencies, Object.fromEntries(versions))
    assert.deepStrictEqual(new Set(Object.values(optionalDependencies)), new Set([lock["node_modules/node"].version]))
  })

  it("have a service with its guides and migrations, and without its sources", () => {
    const paths = [...service.files.keys()]
    const brought = (folder: string) => paths.filter((path) => path.startsWith(folder)).toSorted()
    for (const [folder, ending] of [["src/guides", ".md"], ["migrations", ".sql"]] as const) {
      assert.deepStrictEqual(
        brought(`${folder}/`),
        readdirSync(join(project, folder)).filter((file) => file.endsWith(ending)).map((file) => `${folder}/${file}`)
      )
    }
    assert.deepStrictEqual(paths.filter((path) => /\.ts$|(?<!guides\/.*)(?<!^[^/]*)\.md$/.test(path)), [])
  })
})
