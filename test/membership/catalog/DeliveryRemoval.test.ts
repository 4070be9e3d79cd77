import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AppLayer, enrolledStudent, listAt, outcome, send } from "../../harness/App.ts"
import { makeCatalogDelivery, makeCohort, makeEnrollment } from "../../harness/Makers.ts"
import { idOf, openDeliveries, unknownId } from "./OpenDeliveries.ts"

layer(AppLayer)("Deleting a delivery", (it) => {
  it.effect("removes it with its items and cohorts", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* openDeliveries()
      const made = yield* club.create({ name: "A", items: [{ kind: "community", id: club.community }] })
      yield* send("POST", `${club.base}/${idOf(made)}/cohorts`, { ...club, body: { name: "March" } })
      assert.strictEqual((yield* club.remove(idOf(made))).status, 204)
      assert.deepStrictEqual(outcome(yield* club.read(`/${idOf(made)}`)), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* club.remove(idOf(made))), [404, "not_found"])
      assert.deepStrictEqual(yield* sql`select 1 from delivery_items where club_id = ${club.id}`, [])
      assert.deepStrictEqual(yield* sql`select 1 from cohorts where club_id = ${club.id}`, [])
    }))

  it.effect("is refused while an enrollment refers to it, even one that is over", () =>
    Effect.gen(function*() {
      const club = yield* openDeliveries()
      const delivery = yield* makeCatalogDelivery(club)
      yield* makeCohort(club, delivery)
      const now = yield* DateTime.now
      const revoked = { revoked_at: now, revoke_reason: "manual" } as const
      yield* makeEnrollment(club, yield* enrolledStudent(club), delivery, revoked)
      const before = yield* club.read(`/${delivery.id}`)
      assert.deepStrictEqual(outcome(yield* club.remove(delivery.id)), [409, "delivery_in_use"])
      assert.strictEqual((yield* club.read(`/${delivery.id}`)).text, before.text)
      assert.lengthOf(listAt((yield* club.read(`/${delivery.id}/cohorts`)).json, "data"), 1)
    }))

  it.effect("is refused while a registration link refers to it, and possible after that", () =>
    Effect.gen(function*() {
      const club = yield* openDeliveries()
      const { id } = yield* makeCatalogDelivery(club)
      const links = `${club.path}/registration-links`
      const link = yield* send("POST", links, { ...club, body: { delivery_id: id } })
      assert.deepStrictEqual(outcome(yield* club.remove(id)), [409, "delivery_in_use"])
      yield* send("DELETE", `${links}/${idOf(link)}`, club)
      assert.strictEqual((yield* club.remove(id)).status, 204)
    }))

  it.effect("is refused while a product mapping refers to it", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* openDeliveries()
      const { id } = yield* makeCatalogDelivery(club)
      const mapping = { platform: "hotmart", external_product_id: "1", delivery_id: id, created_at: new Date(0) }
      yield* sql`insert into product_mappings ${sql.insert({ ...mapping, club_id: club.id, id: unknownId })}`
      assert.deepStrictEqual(outcome(yield* club.remove(id)), [409, "delivery_in_use"])
    }))
})
