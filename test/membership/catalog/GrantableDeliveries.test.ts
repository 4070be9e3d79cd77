import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { CohortId, DeliveryId } from "../../../src/membership/catalog/Delivery.ts"
import { GrantableDeliveries } from "../../../src/membership/catalog/GrantableDeliveries.ts"
import { makeCatalogDelivery, makeClub, makeCohort } from "../../harness/Makers.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"

const TestLayer = Layer.provideMerge(GrantableDeliveries.layer, PostgresLayer)

const unknown = "018f0000-0000-7000-8000-000000000001"
const moment = DateTime.makeUnsafe("2026-03-01T00:00:00Z")

layer(TestLayer)("The catalog", (it) => {
  it.effect("answers the terms of each place, in the order in which they were asked for", () =>
    Effect.gen(function*() {
      const catalog = yield* GrantableDeliveries
      const club = yield* makeClub()
      const course = yield* makeCatalogDelivery(club, { name: "Course", default_access_days: 30 })
      const old = yield* makeCatalogDelivery(club, { name: "Old", archived_at: moment })
      const march = yield* makeCohort(club, course, { name: "March", starts_at: moment })
      const places = [
        { delivery_id: old.id, cohort_id: null },
        { delivery_id: course.id, cohort_id: march.id },
        { delivery_id: course.id, cohort_id: null },
        { delivery_id: old.id, cohort_id: null }
      ]
      const none = { cohort_name: null, cohort_starts_at: null, cohort_ends_at: null }
      const ofOld = { delivery_id: old.id, cohort_id: null, delivery_name: "Old", default_access_days: null, ...none }
      const ofCourse = { delivery_id: course.id, delivery_name: "Course", default_access_days: 30, archived: false }
      assert.deepStrictEqual(yield* catalog.terms(club.id, places), [
        { ...ofOld, archived: true },
        { ...ofCourse, ...none, cohort_id: march.id, cohort_name: "March", cohort_starts_at: moment },
        { ...ofCourse, ...none, cohort_id: null },
        { ...ofOld, archived: true }
      ])
      assert.deepStrictEqual(yield* catalog.terms(club.id, []), [])
    }))

  it.effect("has no terms for what the club has not, and for a cohort of another delivery", () =>
    Effect.gen(function*() {
      const catalog = yield* GrantableDeliveries
      const [club, foreign] = [yield* makeClub(), yield* makeClub()]
      const [mine, sibling] = [yield* makeCatalogDelivery(club), yield* makeCatalogDelivery(club)]
      const theirs = yield* makeCatalogDelivery(foreign)
      const [cohort, foreignCohort] = [yield* makeCohort(club, sibling), yield* makeCohort(foreign, theirs)]
      const answers = yield* catalog.terms(club.id, [
        { delivery_id: theirs.id, cohort_id: null },
        { delivery_id: theirs.id, cohort_id: foreignCohort.id },
        { delivery_id: DeliveryId.make(unknown), cohort_id: null },
        { delivery_id: mine.id, cohort_id: cohort.id },
        { delivery_id: mine.id, cohort_id: foreignCohort.id },
        { delivery_id: mine.id, cohort_id: CohortId.make(unknown) }
      ])
      assert.deepStrictEqual(answers, [null, null, null, null, null, null])
    }))

  it.effect("names the free deliveries, and those to choose from with their cohorts, without archived ones", () =>
    Effect.gen(function*() {
      const catalog = yield* GrantableDeliveries
      const club = yield* makeClub()
      const paid = yield* makeCatalogDelivery(club, { name: "Paid" })
      yield* TestClock.adjust("1 second")
      const free = yield* makeCatalogDelivery(club, { name: "Free", free: true })
      yield* makeCatalogDelivery(club, { free: true, archived_at: moment })
      yield* makeCatalogDelivery(yield* makeClub(), { free: true })
      const march = yield* makeCohort(club, paid, { name: "March" })
      yield* TestClock.adjust("1 second")
      const april = yield* makeCohort(club, paid, { name: "April" })
      assert.deepStrictEqual(yield* catalog.free(club.id), [free.id])
      assert.deepStrictEqual(yield* catalog.named(club.id), [
        { id: paid.id, name: "Paid", cohorts: [{ id: march.id, name: "March" }, { id: april.id, name: "April" }] },
        { id: free.id, name: "Free", cohorts: [] }
      ])
    }))
})
