import { Effect, Fiber } from "effect"
import { freePort } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { Dice } from "../simulation/Dice.ts"
import { audit, readBooks } from "./Books.ts"
import { clockJumps } from "./ClockJumps.ts"
import { foundClub } from "./Clubs.ts"
import { followFeed, misread } from "./Followed.ts"
import { gradeAgain, misgraded, openGraded } from "./Graded.ts"
import { readLedger, settled } from "./Ledger.ts"
import { type Accepted, load } from "./Load.ts"
import { misplayed, openInbox, play } from "./Played.ts"
import { misrecovered, openRecovered, recoverAgain } from "./Recovered.ts"
import { openSchool, study } from "./School.ts"
import { inspect, readSchool } from "./SchoolBooks.ts"
import { shape } from "./Shaped.ts"
import { openShop, trade } from "./Shop.ts"
import { type Stand, startStandApi } from "./Stand.ts"
import { readSessions, readSwept } from "./Swept.ts"
import { duplicates, type Evidence, gaps, lost, misplaced, type Outage, stuck, unphased } from "./Verdict.ts"
import { keepWorkers } from "./Workers.ts"

export interface ChaosOptions {
  /** How long it lasts; as long again may pass until everything is settled. */
  readonly seconds: number
  readonly seed: number
  /** It goes on until so many workers were killed: on a slow machine most of the time passes while they start. */
  readonly leastKills: number
  /** Milliseconds within which a result is recorded after its answer, on this machine. */
  readonly recording: number
}

const workers = 3
const clubs = 4

/** Seconds that PostgreSQL and Redis are away, beside what they take to start. */
const away = 1

/** Nothing is owed any more within so many seconds of the last kill. */
const mostSettling = 180

/** A process that starts or ends because PostgreSQL is away may do so for this many milliseconds afterwards. */
const aftermath = 5000

/** The API on one port, where it may be killed and started again. */
const keepApi = Effect.fnUntraced(function*(stand: Stand) {
  const port = yield* freePort
  let api = yield* startStandApi(stand, port)
  let kills = 0
  // It does not start while PostgreSQL is away.
  const start = Effect.catchCause(startStandApi(stand, port), () => Effect.sleep("300 millis")).pipe(
    Effect.repeat({ until: (started) => started !== undefined })
  )
  const restart = Effect.gen(function*() {
    yield* api.end("SIGKILL")
    kills += 1
    api = (yield* start) ?? api
  }).pipe(Effect.uninterruptible)
  return { url: api.url, restart, kills: () => kills, end: Effect.suspend(() => api.end()) }
})

/**
 * Three workers and the API on one PostgreSQL and one Redis, under load. Every second or two one worker is killed and
 * another one started, and now and then the API; PostgreSQL and Redis each go away once. Then all is well, and it waits
 * until nothing is owed.
 */
export const chaos = Effect.fn("chaos")(
  function*(stand: Stand, { leastKills, recording, seconds, seed }: ChaosOptions) {
    const dice = new Dice(seed)
    const accepted: Array<Accepted> = []
    const outages: Array<Outage> = []
    let databaseIsAway = false
    let redisIsAway = false
    const mayEnd = () => databaseIsAway || outages.some(({ until }) => Date.now() < until + aftermath)

    const api = yield* keepApi(stand)
    const founded = yield* Effect.forEach(
      Array.from({ length: clubs }, (_, number) => `club-${number}`),
      (name) => foundClub({ stand, api: api.url }, name)
    )
    yield* Effect.forEach(founded.slice(1, 2), (club) => shape(stand, api.url, club))
    const shop = yield* openShop(stand, api.url)
    const school = yield* openSchool(stand, api.url)
    const recovered = yield* openRecovered(stand, api.url)
    const inbox = yield* openInbox(stand, api.url)
    const graded = yield* openGraded(stand, api.url)
    const followed = founded[0] ?? recovered
    const sessions = yield* readSessions
    const crew = yield* keepWorkers(stand, workers, { mayEnd })
    const manning = yield* Effect.forkScoped(crew.run)
    const manned = Effect.sleep("50 millis").pipe(Effect.repeat({ until: () => crew.ready().length === workers }))
    yield* manned

    const { counts, run } = yield* load({
      api: api.url,
      clubs: founded,
      dice: dice.fork(),
      accepted,
      withoutRedis: () => redisIsAway
    })

    const trading = trade({ api: api.url, shop, dice: dice.fork() })
    const studying = study({ api: api.url, school, dice: dice.fork() })

    const recovering = recoverAgain({ api: api.url, club: recovered, dice: dice.fork(), accepted })
    const following = followFeed(api.url, followed, dice.fork())
    const playing = play(inbox)
    const grading = gradeAgain(api.url, graded)

    // Where workers take longer to start, they live longer: a machine with much else to do would only ever start them.
    const kill = Effect.suspend(() => Effect.sleep(dice.between(700, 1100))).pipe(
      Effect.andThen(Effect.suspend(() => dice.chance(0.3) ? Effect.void : manned)),
      Effect.andThen(crew.kill(dice)),
      Effect.forever
    )

    // Not while Redis is away: what the API does without it is tried then.
    const killApi = Effect.sleep(Math.max(4000, seconds * 125)).pipe(
      Effect.andThen(Effect.suspend(() => redisIsAway ? Effect.void : api.restart)),
      Effect.forever
    )

    const databaseOutage = Effect.gen(function*() {
      const from = Date.now()
      databaseIsAway = true
      yield* stand.database.stop
      yield* Effect.sleep(away * 1000)
      yield* stand.database.start
      outages.push({ from, until: Date.now() })
      databaseIsAway = false
    })

    const redisOutage = Effect.gen(function*() {
      redisIsAway = true
      yield* stand.counters.stop
      yield* Effect.sleep(away * 1000)
      redisIsAway = false
      yield* stand.counters.start
    })

    const clocks = clockJumps(crew, dice.fork())
    const { asked, completed, said, uploaded } = studying.studied

    /** Something of each kind has happened; on a busy machine that takes longer. */
    const isTried = () =>
      [
        counts.facts,
        counts.tests,
        ...[asked, completed, said, uploaded].map(({ size }) => size),
        trading.sales.filter(({ accepted }) => accepted.has("PURCHASE_APPROVED")).length,
        trading.imports.length,
        recovering.counts.recoveries,
        following.counts.feedPages,
        following.counts.feedWaits,
        grading.counts.gradings,
        recovering.counts.drains,
        clocks.jumps.length
      ].every((count) => count > 0)

    const script = Effect.gen(function*() {
      yield* Effect.sleep(seconds * 1000 * 0.4)
      yield* databaseOutage
      yield* Effect.sleep(seconds * 1000 * 0.3)
      yield* redisOutage
      yield* Effect.sleep(seconds * 1000 * 0.3)
      const isEnough = () => crew.kills.length >= leastKills && isTried()
      yield* Effect.sleep("100 millis").pipe(Effect.repeat({ until: isEnough }))
    })
    const loads = [run, trading.run, studying.run, recovering.run, following.run, playing.run, grading.run]
    const loading = yield* Effect.forkScoped(Effect.all(loads, { concurrency: "unbounded" }))
    const killing = yield* Effect.forkScoped(Effect.all([kill, killApi, clocks.run], { concurrency: "unbounded" }))
    yield* script
    yield* Fiber.interrupt(killing)
    yield* Fiber.interrupt(loading)

    yield* stand.target.recover
    const calm = Date.now()
    yield* recovering.end
    const left = yield* settled(mostSettling)
    const settling = Date.now() - calm
    yield* following.end
    const { code, stderr } = yield* api.end
    yield* Fiber.interrupt(manning)

    const evidence: Evidence = {
      accepted,
      ledger: yield* readLedger,
      // A probe is no delivery.
      posts: stand.target.posts.filter(({ path }) => !graded.endpoints.some((one) => one.path === path)),
      kills: [...crew.kills, ...clocks.jumps],
      outages,
      recording
    }
    const ownPaths = (path: string) => path.startsWith("/play/")
    const books = yield* readBooks(shop)
    return {
      ...counts,
      ...trading.counts,
      ...studying.counts,
      ...recovering.counts,
      ...following.counts,
      ...grading.counts,
      ...audit(shop, trading, books, evidence.posts),
      ...inspect(school, studying.studied, yield* readSchool(school), evidence.posts),
      completed: studying.studied.completed.size,
      said: studying.studied.said.size,
      asked: studying.studied.asked.size,
      uploaded: studying.studied.uploaded.size,
      sales: trading.sales.length,
      soldSurely: trading.sales.filter(({ accepted }) => accepted.has("PURCHASE_APPROVED")).length,
      imports: trading.imports.length,
      purchases: books.purchases.length,
      students: books.students.length,
      inbound: books.inbound,
      apiKills: api.kills(),
      ...duplicates(evidence),
      kills: crew.kills.length,
      starts: crew.starts(),
      clockJumps: clocks.jumps.length,
      outage: outages.map(({ from, until }) => until - from),
      posts: evidence.posts.length,
      answered: [200, 500, 0].map((wanted) => evidence.posts.filter(({ status }) => status === wanted).length),
      deliveries: evidence.ledger.length,
      attempts: evidence.ledger.reduce((sum, { attempts }) => sum + attempts.length, 0),
      settling,
      left,
      lost: lost(evidence),
      misplaced: misplaced(evidence),
      stuck: stuck(evidence),
      gaps: gaps(evidence),
      unphased: unphased(evidence, ownPaths),
      misrecovered: yield* misrecovered(recovered),
      misgraded: yield* misgraded(graded),
      misread: misread(followed, accepted, following.events()),
      misplayed: yield* misplayed(inbox, playing.recorded),
      played: playing.recorded.length,
      distrusted: stand.target.distrusted,
      /** Gone by age, which nothing has reached by a clock that is right. */
      swept: yield* readSwept(sessions),
      ends: crew.ends,
      /** How the API ended when it was told to: 0 and silent. */
      api: { code, stderr }
    }
  },
  Effect.scoped
)
export type Outcome = Effect.Success<ReturnType<typeof chaos>>
