// The platforms' hook as a careful engineer would write it by hand, to compare with Turma: Fastify and postgres.js. It
// finds the address by the token's hash, compares the hottok, parses the body and inserts the raw bytes, once. It does
// not seal, file or process anything.
import { fastify } from "fastify"
import { createHash, randomUUIDv7, timingSafeEqual } from "node:crypto"
import postgres from "postgres"

interface HookRoute {
  Params: { readonly platform: string; readonly token: string }
  Body: Buffer
}

interface Found {
  readonly id: string
  readonly hottok: string
}

const variable = (name: string) => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is unset`)
  return value
}

const sql = postgres(variable("DATABASE_URL"), {
  max: Number(variable("DATABASE_POOL")),
  connection: { application_name: "twin" }
})

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest()

const app = fastify({ logger: false, bodyLimit: 262_144, genReqId: () => randomUUIDv7() })

app.removeAllContentTypeParsers()
app.addContentTypeParser("*", { parseAs: "buffer" }, (_, body, done) => done(null, body))

app.addHook("onRequest", async (request, reply) => {
  reply.header("x-request-id", request.id)
})

const refusal = (code: string) => ({ error: { code, message: code } })

app.get("/v1/health", () => ({ data: { status: "ok" } }))

app.post<HookRoute>("/webhooks/:platform/:token", async ({ body, headers, params }, reply) => {
  const [hook] = await sql<Array<Found>>`
    select id, hottok from twin_hooks where platform = ${params.platform} and token_hash = ${sha256(params.token)}`
  if (hook === undefined) return reply.code(404).send(refusal("not_found"))
  const sent = String(headers["x-hotmart-hottok"])
  if (!timingSafeEqual(sha256(sent), sha256(hook.hottok))) return reply.code(401).send(refusal("invalid_signature"))
  try {
    JSON.parse(body.toString())
  } catch {
    return reply.code(400).send(refusal("malformed_request"))
  }
  const rows = await sql`
    insert into twin_events (id, hook_id, body_hash, raw, received_at)
    values (${randomUUIDv7()}, ${hook.id}, ${sha256(body)}, ${body}, ${new Date()})
    on conflict (hook_id, body_hash) do nothing returning 1`
  return { data: { status: rows.length > 0 ? "accepted" : "duplicate" } }
})

process.once("SIGTERM", () => void app.close().then(() => sql.end()))

await app.listen({ host: "127.0.0.1", port: Number(variable("PORT")) })
