import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Effect, FileSystem, Layer } from "effect"
import { at } from "../../harness/App.ts"
import { ask, post } from "../../harness/Turma.ts"
import { commandLine } from "./CommandLine.ts"
import { email, password, Service } from "./Service.ts"

// Takes long: about sixty commands call a whole service.

/** A command line that has signed in with a new key. */
const signedIn = Effect.fnUntraced(function*(role: string) {
  const { url } = yield* Service
  const turma = yield* commandLine()
  const words = ["login", "--url", url, "--email", email, "--password-stdin", "--role", role]
  const said = yield* turma.run(words, { stdin: `${password}\n` })
  assert.strictEqual(said.code, 0, said.stderr)
  assert.notInclude(said.stderr, password)
  return { ...turma, said }
})

/** A command line that acts as an administrator, for all tests. */
class Admin extends Context.Service<Admin, Effect.Success<ReturnType<typeof signedIn>>>()("test/Admin") {
  static readonly layer = Layer.effect(Admin, signedIn("admin")).pipe(Layer.provideMerge(Service.layer))
}

const jsonOf = (text: string): unknown => JSON.parse(text)

layer(Admin.layer, { excludeTestServices: true })("The command line", (it) => {
  it.effect("signs in with a password, keeps a key of this machine and no session, and revokes it when it signs out", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { club, session, url } = yield* Service
      const turma = yield* signedIn("support")
      assert.match(
        turma.said.stderr,
        /^Signed in to Violão Fácil at \S+ with turma_\w{8}_…: the profile violao-facil\n$/
      )
      const kept = yield* fs.readFileString(`${turma.home}/config/turma/profiles.json`)
      const key = String(at(jsonOf(kept), "profiles", "violao-facil", "key"))
      assert.match(key, /^turma_/)
      const keys = yield* ask(`${url}/v1/clubs/${club}/keys`, { headers: { authorization: `Bearer ${session}` } })
      assert.match(keys.text, /Command line on /)
      // The sign-in leaves no session behind.
      const sessions = yield* ask(`${url}/v1/auth/sessions`, { headers: { authorization: `Bearer ${session}` } })
      assert.lengthOf(Object(at(sessions.json, "data")), 1)

      const me = yield* turma.run(["whoami", "--json"])
      assert.strictEqual(at(jsonOf(me.stdout), "acts_as"), "support")
      assert.notInclude((yield* turma.run(["whoami"])).stdout, key.slice(15))
      assert.include((yield* turma.run(["profiles", "list"])).stdout, "*\tviolao-facil\tViolão Fácil")
      assert.strictEqual((yield* turma.run(["profiles", "use", "violao-facil"])).code, 0)
      assert.strictEqual((yield* turma.run(["profiles", "use", "another"])).code, 2)

      const out = yield* turma.run(["logout"])
      assert.strictEqual(out.code, 0)
      assert.match(out.stderr, /^Revoked turma_\w{8}_…\nForgot the profile violao-facil of Violão Fácil\n$/)
      assert.strictEqual((yield* turma.run(["whoami"])).code, 3)
      const after = yield* ask(`${url}/v1/key`, { headers: { authorization: `Bearer ${key}` } })
      assert.strictEqual(after.status, 401)
    }))

  it.effect("signs in with a key from standard input, which it does not revoke, and refuses one that is none", () =>
    Effect.gen(function*() {
      const { club, session, url } = yield* Service
      const made = yield* post(`${url}/v1/clubs/${club}/keys`, { name: "Mine", role: "viewer" }, session)
      const token = String(at(made.json, "data", "token"))
      const turma = yield* commandLine()
      const wrong = yield* turma.run(["login", "--url", url, "--key-stdin"], { stdin: `${token}x\n` })
      assert.deepStrictEqual([wrong.code, (yield* turma.run(["profiles", "list", "--json"])).stdout], [3, "[]\n"])
      const words = ["login", "--url", url, "--key-stdin", "--profile", "mine"]
      assert.strictEqual((yield* turma.run(words, { stdin: `${token}\n` })).code, 0)
      assert.strictEqual((yield* turma.run(["students", "list"])).code, 0)
      const forbidden = yield* turma.run(["students", "create", "--name", "A", "--email", "a@example.com"])
      assert.strictEqual(forbidden.code, 4)
      assert.include((yield* turma.run(["logout"])).stderr, "was not made here, so it is not revoked")
      const after = yield* ask(`${url}/v1/key`, { headers: { authorization: `Bearer ${token}` } })
      assert.strictEqual(after.status, 200)
    }))

  it.effect("asks for a password on a terminal without showing it", () =>
    Effect.gen(function*() {
      const { url } = yield* Service
      const turma = yield* commandLine()
      const { child, ended, until } = yield* turma.terminal(120, ["login", "--url", url, "--email", email])
      yield* until("Password")
      child.stdin.write(`${password}\r`)
      const said = yield* ended
      assert.strictEqual(said.code, 0, said.stdout)
      assert.include(said.stdout, "Signed in to Violão Fácil")
      assert.notInclude(said.stdout, password)
    }))

  it.effect("is let in from a browser", () =>
    Effect.gen(function*() {
      const { club, session, url } = yield* Service
      const turma = yield* commandLine()
      const { ended, said, until } = yield* turma.start(["login", "--url", url])
      yield* until("shows the code")
      const code = /the code ([A-Z]{4}-[A-Z]{4})/.exec(said.stderr)?.[1] ?? ""
      const approved = yield* post(`${url}/v1/clubs/${club}/keys/devices`, { user_code: code, role: "viewer" }, session)
      assert.isBelow(approved.status, 300, approved.text)
      const end = yield* ended
      assert.strictEqual(end.code, 0, end.stderr)
      assert.include((yield* turma.run(["whoami"])).stdout, "May\tviewer")
      assert.include((yield* turma.run(["logout"])).stderr, "Revoked")
    }))

  it.effect("sends a profile's key to its own service alone", () =>
    Effect.gen(function*() {
      const turma = yield* Admin
      const said = yield* turma.run(["students", "list"], { env: { TURMA_URL: "https://elsewhere.example" } })
      assert.strictEqual(said.code, 2)
      assert.include(said.stderr, "is not where the key of the profile")
    }))

  it.effect("creates, finds, shows and removes students", () =>
    Effect.gen(function*() {
      const turma = yield* Admin
      const made = yield* turma.run([
        "students",
        "create",
        "--name",
        "Bia Lima",
        "--email",
        "bia@example.com",
        "--json"
      ])
      const id = String(at(jsonOf(made.stdout), "id"))
      const found = yield* turma.run(["students", "list", "--search", "bia"])
      assert.include(found.stdout, `${id}\tBia Lima\tbia@example.com`)
      const again = yield* turma.run(["students", "create", "--name", "Bia", "--email", "bia@example.com"])
      assert.strictEqual(again.code, 5)
      assert.match(again.stderr, /\(student_exists, request \S+\)/)
      assert.strictEqual((yield* turma.run(["students", "remove", id, "--yes"])).code, 0)
      assert.include((yield* turma.run(["students", "show", id])).stdout, "Removed\ttrue")
      assert.include((yield* turma.run(["clubs", "list"])).stdout, "Violão Fácil\tadmin")
    }))

  it.effect("imports a file, says which lines are wrong, and writes nothing when it only looks", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const turma = yield* Admin
      const file = `${turma.home}/students.csv`
      yield* fs.writeFileString(file, "name,email\nCaio,caio@example.com\nNobody,not an address\n")
      const looked = yield* turma.run(["import", file, "--dry-run", "--json"])
      assert.strictEqual(looked.code, 1)
      assert.strictEqual(at(jsonOf(looked.stdout), "import", "created"), 1)
      assert.strictEqual((yield* turma.run(["students", "list", "--search", "caio"])).stdout, "")
      const { ended } = yield* turma.terminal(100, ["import", file])
      const said = yield* ended
      assert.strictEqual(said.code, 1)
      assert.match(said.stdout, /\[#{30}\] 2 of 2/)
      assert.match(said.stdout, /3 {5}email {3}invalid {2}email must be an e-mail address/)
      yield* fs.writeFileString(file, "name,email\nCaio,caio@example.com\n")
      assert.strictEqual((yield* turma.run(["import", file])).code, 0)
      assert.strictEqual((yield* turma.run(["import", `${turma.home}/none.csv`])).code, 2)
    }))

  it.effect("looks after webhook endpoints, and shows what happens as it happens", () =>
    Effect.gen(function*() {
      const turma = yield* Admin
      const listen = yield* turma.start(["webhooks", "listen", "--port", "0"])
      yield* listen.until("Listening at")
      const receiver = /Listening at (https:\S+?),/.exec(listen.said.stdout)?.[1] ?? ""
      const create = ["webhooks", "endpoints", "create", receiver, "-e", "student.created", "--json"]
      const made = jsonOf((yield* turma.run(create)).stdout)
      assert.match(String(at(made, "secret")), /^whsec_/)
      const id = String(at(made, "id"))
      const tail = yield* turma.start(["webhooks", "tail", "--jsonl"])
      yield* tail.until("Watching 1 endpoint")
      const tested = yield* turma.run(["webhooks", "endpoints", "test", id, "--json"])
      // The service does not trust the receiver's certificate, so the test delivery fails.
      assert.deepStrictEqual([tested.code, at(jsonOf(tested.stdout), "last_error")], [1, "tls"])
      const delivery = String(at(jsonOf(tested.stdout), "id"))
      yield* tail.until(delivery)
      tail.child.kill("SIGINT")
      assert.strictEqual((yield* tail.ended).code, 0)

      const deliveries = yield* turma.run(["webhooks", "deliveries", "list", id, "--event", "webhook.test"])
      assert.match(deliveries.stdout, new RegExp(`^${delivery}\\tpending\\twebhook.test\\t`))
      const shown = jsonOf((yield* turma.run(["webhooks", "deliveries", "show", id, delivery, "--json"])).stdout)
      assert.include((yield* turma.run(["events", "show", String(at(shown, "event_id"))])).stdout, "webhook.test")
      assert.strictEqual((yield* turma.run(["webhooks", "resend", id, delivery])).code, 0)
      const tooOld = yield* turma.run(["webhooks", "recover", id, "--since", "2020-01-01"])
      assert.deepStrictEqual([tooOld.code, /since_too_old/.test(tooOld.stderr)], [5, true])
      for (const [change, status] of [["pause", "paused"], ["disable", "disabled"], ["enable", "enabled"]] as const) {
        const changed = yield* turma.run(["webhooks", "endpoints", change, id, "--json"])
        assert.strictEqual(at(jsonOf(changed.stdout), "status"), status)
      }
      // The recovery sends the canceled delivery with one attempt.
      const state = Effect.map(
        turma.run(["webhooks", "deliveries", "show", id, delivery, "--json"]),
        ({ stdout }) => at(jsonOf(stdout), "status")
      )
      assert.strictEqual(yield* state, "canceled")
      const since = DateTime.formatIsoDateUtc(DateTime.subtract(yield* DateTime.now, { days: 1 }))
      const recovered = yield* turma.run(["webhooks", "recover", id, "--since", since, "--json"])
      assert.deepStrictEqual([recovered.code, at(jsonOf(recovered.stdout), "recovered")], [0, 1])
      const rotated = jsonOf((yield* turma.run(["webhooks", "endpoints", "rotate", id, "--json"])).stdout)
      assert.notStrictEqual(at(rotated, "secret"), at(made, "secret"))
      assert.strictEqual((yield* turma.run(["webhooks", "endpoints", "remove", id, "--yes"])).code, 0)
      assert.strictEqual((yield* turma.run(["webhooks", "endpoints", "show", id])).code, 4)
    }))

  it.effect("sends any request, with fields, a body, headers and every page of a list", () =>
    Effect.gen(function*() {
      const turma = yield* Admin
      const patch = ["api", "PATCH", "/v1/clubs/{clubId}", "-f", "name=Violão", "-F", "open_registration=null"]
      assert.strictEqual((yield* turma.run(patch)).code, 5)
      const renamed = yield* turma.run(patch.slice(0, 5))
      assert.strictEqual(at(jsonOf(renamed.stdout), "data", "name"), "Violão")
      const body = JSON.stringify({ name: "Violão Fácil" })
      const back = yield* turma.run(["api", "patch", "/v1/clubs/{clubId}", "--input", "-"], { stdin: body })
      assert.strictEqual(at(jsonOf(back.stdout), "data", "name"), "Violão Fácil")
      for (const name of ["Davi", "Elis", "Gil"]) {
        yield* turma.run(["students", "create", "--name", name, "--email", `${name}@example.com`])
      }
      const paged = yield* turma.run([
        "api",
        "GET",
        "/v1/clubs/{clubId}/students",
        "-f",
        "search=example",
        "--paginate"
      ])
      assert.includeMembers(Array.from(Object(jsonOf(paged.stdout)), ({ name }) => name), ["Davi", "Elis", "Gil"])
      const types = yield* turma.run(["api", "GET", "/v1/clubs/{clubId}/webhook-event-types"])
      assert.isAbove(types.stdout.length, 1000)
      for (const wrong of ["https://elsewhere.example/v1/me", "//elsewhere.example"]) {
        const said = yield* turma.run(["api", "GET", wrong])
        assert.include([2, 4], said.code)
      }
      const header = yield* turma.run(["api", "GET", "/v1/key", "-H", "Authorization: Bearer x"])
      assert.strictEqual(header.code, 2)
    }))
})
