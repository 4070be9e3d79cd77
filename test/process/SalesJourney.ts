import { Effect, Queue } from "effect"
import { createHmac, randomBytes } from "node:crypto"
import { at } from "../harness/App.ts"
import { eventually } from "../harness/Eventually.ts"
import type { Received } from "../harness/Smtp.ts"
import { ask, post } from "../harness/Turma.ts"

interface Here {
  readonly url: string
  /** `{url}/v1/clubs/{clubId}`. */
  readonly club: string
  /** The owner's session. */
  readonly owner: string
  readonly mails: Queue.Dequeue<Received>
}

const word = (name: string) => `${name}-${randomBytes(12).toString("hex")}`

/** The body of a sale in Hotmart's format, with the account's token in it. */
export const saleOf = (hottok: string, buyer: { readonly name: string; readonly email: string }, document: string) => ({
  id: word("notice"),
  creation_date: 1_763_247_745_737,
  event: "PURCHASE_APPROVED",
  version: "2.0.0",
  hottok,
  data: {
    product: { id: 4711, name: "Violão do Zero" },
    buyer: { ...buyer, document },
    purchase: { transaction: word("HP"), price: { value: 97.5, currency_value: "BRL" } }
  }
})

/**
 * Takes the students and the sales of a club through everything that has a secret, correctly and incorrectly. Answers
 * every secret, address and document on the way, and the address that a platform posts to.
 */
export const salesJourney = Effect.fnUntraced(function*({ club, mails, owner, url }: Here) {
  const secrets: Array<string> = []
  const secret = (text: string) => {
    secrets.push(text)
    return text
  }
  const email = (name: string) => secret(`${word(name)}@people.example`)
  const document = () => secret(`${randomBytes(6).readUIntBE(0, 6)}`.padStart(15, "9"))
  const as = { authorization: `Bearer ${owner}` }
  const send = (path: string, body: unknown) => post(`${club}${path}`, body, owner)
  const get = (path: string) => ask(`${club}${path}`, { headers: as })
  const change = (method: string, path: string, body?: unknown) =>
    ask(`${club}${path}`, {
      method,
      headers: { ...as, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  const csv = (body: string) =>
    ask(`${club}/students/imports`, { method: "POST", headers: { ...as, "content-type": "text/csv" }, body })

  const delivery_id = at((yield* send("/deliveries", { name: "Violão do Zero" })).json, "data", "id")
  const students = Effect.gen(function*() {
    const dora = { name: "Dora", email: email("dora"), document: document() }
    yield* send("/students", { ...dora, grants: [{ delivery_id, reason: 1 }] })
    const { json } = yield* send("/students", { ...dora, send_invite: true })
    const { email: invitation } = yield* Queue.take(mails)
    const [, code = ""] = /[?&](?:token|code)=([A-Za-z0-9_-]{43})/.exec(invitation.text ?? "") ?? []
    yield* ask(`${url}/access?code=${secret(code)}`)
    const exchanged = yield* post(`${url}/v1/auth/exchange`, { code })
    const session = at(exchanged.json, "data", "access_token")
    secret(typeof session === "string" ? session : yield* Effect.die(new Error(`No session in: ${exchanged.text}`)))
    const path = `/students/${at(json, "data", "id")}`
    yield* send("/students", dora)
    yield* send("/students", { ...dora, email: `${dora.email} x` })
    yield* change("PATCH", path, { document: document() })
    yield* change("PATCH", path, { document: [secret(word("beside"))] })
    yield* get(path)
    yield* get(`/students?search=${encodeURIComponent(dora.email)}`)
    yield* get(`/students/${encodeURIComponent(dora.email)}`)
    yield* get("/students/export.csv")
    return path
  })

  const imports = Effect.gen(function*() {
    const rows = [`nome;e-mail;cpf`, `Eva;${email("eva")};${document()}`, `Eva;${document()};${email("eva")}`]
    const { json } = yield* csv(rows.join("\n"))
    yield* csv(`nome;e-mail\n"Eva;${email("eva")}`)
    yield* send("/students/imports", `{"rows":[{"name":"${document()}"`)
    yield* eventually(
      get(`/students/imports/${at(json, "data", "id")}`),
      (answer) => at(answer.json, "data", "status") === "completed"
    )
    yield* get(`/students/imports/${at(json, "data", "id")}/errors`)
  })

  const registration = Effect.gen(function*() {
    const { json } = yield* send("/registration-links", { delivery_id })
    const code = secret(String(at(json, "data", "code")))
    yield* ask(`${url}/sign-up?code=${code}`)
    yield* post(`${url}/v1/auth/sign-up`, { registration_code: code, password: secret(word("password")) })
    yield* get(`/registration-links/${code}`)
  })

  const sales = Effect.gen(function*() {
    const hottok = secret(word("hottok"))
    const made = yield* send("/inbound-webhooks", { platform: "hotmart", secret: hottok })
    const path = `/inbound-webhooks/${at(made.json, "data", "id")}`
    const tokenIn = (json: unknown) => secret(String(at(json, "data", "url")).split("/").at(-1) ?? "")
    const first = tokenIn(made.json)
    const token = tokenIn((yield* send(`${path}/rotate-token`, {})).json)
    yield* send("/product-mappings", { platform: "hotmart", external_product_id: "4711", delivery_id })
    const hook = `${url}/webhooks/hotmart/${token}`
    const fabio = { name: "Fábio", email: email("fabio") }
    const body = JSON.stringify(saleOf(hottok, fabio, document()))
    yield* post(`${url}/webhooks/hotmart/${first}`, body)
    yield* post(hook, body)
    yield* post(hook, JSON.stringify(saleOf(secret(word("wrong")), fabio, document())))
    yield* post(hook, body.slice(0, -9))
    const endless = { email: email("fabio"), name: secret(word("long")).repeat(20_000) }
    yield* post(hook, saleOf(hottok, endless, document()))
    yield* ask(hook, { headers: { "x-hotmart-hottok": hottok } })
    const signature = secret(createHmac("sha1", hottok).update(body).digest("hex"))
    yield* post(`${url}/webhooks/kiwify/${token}?signature=${signature}`, body)
    yield* post(`${url}/webhooks/kiwify/${secret(randomBytes(32).toString("base64url"))}`, body)
    const [sold] = yield* eventually(
      Effect.map(get(`${path}/events?outcome=processed`), ({ json }) => [at(json, "data", 0, "id")]),
      ([id]) => id !== undefined
    )
    yield* get(`/inbound-events/${String(sold)}`)
    yield* change("PATCH", path, { secret: secret("x".repeat(501)) })
    return { hook, hottok }
  })

  const student = yield* students
  yield* imports
  yield* registration
  const { hook, hottok } = yield* sales
  yield* change("DELETE", student)
  yield* get(`${student}/erasure`)
  return { secrets, hook, hottok }
})
