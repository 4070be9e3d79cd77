import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Outbox } from "../src/events/Outbox.ts"
import { Partitions } from "../src/sql/Partitions.ts"
import { Assembler } from "../src/webhooks/assembly/Assembler.ts"
import { LaneChanges } from "../src/webhooks/dispatch/LaneChanges.ts"
import { png, uploaded } from "./content/media/Files.ts"
import { furnished } from "./ForeignThings.ts"
import { localFolder } from "./storage/LocalFolder.ts"
import { appLayer, at, send } from "./support/App.ts"
import { type Listed, operations, pathWith, sampleBody } from "./support/Document.ts"
import { Mailbox } from "./support/Mailbox.ts"
import { makeEndpoint } from "./support/Webhooks.ts"

// Driven by the contract: the internal id of a club is in nothing that leaves, however it is written.

const { folder } = localFolder()
const secret = "a-long-random-text"
const unknown = "018f0000-0000-7000-8000-000000000001"

/** What a text says when whatever is encoded in it, percent by percent or in base64, is decoded. */
const spoken = (text: string): string => {
  const runs = text.match(/[A-Za-z0-9+/_-]{20,}/g) ?? []
  // Base64 says another thing from each of four letters on.
  const decoded = runs.flatMap((run) => [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), "base64")))
  const plain = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return [plain, ...decoded.flatMap((bytes) => [bytes.toString("latin1"), bytes.toString("hex")])].join("\n")
    .toLowerCase()
}

const tells = (text: string, id: string) => {
  const said = spoken(text)
  return said.includes(id) || said.includes(id.replaceAll("-", ""))
}

/** Nothing is deleted before all has been read. */
const inOrder = (all: ReadonlyArray<Listed>) =>
  ["GET", "POST", "PUT", "PATCH", "DELETE"].flatMap((method) => all.filter((one) => one.method === method))

/** A club that has everything, with the ids that paths name. */
const everything = Effect.gen(function*() {
  const club = yield* furnished
  const { ana, anas, path, shared, token } = club
  const post = (to: string, body?: unknown) =>
    send("POST", `${path}${to}`, { token, ...(body === undefined ? {} : { body }) })
  const idOf = (answer: { readonly json: unknown }) => String(at(answer.json, "data", "id"))
  const { id: endpointId } = yield* makeEndpoint(club, {
    event_types: ["student.created", "student.updated", "lesson.completed"]
  })
  const delivery = yield* post(`/webhook-endpoints/${endpointId}/test`)
  const hook = yield* post("/inbound-webhooks", { platform: "generic", token_only: true })
  yield* send("POST", new URL(String(at(hook.json, "data", "url"))).pathname, { body: { type: "other" } })
  yield* post("/members/invitations", { email: "bia@people.example", role: "editor" })
  yield* post("/students", { name: "Caio", email: "caio@people.example", send_invite: true })
  yield* send("PUT", `${path}/classroom/lessons/${shared.publicId}/completion`, ana)
  // Its stream has an end.
  yield* send("POST", `${path}/classroom/ask/messages/${anas.replyId}/cancel`, ana)
  const [file, library] = [yield* post("/mentorship-files", { file_name: "a.png", mime: "image/png", size_bytes: 9 }), {
    id: yield* uploaded(club, png)
  }]
  const ids = {
    ...shared,
    ...anas,
    clubId: club.organization_id,
    mediaId: library.id,
    fileId: shared.fileId,
    messageId: anas.replyId,
    conversationId: anas.supportId,
    deliveryId: club.delivery.id,
    endpointId,
    inboundWebhookId: idOf(hook),
    userId: club.owner.id
  }
  return { club, ids, begun: [delivery, hook, file] }
})

const ServiceLayer = Assembler.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(LaneChanges.layer, Outbox.layer, Partitions.layer)),
  Layer.provideMerge(appLayer({ DATA_DIR: folder, INTERNAL_SECRET: secret }))
)

layer(ServiceLayer, { timeout: "120 seconds" })("The internal id of a club", (it) => {
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
        const { begun, club, ids } = yield* everything
        for (const { text } of begun) assert.isFalse(tells(text, club.id), text)
        yield* TestClock.adjust("1 minute")
        yield* (yield* Assembler).assemble()
        const bodies = yield* sql`
          select type, convert_from(body, 'UTF8') as body from webhook_messages
          where club_id = ${club.id} and body is not null`
        assert.isAbove(new Set(bodies.map(({ type }) => type)).size, 0)
        for (const { body, type } of bodies) assert.isFalse(tells(String(body), club.id), String(type))

        let successes = 0
        for (const operation of inOrder(operations)) {
          // It would end the sessions of this walk.
          if (operation.method === "DELETE" && operation.path.startsWith("/v1/auth/")) continue
          const path = pathWith(
            operation,
            { ...ids, id: ids.endpointId, publicId: publicIdIn(operation, ids) },
            unknown
          )
          const body = operation.method === "GET" ? undefined : sampleBody(operation)
          for (const token of [club.token, club.ana.token, undefined]) {
            const { headers, status, text } = yield* send(operation.method, path, {
              ...(token === undefined ? {} : { token }),
              ...(body === undefined ? {} : { body })
            })
            if (status < 300) successes += 1
            assert.isFalse(tells(`${JSON.stringify(headers)}\n${text}`, club.id), `${operation.name}: ${text}`)
          }
        }
        assert.isAbove(successes, operations.length / 2)

        const { to } = yield* Mailbox
        const addresses = ["bia@people.example", "caio@people.example", club.owner.email]
        const mails = (yield* Effect.forEach(addresses, to)).flat()
        assert.isAtLeast(mails.length, 2)
        for (const mail of mails) assert.isFalse(tells(JSON.stringify(mail), club.id), mail.subject)

        const metrics = yield* send("GET", "/internal/metrics", { token: secret })
        assert.include(metrics.text, "turma_http_requests_total")
        assert.isFalse(tells(metrics.text, club.id))
      })
  )
})

const publicIdIn = ({ path }: Listed, ids: Record<string, string>) =>
  path.includes("/courses/")
    ? ids["coursePublicId"] ?? ""
    : path.includes("/repositories/")
    ? ids["repositoryPublicId"] ?? ""
    : ids["publicId"] ?? ""
