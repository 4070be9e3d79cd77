import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, foundClub, send } from "../../../harness/App.ts"

const said = Effect.fnUntraced(function*(path: string, language: string | undefined, token?: string) {
  const answer = yield* send("GET", path, {
    ...(token === undefined ? {} : { token }),
    headers: language === undefined ? {} : { "accept-language": language }
  })
  assert.isAtLeast(answer.status, 400)
  assert.match(answer.headers["vary"] ?? "", /\bAccept-Language$/)
  return at(answer.json, "error", "message")
})

layer(AppLayer)("A refusal over the socket", (it) => {
  it.effect.each([
    [undefined, "This route wants an administrator's live session: "],
    ["*", "This route wants an administrator's live session: "],
    ["en-GB, pt;q=0.9", "This route wants an administrator's live session: "],
    ["pt", "A sessão ou a chave falta, expirou ou foi revogada: entre ou envie outra."],
    ["pt-PT, en;q=0.5", "A sessão ou a chave falta, expirou ou foi revogada: entre ou envie outra."],
    ["en;q=0.2, pt-BR;q=0.7", "A sessão ou a chave falta, expirou ou foi revogada: entre ou envie outra."]
  ] as const)("is in the language that the request asks for: %s", ([language, message]) =>
    Effect.gen(function*() {
      const { path } = yield* foundClub()
      assert.isTrue(String(yield* said(`${path}/students`, language)).startsWith(message))
    }))

  it.effect("of a route that there is not, and of an id of nothing, is too", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      assert.strictEqual(yield* said("/v1/nowhere", "pt"), "Não há nada neste endereço: veja /docs.")
      assert.strictEqual(
        yield* said(`${path}/students/018f0000-0000-7000-8000-000000000001`, "pt", token),
        "Não há nada aqui, ou esta sessão não pode ver."
      )
    }))

  it.effect("of fields names them in English", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      assert.strictEqual(
        yield* said(`${path}/students?limit=0`, "pt", token),
        "limit must be a whole number from 1 to 100"
      )
    }))

  it.effect("of a request with an Idempotency-Key is too: a failure is not kept, and a success is the same in each", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const create = (language: string, name: string) =>
        send("POST", `${path}/deliveries`, {
          token,
          body: { name, free: true },
          headers: { "accept-language": language, "idempotency-key": "once" }
        })
      const refused = [yield* create("en", ""), yield* create("pt", "")]
      assert.deepStrictEqual(refused.map(({ status }) => status), [422, 422])
      const [first, again] = [yield* create("en", "A"), yield* create("pt", "A")]
      assert.deepStrictEqual([first.status, again.status, again.text], [201, 201, first.text])
      assert.strictEqual(again.headers["idempotency-replayed"], "true")
      const reused = [yield* create("en", "B"), yield* create("pt", "B")].map(({ json }) =>
        at(json, "error", "message")
      )
      assert.deepStrictEqual(reused, [
        "Idempotency-Key came with another request before: send a new key with a new request",
        "Outra requisição já usou esta chave: envie uma chave nova."
      ])
    }))
})
