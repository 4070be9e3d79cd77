import { Effect } from "effect"
import type { Dice } from "../simulation/Dice.ts"
import { audit, readBooks } from "./Books.ts"
import { foundClub } from "./Clubs.ts"
import { followFeed, misread } from "./Followed.ts"
import { gradeAgain, misgraded, openGraded } from "./Graded.ts"
import { readLedger } from "./Ledger.ts"
import { type Accepted, load } from "./Load.ts"
import { misplayed, openInbox, play } from "./Played.ts"
import { misrecovered, openRecovered, recoverAgain } from "./Recovered.ts"
import { openSchool, study } from "./School.ts"
import { inspect, readSchool } from "./SchoolBooks.ts"
import { shape } from "./Shaped.ts"
import { openShop, trade } from "./Shop.ts"
import type { Stand } from "./Stand.ts"
import { readSessions, readSwept } from "./Swept.ts"
import { duplicates, type Evidence, gaps, lost, misplaced, stuck, unphased } from "./Verdict.ts"

interface Options {
  readonly stand: Stand
  readonly api: string
  readonly dice: Dice
  /** True while Redis is away. */
  readonly withoutRedis: () => boolean
}

const clubs = 4

/** Clubs under load: they record, sell, import, study, recover, follow, play and grade. */
export const openActivity = Effect.fn("openActivity")(function*({ api, dice, stand, withoutRedis }: Options) {
  const accepted: Array<Accepted> = []
  const founded = yield* Effect.forEach(
    Array.from({ length: clubs }, (_, number) => `club-${number}`),
    (name) => foundClub({ stand, api }, name)
  )
  yield* Effect.forEach(founded.slice(1, 2), (club) => shape(stand, api, club))
  const shop = yield* openShop(stand, api)
  const school = yield* openSchool(stand, api)
  const recovered = yield* openRecovered(stand, api)
  const inbox = yield* openInbox(stand, api)
  const graded = yield* openGraded(stand, api)
  const followed = founded[0] ?? recovered
  const sessions = yield* readSessions

  const recording = yield* load({ api, clubs: founded, dice: dice.fork(), accepted, withoutRedis })
  const trading = trade({ api, shop, dice: dice.fork() })
  const studying = study({ api, school, dice: dice.fork() })
  const recovering = recoverAgain({ api, club: recovered, dice: dice.fork(), accepted })
  const following = followFeed(api, followed, dice.fork())
  const playing = play(inbox)
  const grading = gradeAgain(api, graded)
  const { asked, completed, said, uploaded } = studying.studied

  const loads = [recording, trading, studying, recovering, following, playing, grading]

  /** True once something of each kind has happened. On a busy machine that takes longer. */
  const isTried = () =>
    [
      recording.counts.facts,
      recording.counts.tests,
      ...[asked, completed, said, uploaded].map(({ size }) => size),
      trading.sales.filter(({ accepted }) => accepted.has("PURCHASE_APPROVED")).length,
      trading.imports.length,
      recovering.counts.recoveries,
      following.counts.feedPages,
      following.counts.feedWaits,
      grading.counts.gradings,
      recovering.counts.drains
    ].every((count) => count > 0)

  /** The evidence about all promised work, once no work remains. */
  const judge = Effect.fnUntraced(function*(seen: Pick<Evidence, "kills" | "outages" | "recording">) {
    const evidence: Evidence = {
      ...seen,
      accepted,
      ledger: yield* readLedger,
      // A probe is not a delivery.
      posts: stand.target.posts.filter(({ path }) => !graded.endpoints.some((one) => one.path === path))
    }
    const books = yield* readBooks(shop)
    return {
      ...recording.counts,
      ...trading.counts,
      ...studying.counts,
      ...recovering.counts,
      ...following.counts,
      ...grading.counts,
      ...audit(shop, trading, books, evidence.posts),
      ...inspect(school, studying.studied, yield* readSchool(school), evidence.posts),
      completed: completed.size,
      said: said.size,
      asked: asked.size,
      uploaded: uploaded.size,
      sales: trading.sales.length,
      soldSurely: trading.sales.filter(({ accepted }) => accepted.has("PURCHASE_APPROVED")).length,
      imports: trading.imports.length,
      purchases: books.purchases.length,
      students: books.students.length,
      inbound: books.inbound,
      ...duplicates(evidence),
      posts: evidence.posts.length,
      answered: [200, 500, 0].map((wanted) => evidence.posts.filter(({ status }) => status === wanted).length),
      deliveries: evidence.ledger.length,
      attempts: evidence.ledger.reduce((sum, { attempts }) => sum + attempts.length, 0),
      lost: lost(evidence),
      misplaced: misplaced(evidence),
      stuck: stuck(evidence),
      gaps: gaps(evidence),
      unphased: unphased(evidence, (path) => !path.startsWith("/")),
      misrecovered: yield* misrecovered(recovered),
      misgraded: yield* misgraded(graded),
      misread: misread(followed, accepted, following.events()),
      misplayed: yield* misplayed(inbox, playing.recorded),
      played: playing.recorded.length,
      distrusted: stand.target.distrusted,
      /** Rows removed as too old. By a right clock no row is old enough. */
      swept: yield* readSwept(sessions)
    }
  })

  return {
    shop,
    school,
    /** The paths of endpoints that list the recorded facts. */
    paths: founded.flatMap(({ endpoints }) => endpoints.map(({ path }) => path)),
    isTried,
    judge,
    /** Runs all loads at the same time. */
    run: Effect.all(loads.map(({ run }) => run), { concurrency: "unbounded" }),
    /** Recovers the remaining deliveries. The receiver accepts everything by then. */
    recover: recovering.end,
    /** Reads the rest of the feed, once no work remains. */
    readOn: following.end
  }
})
export type Judged = Effect.Success<ReturnType<Effect.Success<ReturnType<typeof openActivity>>["judge"]>>
