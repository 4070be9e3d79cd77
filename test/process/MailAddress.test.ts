import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { startArguments } from "../harness/ScriptArguments.ts"
import { ask, startApi } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"

/** Sends the request of a browser that follows no redirect. */
const open = (url: string, cookie = "") => ask(url, { redirect: "manual", headers: { accept: "text/html", cookie } })

const attempts = [1, 2, 3, 4]

layer(NodeServices.layer, { excludeTestServices: true, timeout: "120 seconds" })("Several processes", (it) => {
  it.effect("print one address for mails, which one browser opens once, whichever process it meets", () =>
    Effect.gen(function*() {
      const turma = yield* startApi({
        args: startArguments,
        env: { DATA_DIR: yield* postgresFolder(), PROCESSES: "2", LOG_FORMAT: "json" }
      })
      yield* turma.until("processes are ready")
      const printed = turma.said.stdout.matchAll(/Mails: (http:\S+)/g)
      const [address = "", ...others] = Array.from(printed, ([, url = ""]) => url)
      assert.deepStrictEqual(others, [])
      assert.isTrue(address.startsWith(`${turma.url}/?token=`), address)

      const opened = yield* Effect.forEach(attempts, () => open(address))
      assert.deepStrictEqual(opened.map(({ status }) => status), [302, 302, 302, 302])
      const [cookie = "", ...more] = opened.flatMap(({ headers }) => headers.getSetCookie())
      assert.deepStrictEqual(more, [])
      const [pass = ""] = cookie.split(";")
      for (const _ of attempts) {
        assert.include((yield* open(turma.url, pass)).text, "No mail was written yet.")
        assert.include((yield* open(turma.url)).text, "prints at its start, in the line “Mails:”")
      }
      assert.strictEqual((yield* turma.end()).code, 0)
    }))
})
