import { Console, Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { Email, makeClient } from "turma-client"

const baseUrl = process.env["TURMA"] ?? "http://127.0.0.1:3000"

const program = Effect.gen(function*() {
  const open = yield* makeClient({ baseUrl })
  const payload = { email: Email.make("ana@example.com"), password: Redacted.make("violao e voz") }
  const { data: grant } = yield* open.adminAuth.signIn({ payload })

  const client = yield* makeClient({ baseUrl, token: grant.access_token })
  const { data: me } = yield* client.account.me()
  yield* Console.log(`${me.name}: ${me.organizations.map(({ name, role }) => `${role} of ${name}`).join(", ")}`)
})

await Effect.runPromise(Effect.provide(program, FetchHttpClient.layer))
