import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { LanesRepo } from "../../../../src/webhooks/engine/dispatch/LanesRepo.ts"
import { seedPending } from "../../../bench/webhooks/growthSeed.ts"
import { batch, oneBatch, type Phase, phases } from "../../../bench/webhooks/oneBatch.ts"
import { LonelyPostgresLayer } from "../../../harness/OwnPostgres.ts"
import { type Touched, touchedBy } from "../../../harness/PagesRead.ts"
import { groundOn } from "./Engine.ts"

const TestLayer = LanesRepo.layer.pipe(
  Layer.provideMerge(groundOn(LonelyPostgresLayer)),
  Layer.provideMerge(SecureRandom.layerWebCrypto)
)

/** Batches to measure. Other work of the server can keep dead rows on pages, which only adds, so the least counts. */
const batches = 3

const least = (one: Touched | undefined, other: Touched): Touched =>
  one === undefined ? other : {
    tablePages: Math.min(one.tablePages, other.tablePages),
    indexPages: Math.min(one.indexPages, other.indexPages),
    rows: Math.min(one.rows, other.rows)
  }

/** The fewest pages and rows that a batch touches in each phase, once statements are prepared. */
const touchedAt = Effect.fnUntraced(function*(pending: number, endpoints: number) {
  yield* TestClock.setTime(Date.UTC(2026, 10, 7))
  yield* seedPending(pending, endpoints)
  const lanes = Math.min(endpoints, batch)
  yield* oneBatch(lanes, (_, work) => work)
  const found: Partial<Record<Phase, Touched>> = {}
  const looked = oneBatch(lanes, (phase, work) =>
    Effect.map(touchedBy(work, /webhook_/), ([answer, touched]) => {
      found[phase] = least(found[phase], touched)
      return answer
    }))
  yield* Effect.replicateEffect(looked, batches)
  return (phase: Phase) => found[phase] ?? assert.fail(`Nothing was seen of ${phase}`)
})

/**
 * The most pages of tables, pages of indexes and rows that a batch may touch with 10 000 pending, by the number of
 * endpoints. These are a fifth above the first measurement, since the place of a row moves a few pages.
 */
const atMost: ReadonlyArray<readonly [endpoints: number, Record<Phase, readonly [number, number, number]>]> = [
  [1, { claim: [10, 8, 2], take: [82, 215, 156], settle: [545, 560, 80], release: [14, 57, 5] }],
  [1000, { claim: [475, 240, 1280], take: [960, 692, 2065], settle: [967, 695, 1355], release: [725, 1230, 1430] }]
]

/** The most growth with twenty times as many deliveries: the trees of indexes are one level higher. */
const growth = 1.25

layer(TestLayer)("A batch of 64 attempts", (it) => {
  for (const [endpoints, bounds] of atMost) {
    it.effect(`touches as many pages and rows with 200 000 pending as with 10 000, of ${endpoints} endpoints`, () =>
      Effect.gen(function*() {
        const few = yield* touchedAt(10_000, endpoints)
        const many = yield* touchedAt(200_000, endpoints)
        for (const phase of phases) {
          const [one, other] = [few(phase), many(phase)]
          const [tablePages, indexPages, rows] = bounds[phase]
          assert.isAtMost(one.tablePages, tablePages, `${phase}: pages of tables`)
          assert.isAtMost(one.indexPages, indexPages, `${phase}: pages of indexes`)
          assert.isAtMost(one.rows, rows, `${phase}: rows`)
          const pages = growth * (one.tablePages + one.indexPages)
          assert.isAtMost(other.tablePages + other.indexPages, pages, `${phase}: pages with 200 000`)
          assert.isAtMost(other.rows, growth * one.rows, `${phase}: rows with 200 000`)
        }
      }))
  }
})
