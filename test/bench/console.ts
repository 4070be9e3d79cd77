// npm run bench:console [-- --rounds 5 --seconds 30]: the console of a club with 100,000 of everything, in Chromium.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, DateTime, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { Browser } from "playwright-core"
import { browser, firstLook, scroll, type Scrolled, signedIn, visit } from "./console/Pages.ts"
import { seedLargeClub, size } from "./console/Seed.ts"
import { start } from "./Contender.ts"
import type { Bench, Length } from "./figures/Bench.ts"
import { atMost, type Figure, figureTable, judge } from "./figures/Figure.ts"
import { newDatabase } from "./newDatabase.ts"
import { PlatformLayer } from "./platformLayer.ts"
import type { Actor } from "./requests.ts"
import { seed } from "./seed.ts"
import { sized } from "./sized.ts"
import { forgetStatements, slowest } from "./statements.ts"
import { driverLayer } from "./webhooks/Stand.ts"
import { percentile, table } from "./webhooks/tables.ts"

/** First visits that do not count. */
const cold = sized(1, 0)

/** Milliseconds that a statement of any view may take. */
const statementAim = 50

const introduction = `A club with ${size} students and as many enrolments, points, purchases, sales events, deliveries,
attempts, questions and audit entries of the last 20 days, and half as many deliveries that wait for a paused endpoint, in Chromium, which shares this machine with service and database.
`

/** Every view that shows many rows, with its filters. */
const addresses = (student: string, hoursAgo: (hours: number) => string) => [
  "",
  "/students",
  "/students?search=silva",
  "/students?search=nobody",
  "/students?active=true",
  "/students?active=false",
  `/students/${student}`,
  `/students/${student}/purchases`,
  `/students/${student}/points`,
  `/students/${student}/progress`,
  `/students/${student}/webhooks`,
  "/webhooks",
  "/webhooks/deliveries",
  "/webhooks/deliveries?status=failed",
  "/webhooks/deliveries?status=canceled",
  "/webhooks/deliveries?status=pending",
  "/webhooks/deliveries?type=purchase.refunded",
  "/webhooks/deliveries?type=purchase.paid&status=failed",
  `/webhooks/deliveries?since=${hoursAgo(300)}&until=${hoursAgo(299)}`,
  `/webhooks/deliveries?student=${student}`,
  "/webhooks/00000000-0000-7000-9000-000000000001",
  "/webhooks/00000000-0000-7000-9000-000000000001/deliveries?status=failed",
  "/webhooks/00000000-0000-7000-9000-000000000005",
  "/webhooks/00000000-0000-7000-9000-000000000005/deliveries?status=pending",
  "/webhooks/00000000-0000-7000-9000-000000000001/deliveries?type=purchase.refunded",
  "/sales",
  "/sales?outcome=failed",
  "/sales/products",
  "/sales/platforms",
  "/gamification",
  "/gamification/levels",
  "/gamification/ranking",
  "/gamification/ranking?period=30d",
  "/assistant",
  "/assistant/usage",
  "/assistant/usage?window=30d",
  "/support",
  "/support?status=closed",
  "/settings/audit",
  "/settings/audit?outcome=refused",
  "/settings/audit?operation=clubs.update",
  "/content",
  "/content/media",
  "/content/submissions",
  "/content/submissions?status=approved",
  "/community/comments",
  "/members",
  "/keys",
  "/billing",
  "/community"
]

/** Ends once workers have computed the boards for the rankings of a period. */
const rankingsAreLaid = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const laid = sql<{ laid: boolean }>`select coalesce(bool_and(laid_at is not null), false) as laid from point_boards`
  yield* Effect.repeat(Effect.delay(laid, "200 millis"), { until: ([boards]) => boards?.laid === true })
}).pipe(Effect.orDie)

/**
 * Visits every view once to warm the caches, then in rounds. Answers each view's median milliseconds until it is shown,
 * and its slowest statement of all rounds.
 */
const walk = Effect.fn("walk")(
  function*(chromium: Browser, base: string, { organization_id, access_token }: Actor, rounds: number) {
    const sql = yield* SqlClient.SqlClient
    const [latest] = yield* Effect.orDie(sql<{ id: string }>`
    select s.id from students s join clubs c on c.id = s.club_id where c.organization_id = ${organization_id}
    order by s.id desc limit 1`)
    const page = yield* signedIn(chromium, base, access_token)
    const now = yield* DateTime.now
    const hoursAgo = (hours: number) => DateTime.formatIso(DateTime.subtract(now, { hours }))
    const wanted = addresses(latest?.id ?? "", hoursAgo).slice(0, sized(Infinity, 1))
    const look = (path: string) => visit(page, `${base}/console/${organization_id}${path}`)
    yield* Effect.forEach(wanted, look)
    const looked = (path: string) => Effect.all([Effect.andThen(forgetStatements, look(path)), slowest])
    const seen = yield* Effect.replicateEffect(Effect.forEach(wanted, looked), rounds)
    return wanted.map((path, at) => {
      const here = seen.flatMap((round) => round.slice(at, at + 1))
      return {
        path,
        millis: percentile(here.map(([millis]) => millis), 0.5),
        statementMillis: Math.max(...here.map(([, { most }]) => most)),
        statement: here.toSorted(([, one], [, other]) => other.most - one.most)[0]?.[1].query ?? ""
      }
    })
  },
  Effect.scoped
)

const figuresOfList = (
  name: string,
  { frames, heap: [began, ended], onPage, reached }: Scrolled
): ReadonlyArray<Figure> => [
  { name: `${name}: rows scrolled through`, is: "at least", aim: undefined, rounds: [reached] },
  atMost(`${name}: rows on the page at once`, 100, [onPage]),
  atMost(`${name}: MB of heap more at the end`, 10, [ended - began]),
  atMost(`${name}: p50 between frames, ms`, 20, [percentile(frames, 0.5)]),
  atMost(`${name}: p99 between frames, ms`, 100, [percentile(frames, 0.99)])
]

const measure = Effect.fn("measure")(function*({ rounds, seconds }: Length) {
  yield* Console.log(introduction)
  const settings = { shared_preload_libraries: "pg_stat_statements", max_wal_size: "8GB" }
  const { database, folder } = yield* newDatabase(settings)
  const random = yield* SecureRandom.SecureRandom
  const key = Buffer.from(yield* random.randomBytes(32)).toString("base64")
  return yield* Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* Effect.orDie(sql`create extension pg_stat_statements`)
    const [actor] = yield* seed(1)
    if (actor === undefined) return yield* Effect.die("An actor is needed")
    yield* seedLargeClub(actor)
    const place = { database, folder, key }
    // Then starts without workers, so that only views run statements.
    yield* Effect.scoped(Effect.andThen(start("Turma", place, { ROLE: "all" }), rankingsAreLaid))
    const turma = yield* start("Turma", place, { PUBLIC_URL: "http://127.0.0.1" })
    const chromium = yield* browser
    const { access_token, organization_id } = actor
    const club = `/console/${organization_id}`
    const first = yield* Effect.replicateEffect(firstLook(chromium, turma.url, club, access_token), rounds + cold)
    const views = yield* walk(chromium, turma.url, actor, rounds)
    // A page of 100 rows takes a few hundredths of a second.
    const pages = seconds * 34
    const deliveries = yield* scroll(chromium, turma.url, `${club}/webhooks/deliveries`, access_token, pages)
    const students = yield* scroll(chromium, turma.url, `${club}/students`, access_token, pages)
    const byStatement = views.toSorted((one, other) => other.statementMillis - one.statementMillis)
    yield* Console.log(table(
      ["view", "ms until it is shown", "ms of its slowest statement"],
      views.map(({ millis, path, statementMillis }) => [path, millis.toFixed(0), statementMillis.toFixed(1)])
    ))
    yield* Console.log(`\n${
      table(
        ["slowest statements", "ms"],
        byStatement.slice(0, 8).map(({ statement, statementMillis }) => [statement, statementMillis.toFixed(1)])
      )
    }\n`)
    // The first request of a fresh process also compiles code and fills caches.
    const later = first.slice(cold)
    const figures = [
      atMost("first view, KB over the network", 150, later.map(({ bytes }) => bytes / 1024)),
      atMost("first view, ms until interactive", 1000, later.map(({ interactiveMillis }) => interactiveMillis)),
      atMost("slowest view, ms until it is shown", 1000, [Math.max(...views.map(({ millis }) => millis))]),
      atMost("slowest statement of all views, ms", statementAim, [byStatement[0]?.statementMillis ?? 0]),
      ...figuresOfList("deliveries", deliveries),
      ...figuresOfList("students", students)
    ]
    yield* Console.log(figureTable(figures.map((figure) => ["console", judge(figure)] as const)))
    return figures
  }).pipe(Effect.provide(driverLayer({ database, key })))
}, Effect.scoped)

export const consoles: Bench = { name: "console", short: { rounds: 3, seconds: 5 }, figures: measure }

if (import.meta.main) {
  Command.make("bench:console", {
    rounds: Flag.Int("rounds").pipe(Flag.withDefault(sized(5, 1)), Flag.withDescription("Looks at each view")),
    seconds: Flag.Finite("seconds").pipe(
      Flag.withDefault(sized(30, 0.03)),
      Flag.withDescription("About how long each list is scrolled")
    )
  }, measure).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
}
