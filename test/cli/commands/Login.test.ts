import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { writeFileSync } from "node:fs"
import { at } from "../../harness/App.ts"
import { ask, post } from "../../harness/Turma.ts"
import { type Answering, clubId, commandLine, secretKey, startStub } from "./CommandLine.ts"
import { email, password, Service } from "./Service.ts"

// Takes long: each test runs the command that signs in as a process.

const jsonOf = (text: string): unknown => JSON.parse(text)

/** The prefixes of the active keys in the service's club. */
const liveKeys = Effect.gen(function*() {
  const { club, session, url } = yield* Service
  const listed = yield* ask(`${url}/v1/clubs/${club}/keys?limit=100`, {
    headers: { authorization: `Bearer ${session}` }
  })
  const keys: ReadonlyArray<unknown> = Array.from(Object(at(listed.json, "data")))
  return keys.filter((key) => at(key, "status") === "active").map((key) => String(at(key, "prefix")))
})

const keptKeys = Effect.fnUntraced(function*(home: string) {
  const fs = yield* FileSystem.FileSystem
  const kept = jsonOf(yield* fs.readFileString(`${home}/config/turma/profiles.json`))
  return new Map(Object.entries(Object(at(kept, "profiles"))).map(([name, profile]) => [
    name,
    String(at(profile, "key")).slice(6, 14)
  ]))
})

layer(Service.layer, { excludeTestServices: true })("Signing in", (it) => {
  /** An administrator without a club, and the token of a session. */
  const newcomer = Effect.fnUntraced(function*(name: string) {
    const { mailed, url } = yield* Service
    const person = { name, email: `${name.toLowerCase()}@example.com`, password }
    yield* post(`${url}/v1/auth/admin/sign-up`, person)
    yield* post(`${url}/v1/auth/admin/confirm`, { token: yield* mailed })
    const grant = yield* post(`${url}/v1/auth/admin/sign-in`, { email: person.email, password })
    return { url, email: person.email, session: String(at(grant.json, "data", "access_token")) }
  })

  const create = ["clubs", "create", "--name"]

  const byPassword = (url: string, ...more: ReadonlyArray<string>) => [
    "login",
    "--url",
    url,
    "--email",
    email,
    "--password-stdin",
    ...more
  ]

  it.effect("takes a code that is mailed, or the link that it ends", () =>
    Effect.gen(function*() {
      const { mailed, url } = yield* Service
      const turma = yield* commandLine()
      for (const before of ["", `${url}/account/enter#code=`]) {
        const { child, ended, until } = yield* turma.terminal(120, ["login", "--url", url, "--email", email, "--code"])
        yield* until("Code")
        const code = yield* mailed
        child.stdin.write(`${before}${code}\r`)
        const said = yield* ended
        assert.strictEqual(said.code, 0, said.stdout)
        assert.include(said.stdout, "Signed in to Violão Fácil")
        assert.notInclude(said.stdout, code)
      }
    }))

  it.effect("has no code mailed where there is nobody to enter it", () =>
    Effect.gen(function*() {
      const stub = yield* startStub(() => ({ body: { data: { accepted: true } } }))
      const turma = yield* commandLine()
      const said = yield* turma.run(["login", "--url", stub.url, "--email", email, "--code"])
      assert.deepStrictEqual([said.code, stub.asked.length], [2, 0])
      assert.match(said.stderr, /no terminal to ask on: use a password/)
    }))

  it.effect("revokes the key whose place another takes, and keeps those of several that sign in at once", () =>
    Effect.gen(function*() {
      const { url } = yield* Service
      const turma = yield* commandLine()
      const before = yield* liveKeys
      const stdin = `${password}\n`
      yield* turma.run(byPassword(url), { stdin })
      const [first = ""] = (yield* keptKeys(turma.home)).values()
      const again = yield* turma.run(byPassword(url, "--role", "viewer"), { stdin })
      assert.match(again.stderr, new RegExp(`\nRevoked turma_${first}_…\n$`))
      assert.notInclude(yield* liveKeys, first)
      const names = ["a", "b", "c"]
      yield* Effect.forEach(names, (name) => turma.run(byPassword(url, "--profile", name), { stdin }), {
        concurrency: "unbounded"
      })
      const kept = yield* keptKeys(turma.home)
      assert.sameMembers([...kept.keys()], ["violao-facil", ...names])
      assert.sameMembers([...yield* liveKeys], [...before, ...kept.values()])
    }))

  it.effect("leaves no key where it cannot be kept", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { url } = yield* Service
      const turma = yield* commandLine()
      const before = yield* liveKeys
      // A folder has the name of the file that the command needs.
      const folder = `${turma.home}/config/turma`
      yield* fs.makeDirectory(`${folder}/profiles.lock`, { recursive: true, mode: 0o700 })
      yield* fs.chmod(folder, 0o700)
      const said = yield* turma.run(byPassword(url), { stdin: `${password}\n` })
      assert.strictEqual(said.code, 2, said.stderr)
      assert.match(said.stderr, /^Revoked turma_\w{8}_…\nturma: The profiles cannot be written: /)
      assert.sameMembers([...yield* liveKeys], [...before])
    }))

  it.effect("keeps its key where nobody hears of it, and revokes the one whose place it takes", () =>
    Effect.gen(function*() {
      const { url } = yield* Service
      const turma = yield* commandLine()
      const before = yield* liveKeys
      const line = `turma ${byPassword(url).join(" ")} 2> /dev/full`
      const signIn = Effect.gen(function*() {
        assert.strictEqual((yield* turma.bash(line, { stdin: `${password}\n` })).code, 1)
        const kept = [...(yield* keptKeys(turma.home)).values()]
        assert.sameMembers([...yield* liveKeys], [...before, ...kept])
        return kept
      })
      const first = yield* signIn
      assert.lengthOf(first, 1)
      assert.notDeepEqual(yield* signIn, first)
    }))

  it.effect("asks which club is meant where there are several, and takes the one of --club", () =>
    Effect.gen(function*() {
      const { mailed, url } = yield* Service
      const rui = { name: "Rui", email: "rui@example.com", password }
      yield* post(`${url}/v1/auth/admin/sign-up`, rui)
      yield* post(`${url}/v1/auth/admin/confirm`, { token: yield* mailed })
      const grant = yield* post(`${url}/v1/auth/admin/sign-in`, { email: rui.email, password })
      const session = String(at(grant.json, "data", "access_token"))
      const turma = yield* commandLine()
      const words = ["login", "--url", url, "--email", rui.email]
      const none = yield* turma.run([...words, "--password-stdin"], { stdin: `${password}\n` })
      const next = `npx turma clubs create --name NAME --email ${rui.email} --url ${url}`
      assert.deepStrictEqual(
        [none.code, none.stderr],
        [1, `turma: This account has no club yet: found one with ${next}\n`]
      )
      const ids: Array<string> = []
      for (const name of ["Flauta", "Gaita"]) {
        const founded = yield* post(`${url}/v1/clubs`, { name }, session)
        ids.push(String(at(founded.json, "data", "organization_id")))
      }
      const { child, ended, until } = yield* turma.terminal(120, words)
      yield* until("Password")
      child.stdin.write(`${password}\r`)
      yield* until("Which club?")
      yield* until("Gaita (owner)")
      child.stdin.write("\u001b[B\r")
      const chosen = yield* ended
      assert.strictEqual(chosen.code, 0, chosen.stdout)
      assert.include(chosen.stdout, "Signed in to Gaita")
      const stdin = `${password}\n`
      const asked = yield* turma.run([...words, "--password-stdin"], { stdin })
      assert.deepStrictEqual([asked.code, asked.stderr], [2, "turma: There is no terminal to ask on: use --club ID\n"])
      const flag = yield* turma.run([...words, "--password-stdin", "--club", ids[0]?.toUpperCase() ?? ""], { stdin })
      assert.include(flag.stderr, "Signed in to Flauta")
      const foreign = yield* turma.run([...words, "--password-stdin", "--club", clubId], { stdin })
      assert.deepStrictEqual([foreign.code, foreign.stderr], [2, `turma: This account has no club ${clubId}\n`])
      const sessions = yield* ask(`${url}/v1/auth/sessions`, { headers: { authorization: `Bearer ${session}` } })
      assert.lengthOf(Object(at(sessions.json, "data")), 1)
    }))

  it.effect("founds a club for it, which the profile uses from then on", () =>
    Effect.gen(function*() {
      const { email, session, url } = yield* newcomer("Lia")
      const turma = yield* commandLine()
      const signIn = ["--url", url, "--email", email, "--password-stdin"]
      const zone = ["--time-zone", "America/Sao_Paulo", "--language", "pt-BR"]
      const first = yield* turma.run([...create, "Flauta Doce", ...zone, ...signIn, "--json"], {
        stdin: `${password}\n`
      })
      assert.strictEqual(first.code, 0, first.stderr)
      const club = jsonOf(first.stdout)
      assert.deepStrictEqual(
        [at(club, "name"), at(club, "time_zone"), at(club, "locale")],
        ["Flauta Doce", "America/Sao_Paulo", "pt-BR"]
      )
      assert.match(first.stderr, /^Signed in to Flauta Doce at \S+ with turma_\w{8}_…: the profile flauta-doce\n$/)
      assert.include((yield* turma.run(["clubs", "show"])).stdout, String(at(club, "organization_id")))

      // A second club gets a profile of its own, which becomes the current one.
      const second = yield* turma.run([...create, "Coral", "--email", email, "--password-stdin"], {
        stdin: `${password}\n`
      })
      assert.match(second.stderr, /: the profile coral\n$/)
      assert.include((yield* turma.run(["clubs", "show"])).stdout, "Name\tCoral\n")
      assert.sameMembers([...(yield* keptKeys(turma.home)).keys()], ["flauta-doce", "coral"])
      const sessions = yield* ask(`${url}/v1/auth/sessions`, { headers: { authorization: `Bearer ${session}` } })
      assert.lengthOf(Object(at(sessions.json, "data")), 1)
    }))

  it.effect("is not needed to found a club where there is a session, which says so without one", () =>
    Effect.gen(function*() {
      const { session, url } = yield* newcomer("Nuno")
      const turma = yield* commandLine({ TURMA_URL: url, TURMA_KEY: session })
      const none = yield* turma.run(["students", "list"])
      assert.deepStrictEqual(
        [none.code, none.stderr],
        [2, "turma: This account has no club yet: found one with npx turma clubs create --name NAME\n"]
      )
      const nowhere = yield* turma.run([...create, "Gaita", "--time-zone", "IST"])
      assert.deepStrictEqual([nowhere.code, /IANA time zone/.test(nowhere.stderr)], [2, true])
      const first = yield* turma.run([...create, "Gaita"])
      assert.deepStrictEqual([first.code, first.stderr], [0, ""])
      assert.match(first.stdout, /^Time zone\tUTC\nLanguage\ten$/m)
      assert.strictEqual((yield* turma.run(["students", "list"])).code, 0)
      const second = yield* turma.run([...create, "Gaita", "--json"])
      const id = String(at(jsonOf(second.stdout), "organization_id"))
      assert.strictEqual(second.stderr, `This account has 2 clubs: TURMA_CLUB=${id} says which\n`)
    }))

  it.effect("for a club is refused to a key, to nobody, and with flags that do not go together", () =>
    Effect.gen(function*() {
      const stub = yield* startStub(() => ({}))
      const turma = yield* commandLine()
      const said = (words: ReadonlyArray<string>, env: Record<string, string> = {}) =>
        Effect.map(turma.run([...create, "Gaita", ...words], { env }), ({ code, stderr }) => [code, stderr])
      assert.deepStrictEqual(yield* said([], { TURMA_URL: stub.url, TURMA_KEY: secretKey }), [
        2,
        "turma: A key belongs to one club and founds no other: to found one, sign in with --email\n"
      ])
      assert.deepStrictEqual(yield* said([]), [
        3,
        "turma: Not signed in: give --email, or set TURMA_KEY to the token of a session\n"
      ])
      assert.deepStrictEqual(yield* said(["--url", stub.url]), [2, "turma: --url goes with --email\n"])
      assert.deepStrictEqual(yield* said(["--code"]), [2, "turma: --code and --password-stdin go with --email\n"])
      assert.lengthOf(stub.asked, 0)
    }))
})

layer(NodeServices.layer, { excludeTestServices: true })("Signing out", (it) => {
  it.effect("leaves a profile that has another key by then, and says so", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const turma = yield* commandLine()
      const folder = `${turma.home}/config/turma`
      const keep = (url: string, key: string) => {
        const profile = { url, club_id: clubId, club_name: "Violão", key, key_id: clubId }
        writeFileSync(`${folder}/profiles.json`, JSON.stringify({ latest: "a", profiles: { a: profile } }), {
          mode: 0o600
        })
      }
      const stub = yield* startStub(() => {
        keep("https://turma.example", "turma_later")
        return { status: 204 }
      })
      yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 })
      keep(stub.url, secretKey)
      const said = yield* turma.run(["logout"])
      assert.deepStrictEqual(
        [said.code, said.stderr],
        [0, "Revoked turma_h7Tq2XwA_…\nThe profile a stays: it has another key by now\n"]
      )
      assert.strictEqual(
        at(jsonOf(yield* fs.readFileString(`${folder}/profiles.json`)), "profiles", "a", "key"),
        "turma_later"
      )
    }))
})

layer(Layer.empty, { excludeTestServices: true })("A sign-in that goes wrong", (it) => {
  it.effect("ends on Ctrl-C while the service asks to wait", () =>
    Effect.gen(function*() {
      const stub = yield* startStub((): Answering => ({ status: 429, headers: { "retry-after": "60" } }))
      const turma = yield* commandLine()
      const words = ["login", "--url", stub.url, "--email", email, "--password-stdin"]
      const { child, ended, until } = yield* turma.start(words, { stdin: "secret\n" })
      yield* until("waiting 60 s")
      child.kill("SIGINT")
      assert.strictEqual((yield* ended).code, 130)
    }))

  it.effect("ends with its key on Ctrl-C while its session is ended", () =>
    Effect.gen(function*() {
      let endings = 0
      const stub = yield* startStub(({ method, path }) => {
        if (path === "/v1/me") return { body: { data: { organizations: [{ organization_id: clubId }] } } }
        if (path.endsWith("/keys")) return { body: { data: { id: clubId, token: secretKey } } }
        if (path === "/v1/auth/session" && endings++ === 0) return { status: 429, headers: { "retry-after": "5" } }
        return method === "DELETE" ? { status: 204 } : { body: { data: { access_token: "session" } } }
      })
      const turma = yield* commandLine()
      const words = ["login", "--url", stub.url, "--email", email, "--password-stdin"]
      const { child, ended, until } = yield* turma.start(words, { stdin: "secret\n" })
      yield* until("waiting 5 s")
      child.kill("SIGINT")
      const said = yield* ended
      assert.deepStrictEqual([said.code, endings], [130, 2])
      assert.match(said.stderr, /\nRevoked turma_h7Tq2XwA_…\n$/)
      assert.strictEqual(stub.asked.at(-1)?.headers.authorization, `Bearer ${secretKey}`)
    }))

  it.effect("from a browser is told like every other", () =>
    Effect.gen(function*() {
      const turma = yield* commandLine()
      const page = yield* startStub(() => ({ status: 404, body: "<html>" }))
      const foreign = yield* turma.run(["login", "--url", page.url])
      assert.strictEqual(foreign.code, 4)
      assert.match(foreign.stderr, /^turma: The answer 404 is not one of Turma's: is the address right\?.*\n$/)
      const busy = yield* startStub(() => ({
        status: 503,
        body: { error: { code: "temporarily_unavailable", message: "Busy" } }
      }))
      const said = yield* turma.run(["login", "--url", busy.url])
      assert.deepStrictEqual([said.code, said.stderr], [6, "turma: Busy (temporarily_unavailable)\n"])
    }))

  it.effect("tells nothing of a key that is none", () =>
    Effect.gen(function*() {
      const stub = yield* startStub(() => ({ status: 401 }))
      const turma = yield* commandLine({ TURMA_URL: stub.url })
      const broken = `${secretKey}\u0001…`
      const given = yield* turma.run(["login", "--key-stdin"], { stdin: `${broken}\n` })
      assert.deepStrictEqual([given.code, given.stderr], [2, "turma: The input is not a key\n"])
      const named = yield* turma.run(["clubs", "list"], { env: { TURMA_KEY: broken } })
      assert.deepStrictEqual([named.code, named.stderr], [2, "turma: TURMA_KEY is not a key\n"])
      assert.lengthOf(stub.asked, 0)
    }))
})
