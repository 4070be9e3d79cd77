import { NodeServices } from "@effect/platform-node"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { HttpServer } from "effect/http"
import { Dns, NetAddress } from "effect/net"
import { execFile, spawnSync } from "node:child_process"
import { promisify } from "node:util"
import {
  clientCallOf,
  curlOf,
  fetchOf,
  scriptVariable,
  shellVariable
} from "../../../src/operations/documentation/Examples.ts"
import { project } from "../../guides/Guides.ts"
import { appLayer, foundClub } from "../../harness/App.ts"
import { isEndless } from "../../harness/Endless.ts"
import { routesOnNames } from "../../harness/RoutesOnNames.ts"
import { apiDocument, codeOf, files, listed } from "./Site.ts"

// Takes long: it compiles and runs every example.

const run = promisify(execFile)

const commands = listed.map((operation) => ({ operation, command: curlOf(apiDocument, operation) }))

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)

describe("the examples of the reference", () => {
  it("are on their pages, as a command and as a script", () => {
    for (const { command, operation } of commands) {
      const page = files.get(`/docs/reference/${operation.slug}`) ?? ""
      assert.include(codeOf(page, "sh"), command)
      assert.includeMembers([...codeOf(page, "ts")], [fetchOf(apiDocument, operation), clientCallOf(operation)])
    }
  })

  it("are commands that bash can read, with bodies that are JSON", () => {
    const script = commands.map(({ command }) => command).join("\n")
    const { status, stderr } = spawnSync("bash", ["-n"], { input: script, encoding: "utf8" })
    assert.deepStrictEqual([status, stderr], [0, ""])
    // The bodies as the shell parses them.
    const stand = `curl() { while [ $# -gt 0 ]; do [ "$1" = -d ] && printf '%s\\0' "$2"; shift; done; }\n${script}`
    const bodies = spawnSync("bash", [], { input: stand, encoding: "utf8" }).stdout.split("\0").slice(0, -1)
    assert.isAbove(bodies.length, 80)
    for (const body of bodies) assert.doesNotThrow(() => JSON.parse(body), body)
  })

  it("name no variable that the page does not explain", () => {
    for (const { command, operation } of commands) {
      const known = new Set([
        "TURMA",
        "TOKEN",
        ...namesIn(operation.path).map((name) => shellVariable(name, operation.path))
      ])
      const used = [...command.split(" -d ")[0]?.matchAll(/\$(\w+)/g) ?? []].map(([, name = ""]) => name)
      assert.deepStrictEqual(used.filter((name) => !known.has(name)), [], command)
      const page = files.get(`/docs/reference/${operation.slug}`) ?? ""
      for (const name of namesIn(operation.path)) {
        assert.include(page, `<code>$${shellVariable(name, operation.path)}</code>`)
      }
    }
  })
})

layer(NodeServices.layer)("the examples in TypeScript", (it) => {
  it.effect("are accepted by the compiler, with fetch and with the typed client", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      // Inside the project, so that the compiler finds its packages.
      const folder = yield* fs.makeTempDirectoryScoped({
        directory: `${project}node_modules/.cache`,
        prefix: "examples-"
      })
      const constants = (path: string) =>
        namesIn(path).map((name) => `const ${scriptVariable(name, path)} = "…"\n`).join("")
      const fetches = listed.map((operation) => `{\n${constants(operation.path)}${fetchOf(apiDocument, operation)}\n}`)
      const calls = listed.map((operation) => {
        const type = `Parameters<TurmaClient["${operation.operationId.replace(".", `"]["`)}"]>[0]`
        const names = namesIn(operation.path).map((name) => `${name}: ${scriptVariable(name, operation.path)}`)
          .join(", ")
        const parts = [
          ...names === "" ? [] : [`params: { ${names} }`],
          ...["query", "headers", "payload"].filter((part) => new RegExp(`\\b${part}\\b`).test(clientCallOf(operation)))
        ].join(", ")
        return `export const ${operation.operationId.replace(".", "_")} = (client: TurmaClient, ${
          parts === "" ? "" : `{ ${parts} }: ${type}`
        }) => Effect.gen(function*() { ${clientCallOf(operation)} })`
      })
      yield* fs.writeFileString(
        `${folder}/fetches.ts`,
        `const turma = "…"\nconst token = "…"\n${fetches.join("\n")}\nexport {}\n`
      )
      yield* fs.writeFileString(
        `${folder}/calls.ts`,
        `import { Effect } from "effect"\nimport type { TurmaClient } from "${project}src/Client.ts"\n${
          calls.join("\n")
        }\n`
      )
      yield* fs.writeFileString(
        `${folder}/tsconfig.json`,
        JSON.stringify({
          extends: `${project}tsconfig.json`,
          compilerOptions: {
            noUnusedLocals: false,
            noUnusedParameters: false,
            typeRoots: [`${project}node_modules/@types`]
          },
          include: ["."],
          exclude: []
        })
      )
      const compiled = yield* Effect.promise(() =>
        run(`${project}node_modules/.bin/tsc`, ["--noEmit", "-p", folder]).then(
          () => "",
          (error: { stdout: string }) => error.stdout
        )
      )
      assert.strictEqual(compiled, "")
    }).pipe(Effect.scoped))
})

/** Operations that do not succeed in a new club, and why. */
const unreached: Readonly<Record<string, string>> = {
  "billing.contract": "the catalog of this service has no add-on",
  "billing.checkout": "only Stripe sells",
  "billing.portal": "only Stripe has one",
  "billing.upcoming": "nothing is to be paid",
  "community.orderSpaces": "it names the spaces that there are",
  "courses.order": "it names the courses that there are",
  "keys.approveDevice": "it names the code of a terminal that waits",
  "productMappings.create": "it is to a delivery that there is"
}

// The answer of the internet's name servers for the one name that an example resolves.
const address = NetAddress.ipv4FromBytesUnsafe(Uint8Array.of(93, 184, 215, 14))
const ExampleNames = Layer
  .orDie(Dns.layerStatic({ records: { "example.com": [Dns.makeRecordUnsafe("A", { address })] } }))

layer(appLayer({}, { routes: routesOnNames(ExampleNames) }))(
  "the commands of the reference",
  (it) => {
    it.effect("work as they are pasted, whether they read or write, where they name nothing but a club", () =>
      Effect.gen(function*() {
        const { address } = yield* HttpServer.HttpServer
        const port = address._tag === "UnixPathAddress" ? 0 : address.port
        const { organization_id, token } = yield* foundClub()
        const shown = commands.filter(({ operation: { path, security = [] } }) =>
          path.startsWith("/v1/clubs/{clubId}/") && namesIn(path).length === 1 &&
          security.some((scheme) => "userSession" in scheme)
        )
        assert.isAbove(shown.filter(({ operation: { method } }) => method === "GET").length, 25)
        const script = [
          `TURMA=http://127.0.0.1:${port}`,
          `TOKEN=${token}`,
          `CLUB=${organization_id}`,
          // Without quotes, the message of a failure is one line.
          // A stream without an end is read for three seconds.
          ...shown.map(({ command, operation: { operationId, path } }) =>
            isEndless(path)
              ? `answer=$(\ntimeout 3 ${command} 2>&1\n) || [[ $? = 124 ]] || echo "${operationId}" $answer`
              : `answer=$(\n${command} 2>&1\n) || echo "${operationId}" $answer`
          )
        ].join("\n")
        const { stdout } = yield* Effect.promise(() => run("bash", ["-c", script]))
        const failures = stdout.split("\n").slice(0, -1)
        const idOf = (failure: string) => failure.slice(0, failure.indexOf(" "))
        assert.deepStrictEqual(failures.filter((failure) => !(idOf(failure) in unreached)), [])
        assert.sameMembers(failures.map(idOf), Object.keys(unreached))
        assert.includeMembers(shown.map(({ operation: { operationId } }) => operationId), [
          "courses.create",
          "deliveries.create",
          "gamification.replaceLevels",
          "media.create",
          "mediaFolders.create",
          "students.create",
          "webhookEndpoints.create"
        ])
      }))
  }
)
