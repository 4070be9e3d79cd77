import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { withFiles } from "../harness/Files.ts"
import { evaluateNix, parseNix, requireNix } from "../harness/Nix.ts"

const root = resolve(import.meta.dirname, "../..")

const systems = ["aarch64-darwin", "aarch64-linux", "x86_64-linux"]

const rev = "044bfe75bfe4c7bbe043dc17b5e42ea823b84a09"

const Flake = Schema.Struct({
  input: Schema.String,
  shells: Schema.Record(Schema.String, Schema.Array(Schema.String)),
  apps: Schema.Record(Schema.String, Schema.Struct({ type: Schema.String, program: Schema.String })),
  wrappers: Schema.Record(
    Schema.String,
    Schema.Struct({ path: Schema.String, text: Schema.String, needs: Schema.Array(Schema.String) })
  )
})

// nixpkgs itself is out of reach without a network, so a stand-in with the names the flake may use takes its place.
const expression = `
  let
    flake = import ./flake.nix;
    outputs = flake.outputs { self = { }; nixpkgs = import ./test/harness/nixpkgs.nix; };
    names = map (package: package.name);
  in {
    input = flake.inputs.nixpkgs.url;
    shells = builtins.mapAttrs (_: shell: names shell.default.packages) outputs.devShells;
    apps = builtins.mapAttrs (_: app: { inherit (app.default) type program; }) outputs.apps;
    wrappers = builtins.mapAttrs (_: package: {
      path = "\${package.default}";
      inherit (package.default) text;
      needs = names package.default.runtimeInputs;
    }) outputs.packages;
  }
`

/** Runs the wrapper's text in a folder with these files, where `npm` and `node` only write down how they were called. */
const calls = (wrapper: string, files: ReadonlyArray<string>) => {
  const written = "#!/bin/sh\necho \"${0##*/} $*\"\n"
  const work = Object.fromEntries([...files, "anything"].map((path) => [`work/${path}`, ""]))
  return withFiles(
    { "bin/npm": written, "bin/node": written, ...work },
    (folder) =>
      new Promise<{ code: number | null; calls: ReadonlyArray<string>; error: string }>((done) => {
        const options = { cwd: join(folder, "work"), env: { PATH: `${join(folder, "bin")}:${process.env["PATH"]}` } }
        const script = `set -euo pipefail\n${wrapper}`
        const child = execFile("bash", ["--norc", "-c", script], options, (_, stdout, error) => {
          done({ code: child.exitCode, calls: stdout.split("\n").slice(0, -1), error })
        })
      })
  )
}

describe("flake.nix", () => {
  let flake: typeof Flake.Type

  beforeAll(async () => {
    await requireNix()
    await parseNix(join(root, "flake.nix"))
    flake = Schema.decodeUnknownSync(Flake)(await evaluateNix(expression, root))
  }, 240_000)

  it("develops with Node 24, PostgreSQL, Redis and OpenSSL on every system", () => {
    assert.deepStrictEqual(Object.keys(flake.shells).toSorted(), systems)
    for (const packages of Object.values(flake.shells)) {
      assert.includeMembers([...packages], ["nodejs_24", "postgresql_18", "redis", "openssl"])
    }
  })

  it("runs the wrapper it builds, on Node 24, on every system", () => {
    assert.deepStrictEqual(Object.keys(flake.apps).toSorted(), systems)
    for (const [system, { program, type }] of Object.entries(flake.apps)) {
      assert.strictEqual(type, "app")
      assert.strictEqual(program, `${flake.wrappers[system]?.path}/bin/turma`)
      assert.deepStrictEqual(flake.wrappers[system]?.needs, ["nodejs_24"])
    }
  })

  it("starts what npm start starts, with the packages installed first where they are missing", async () => {
    const { start } = JSON.parse(await readFile(join(root, "package.json"), "utf8")).scripts
    const started = start.replace(/^.*exec /, "")
    const checkout = ["src/main.ts", "package-lock.json"]
    const wrapper = flake.wrappers["x86_64-linux"]?.text ?? ""
    assert.include(wrapper, `\n${start}\n`)

    const first = await calls(wrapper, checkout)
    const later = await calls(wrapper, [...checkout, "node_modules/effect"])
    assert.deepStrictEqual(first, { code: 0, calls: ["npm ci", started], error: "" })
    assert.deepStrictEqual(later, { code: 0, calls: [started], error: "" })
  })

  it("says where it has to be run when the working folder is no checkout", async () => {
    const { code, calls: made, error } = await calls(flake.wrappers["x86_64-linux"]?.text ?? "", [])
    assert.strictEqual(code, 2)
    assert.isEmpty(made)
    assert.match(error, /^turma: run this in a checkout of the project.*\n$/)
  })

  it("names the revision that flake.lock pins", async () => {
    const lock = JSON.parse(await readFile(join(root, "flake.lock"), "utf8"))
    const named = { owner: "NixOS", repo: "nixpkgs", rev, type: "github" }
    assert.strictEqual(flake.input, `github:${named.owner}/${named.repo}/${rev}`)
    assert.deepStrictEqual(lock, {
      nodes: {
        nixpkgs: {
          locked: {
            ...named,
            lastModified: 1786534138,
            narHash: "sha256-fBJMdnKUTUDtfi/BYLr71HLaC9dG382arxLF2Egg2uo="
          },
          original: named
        },
        root: { inputs: { nixpkgs: "nixpkgs" } }
      },
      root: "root",
      version: 7
    })
  })
})
