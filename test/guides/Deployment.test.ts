import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { mkdir, readlink, stat } from "node:fs/promises"
import { join } from "node:path"
import { version } from "../../src/platform/version.ts"
import { read, within } from "../deploy/Deployed.ts"
import { kustomization } from "../deploy/Manifests.ts"
import { unitOf } from "../deploy/Units.ts"
import { withFiles } from "../harness/Files.ts"
import { run } from "../harness/Programs.ts"
import { blocks, guide, project } from "./Guides.ts"

const text = guide("deployment")
const scripts = blocks(text, "sh")
const scriptWith = (part: string) => scripts.find((script) => script.includes(part)) ?? ""

describe("the guide to images and units", () => {
  it("names files, scripts and versions that there are", () => {
    for (const [path] of text.matchAll(/\bdeploy\/[\w./-]*\w/g)) {
      // What secrets.sh and the reader make.
      if (!/\/(?:secrets|\.env)$/.test(path)) assert.isTrue(existsSync(join(project, path)), path)
    }
    const known = within(JSON.parse(read("package.json")), "scripts")
    for (const [, name = ""] of text.matchAll(/npm run ([\w:]+)/g)) assert.property(known, name)
    for (const [, named] of text.matchAll(/turma[:-](\d+\.\d+\.\d+)/g)) assert.strictEqual(named, version)
  })

  it("makes the secret of Kubernetes with a key for each file that is read", () => {
    const keys = [...scriptWith("create secret").matchAll(/--from-file=([\w-]+)/g)].map(([, key]) => key)
    const literals = within(kustomization, "configMapGenerator", 0, "literals")
    const files = Array.isArray(literals) ? literals.flatMap((one) => /secrets\/turma\/(.+)$/.exec(one)?.[1] ?? []) : []
    assert.deepStrictEqual(keys.toSorted(), files.toSorted())
  })

  it("lays out what the unit runs, with its commands", () =>
    withFiles(
      // What would change the machine, or ask the registry, is only written down.
      {
        "bin/systemd-sysusers": "#!/bin/sh\n",
        "bin/npm": `#!/bin/sh\n[ "$1" = ci ] || PATH=\${PATH#*:} exec npm "$@"\n`
      },
      async (root) => {
        await mkdir(join(root, "etc/systemd/system"), { recursive: true })
        await mkdir(join(root, "opt"))
        const here = scriptWith("systemd-sysusers").replaceAll(/(?<= )\/(?=(?:opt|etc)\/)/g, `${root}/`)
          .replaceAll(" -g turma", "")
        assert.include(here, `${root}/opt/turma-${version}`)
        await run("bash", ["-euo", "pipefail", "-c", here], {
          cwd: project,
          env: { PATH: `${join(root, "bin")}:${process.env["PATH"]}` }
        })
        const unit = unitOf("deploy/systemd/turma.service")
        const [command = ""] = unit.get("ExecStart") ?? []
        const [program = ""] = command.split(" ")
        assert.strictEqual(await readlink(join(root, "opt/turma")), `${root}/opt/turma-${version}`)
        for (const path of [program, `${unit.get("WorkingDirectory")?.[0]}/src/cli/run.js`, "/etc/turma/turma.env"]) {
          assert.isTrue(existsSync(join(root, path)), path)
        }
        assert.strictEqual((await stat(join(root, "etc/turma/secrets"))).mode & 0o777, 0o750)
        const said = await run(join(root, program), ["bin/turma.js", "--version"], { cwd: join(root, "opt/turma") })
        assert.strictEqual(said.stdout.trim(), `turma v${version}`)
      }
    ))
})
