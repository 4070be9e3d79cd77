import { assert, describe, it } from "@effect/vitest"
import { settings } from "../../src/cli/settings/Settings.ts"
import { version } from "../../src/platform/version.ts"
import { run } from "../harness/Programs.ts"
import { environmentOf, services } from "./Composed.ts"
import { ensure } from "./Debian.ts"
import { files, jsonAt, project, read, readYaml, within } from "./Deployed.ts"
import { imagesOf } from "./Dockerfile.ts"

const known = new Set(Object.keys(settings))

/** Variables that our processes get, but that are not settings of ours. */
const ofOthers = new Set(["HOME", "NODE_ENV", "MALLOC_ARENA_MAX", "XDG_CACHE_HOME"])

/** Variables of the compose file's other services, and of the person who starts it. */
const ofCompose = /^(?:POSTGRES_\w+|VGW_\w+|ROOT_(?:ACCESS|SECRET)_KEY|LISTEN|MAIL_LISTEN)$/

const ofBuild = new Set(["NODE_IMAGE", "BASE_IMAGE"])

/** Every variable that a file sets or names: `NAME=` and `NAME:` in capitals, `${NAME…}` and `name: NAME`. */
const namesIn = (text: string): ReadonlyArray<string> =>
  [
    ...text.matchAll(/(?:^|[\s"'`-])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)(?:=|:\s|\s=\s)/gm),
    ...text.matchAll(/\$\{([A-Z][A-Z0-9_]*)/g),
    ...text.matchAll(/\bname: ([A-Z][A-Z0-9_]*)\b/g)
  ].flatMap(([, name]) => name ?? [])

const isSetting = (name: string) => known.has(name) || (name.endsWith("_FILE") && known.has(name.slice(0, -5)))

const isYaml = (path: string) => /\.ya?ml$/.test(path)

describe("deploy", () => {
  it.each(files.filter((path) => !path.endsWith(".md")))("%s names only variables that there are", (path) => {
    // A comment may name anything, but a name with a value must be a variable.
    const unknown = namesIn(read(path)).filter((name) =>
      !isSetting(name) && !ofOthers.has(name) && !ofCompose.test(name) && !ofBuild.has(name)
    )
    assert.deepStrictEqual([...new Set(unknown)], [])
  })

  it("is all of one version and of the Node of package.json", () => {
    const { dependencies } = JSON.parse(read("package.json"))
    assert.include(imagesOf("deploy/container/Dockerfile").node, `/node:${dependencies.node}-`)
    assert.include(read("deploy/container/Dockerfile"), `image.version="${version}"`)
    assert.include(read("deploy/container/Dockerfile"), `-t turma:${version} .`)
    assert.include(read("deploy/compose/compose.yaml"), `image: turma:${version}\n`)
    assert.strictEqual(
      within(readYaml("deploy/kubernetes/kustomization.yaml")[0], "images", 0, "newTag"),
      version
    )
  })

  it("gives nothing secret to a process but as a file", () => {
    const given = Object.keys(jsonAt({ ...environmentOf("api"), ...environmentOf("worker") }))
    assert.isNotEmpty(services)
    for (const name of ["DATABASE_URL", "APP_SECRET_KEY", "STORAGE_URL", "INTERNAL_SECRET"]) {
      assert.notInclude(given, name)
      assert.include(given, `${name}_FILE`)
    }
  })

  it("passes yamllint", async () => {
    await ensure("yamllint", "yamllint", "--version")
    const rules = [
      "extends: default",
      "rules:",
      "  line-length: {max: 130}",
      "  document-start: disable",
      "  braces: {max-spaces-inside: 1}",
      "  comments: {min-spaces-from-content: 1}",
      "  indentation: {spaces: 2, indent-sequences: true}"
    ].join("\n")
    const { stdout } = await run("yamllint", ["--strict", "--config-data", rules, ...files.filter(isYaml)], {
      cwd: project
    })
    assert.strictEqual(stdout, "")
  })
})
