import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { services } from "../deploy/Composed.ts"
import { ofKind } from "../deploy/Manifests.ts"
import { unitOf } from "../deploy/Units.ts"
import { commandModule } from "../harness/CommandModule.ts"
import { runTurma, startApi } from "../harness/Turma.ts"
import { dataFolder } from "../harness/Watchdog.ts"
import { blocks, guide, marked, project } from "./Guides.ts"

// Takes long: every command is a process of its own.

const operations = guide("operations")
const commands = blocks(marked(operations, "bad day"), "sh").join("\n")

it.live("runs every command for a bad day while the service serves", () =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const folder = `${yield* fs.makeTempDirectoryScoped({ prefix: "turma-guide-" })}/backups`
    const DATA_DIR = yield* dataFolder
    const INTERNAL_SECRET = "b".repeat(44)
    const service = yield* startApi({ env: { DATA_DIR, INTERNAL_SECRET } })
    const script = commands.replaceAll("npx turma", `node ${commandModule}`).replaceAll("/backups", folder)
      .replaceAll(/^(?=node|curl)/gm, "echo; ")
    const { code, stderr, stdout } = yield* runTurma({
      program: "bash",
      args: ["-euo", "pipefail", "-c", script],
      env: { DATA_DIR, INTERNAL_SECRET, PUBLIC_URL: service.url }
    })
    assert.strictEqual(code, 0, stderr)
    assert.match(stdout, /"status":"ready"/)
    assert.match(stdout, /"queues":\[\{"name":/)
    assert.match(stdout, /^It is good: restored within /m)
    assert.match(stdout, /Database/)
    assert.match((yield* fs.readDirectory(folder)).join(), /^turma-[0-9a-f]{8}-\d{8}T\d{6}Z\.turma$/)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

it("runs commands where there is something that runs them", () => {
  const [, places = ""] = /^### Where commands run$(.*?)^### /ms.exec(operations) ?? []
  const [, deployment = ""] = /kubectl -n turma exec deploy\/(\S+) -- turma/.exec(places) ?? []
  assert.isTrue(ofKind("Deployment").has(deployment))
  const [, service = ""] = /compose -f deploy\/compose\/compose\.yaml exec (\w+) turma/.exec(places) ?? []
  assert.include(services, service)
  assert.include(unitOf("deploy/systemd/turma.service").get("StateDirectory")?.[0], "turma-backups")
})

const sources = () =>
  readdirSync(`${project}src`, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.startsWith("console") && !file.startsWith("sdk"))
    .map((file) => readFileSync(`${project}src/${file}`, "utf8")).join("\n")

it("quotes lines that the service says", () => {
  const said = sources()
  const [day = ""] = operations.split("## One machine")
  const quoted = [...day.matchAll(/"([^"]{12,})"/g)].map(([, line = ""]) => line).filter((line) => !line.includes("$"))
  assert.isAbove(quoted.length, 1)
  for (const line of quoted) assert.include(said, line)
})

it("leads from what is seen to a part of a guide that is there", () => {
  const anchorOf = (heading: string) => heading.toLowerCase().replaceAll(/[^\w -]/g, "").replaceAll(" ", "-")
  const links = [...operations.matchAll(/\]\((?:([a-z-]+)\.md)?#([\w-]+)\)/g)]
  assert.isAbove(links.length, 15)
  for (const [link, name = "operations", anchor] of links) {
    const headings = [...guide(name).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading))
    assert.include(headings, anchor, link)
  }
})
