import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { send } from "../harness/App.ts"
import { operations } from "../harness/Document.ts"
import { Mailbox } from "../harness/Mailbox.ts"
import { localFolder } from "../platform/storage/local/LocalFolder.ts"
import { delivered, deliveringLayer } from "./Delivered.ts"
import { askedWith, everything, inOrder } from "./EveryOperation.ts"

// Driven by the contract: no answer contains the internal id of a club, in any encoding.

const { folder } = localFolder()
const secret = "a-long-random-text"
const unknown = "018f0000-0000-7000-8000-000000000001"

/** The text with all that is encoded in it, decoded from percent encoding and base64. */
const spoken = (text: string): string => {
  const runs = text.match(/[A-Za-z0-9+/_-]{20,}/g) ?? []
  // Base64 decodes differently from each of four letters.
  const decoded = runs.flatMap((run) => [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), "base64")))
  const plain = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return [plain, ...decoded.flatMap((bytes) => [bytes.toString("latin1"), bytes.toString("hex")])].join("\n")
    .toLowerCase()
}

const tells = (text: string, id: string) => {
  const said = spoken(text)
  return said.includes(id) || said.includes(id.replaceAll("-", ""))
}

/** Operations that do not succeed in this walk, and why. */
const unreached: Record<string, string> = {
  "POST /v1/clubs/{clubId}/billing/portal": "501: only Stripe has one",
  "POST /v1/clubs/{clubId}/billing/checkout": "501: only Stripe has one",
  "POST /v1/clubs/{clubId}/billing/subscriptions/{subscriptionId}/confirm": "only Stripe makes what is confirmed"
}

const ServiceLayer = deliveringLayer({ DATA_DIR: folder, INTERNAL_SECRET: secret })

layer(ServiceLayer)("The internal id of a club", (it) => {
  it.effect("would be found in the address of a file whose place holds it", () =>
    Effect.sync(() => {
      const id = unknown
      const token = Buffer.from(JSON.stringify({ kind: "download", key: `${id}/a` })).toString("base64url")
      for (const text of [token, `x${token}`, `/kept/${id}/a`, encodeURIComponent(`"${id}"`), id.replaceAll("-", "")]) {
        assert.isTrue(tells(`{"url":"https://turma.example/storage/files/${text}.mac"}`, id), text)
      }
      assert.isFalse(tells(token, "018f0000-0000-7000-8000-000000000002"))
    }))

  it.effect(
    "is in no answer of any route, no address, no mail, no webhook and no metric",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const world = yield* everything
        const { begun, club } = world
        for (const { text } of begun) assert.isFalse(tells(text, club.id), text)
        const sent = yield* delivered(world)
        const bodies = yield* sql`
          select type, convert_from(body, 'UTF8') as body from webhook_messages
          where club_id = ${club.id} and body is not null`
        assert.isAbove(new Set(bodies.map(({ type }) => type)).size, 0)
        for (const { body, type } of bodies) assert.isFalse(tells(String(body), club.id), String(type))

        const missed: Array<string> = []
        for (const operation of inOrder(operations)) {
          const { body, path, tokens } = askedWith(operation, world, sent)
          let isDone = false
          for (const token of tokens) {
            const { headers, status, text } = yield* send(operation.method, path, {
              ...(token === undefined ? {} : { token }),
              ...(body === undefined ? {} : { body })
            })
            isDone ||= status >= 200 && status < 300
            assert.isFalse(tells(`${JSON.stringify(headers)}\n${text}`, club.id), `${operation.name}: ${text}`)
          }
          if (!isDone) missed.push(operation.name)
        }
        assert.deepStrictEqual(missed.toSorted(), Object.keys(unreached).toSorted())

        const { to } = yield* Mailbox
        const addresses = [...["bia", "caio", "eva", "iris"].map((name) => `${name}@people.example`), club.owner.email]
        const mails = (yield* Effect.forEach(addresses, to)).flat()
        assert.isAtLeast(mails.length, 6)
        for (const mail of mails) assert.isFalse(tells(JSON.stringify(mail), club.id), mail.subject)

        const metrics = yield* send("GET", "/internal/metrics", { token: secret })
        assert.include(metrics.text, "turma_http_requests_total")
        assert.isFalse(tells(metrics.text, club.id))
      })
  )
})
