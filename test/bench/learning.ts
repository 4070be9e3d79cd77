// npm run bench:learning [-- --rounds 5 --seconds 10]: the classroom of a large school on a slow phone, in Chromium, and a class at once.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { request } from "undici"
import { browser } from "./console/Pages.ts"
import { type Contender, start } from "./Contender.ts"
import type { Bench, Length } from "./figures/Bench.ts"
import { atMost, type Figure, figureTable, judge } from "./figures/Figure.ts"
import { narrow, readsOf, scrollView, slowLook, type Visitor } from "./learning/Pages.ts"
import { addresses, seedSchool, size } from "./learning/Seed.ts"
import { newDatabase } from "./newDatabase.ts"
import { pace } from "./pace.ts"
import { PlatformLayer } from "./platformLayer.ts"
import type { Request } from "./requests.ts"
import { seed } from "./seed.ts"
import { sized } from "./sized.ts"
import { forgetStatements, slowest } from "./statements.ts"
import { driverLayer } from "./webhooks/Stand.ts"
import { percentile, spaced } from "./webhooks/tables.ts"

const introduction = `A school with a course of ${
  spaced(size.lessons)
} lessons of ${size.blocksOfLesson} texts each, one of ${spaced(size.blocks)}, a space of ${spaced(size.posts)}
posts, and ${
  spaced(size.students)
} students. The phone's processor is 4 times slower; each answer takes 150 ms more. Chromium
shares this machine with service and database.
`

/** Caps that no run reaches: one student stands for many. */
const uncapped = { PUBLIC_URL: "http://127.0.0.1", RATE_LIMIT_CLASSROOM: "1000000000" }

/** Seconds in which all students open the lesson. */
const minute = sized(60, 1)

/** Reads of one route in a row. */
const inARow = sized(300, 3)

/** Every view with a budget, and an element of the text that it is for. */
const views = [
  ["home", "", "main .home"],
  ["course", `/courses/${addresses.course}`, ".lesson-list > li"],
  ["lesson", `/lessons/${addresses.lesson}`, "main .text p"],
  ["community", "/community", "main h1"]
] as const

const reading = (token: string, path: string): Request => ({
  method: "GET",
  path,
  headers: { authorization: `Bearer ${token}` }
})

/** The milliseconds of each of these requests, one at a time. */
const singly = (contender: Contender, requests: ReadonlyArray<Request>) =>
  Effect.forEach(requests, ({ headers, path }) =>
    Effect.promise(async () => {
      const started = performance.now()
      const { body, statusCode } = await request(`${contender.url}${path}`, { headers })
      await body.text()
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`)
      return performance.now() - started
    }))

/** One search for each word of the course, over and over, and one whole outline after the other. */
const inARowOf = Effect.fnUntraced(function*(turma: Contender, club: string, token: string) {
  const asked = ["acorde", "ritmo bem", "polegar", "aula 77", "corda devag", "zzz", "harmonia", "nota limpa"]
  const searches = Array.from(
    { length: inARow },
    (_, n) => reading(token, `${club}/search?q=${encodeURIComponent(asked[n % asked.length] ?? "")}`)
  )
  const outlines = Array.from({ length: inARow / 3 }, () => reading(token, `${club}/courses/${addresses.course}`))
  return { searches: yield* singly(turma, searches), outlines: yield* singly(turma, outlines) }
})

const measure = Effect.fn("measure")(function*({ rounds, seconds }: Length) {
  yield* Console.log(introduction)
  const { database, folder } = yield* newDatabase({
    shared_preload_libraries: "pg_stat_statements",
    max_wal_size: "8GB"
  })
  const random = yield* SecureRandom.SecureRandom
  const key = Buffer.from(yield* random.randomBytes(32)).toString("base64")
  return yield* Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* Effect.orDie(sql`create extension pg_stat_statements`)
    const [actor] = yield* seed(1)
    if (actor === undefined) return yield* Effect.die("An actor is needed")
    const { organization_id } = actor
    const { space, tokens } = yield* seedSchool(actor)
    const token = tokens[Math.floor(tokens.length / 2)] ?? ""
    const turma = yield* start("Turma", { database, folder, key }, uncapped)
    const visitor: Visitor = { base: turma.url, organization_id, token }
    const chromium = yield* browser
    const club = `/v1/clubs/${organization_id}/classroom`
    // Warms the service: its first answers compile code and fill caches.
    yield* inARowOf(turma, club, token)
    const reads = yield* readsOf(chromium, visitor, views[2][1], views[2][2])
    yield* Console.log(`A lesson's page reads: ${reads.join(", ").replaceAll(organization_id, "…")}\n`)
    yield* forgetStatements

    const { outlines, searches } = yield* inARowOf(turma, club, token)
    const looks = yield* Effect.forEach(
      views,
      ([name, path, selector]) =>
        Effect.map(
          Effect.replicateEffect(slowLook(chromium, visitor, path, selector), rounds),
          (looks) => ({ name, looks })
        )
    )
    const narrowLooks = yield* Effect.replicateEffect(
      slowLook(chromium, visitor, views[2][1], views[2][2], narrow),
      rounds
    )
    const scrolled = [
      ["course", yield* scrollView(chromium, visitor, views[1][1], views[1][2], seconds)],
      [
        `lesson of ${size.blocks} blocks`,
        yield* scrollView(chromium, visitor, `/lessons/${addresses.long}`, views[2][2], seconds)
      ],
      ["space", yield* scrollView(chromium, visitor, `/community/spaces/${space}`, "[data-row]", seconds)]
    ] as const
    const statement = yield* slowest
    const opening = tokens.flatMap((each) => reads.map((path) => reading(each, path)))
    const class_ = yield* pace(turma, opening, { rate: opening.length / minute, seconds: minute })
    const perView = class_.cpuPerRequest * reads.length
    yield* Console.log(`Slowest statement, ${statement.most.toFixed(1)} ms: ${statement.query}\n`)
    const lessonLooks = looks.flatMap(({ looks, name }) => name === "lesson" ? looks : [])
    const figures = [
      atMost(
        "lesson on a slow phone, ms until it is read, first",
        1000,
        lessonLooks.map(({ first }) => first)
      ),
      atMost("lesson on a slow phone, ms until it is read, again", 1000, lessonLooks.map(({ again }) => again)),
      ...(["first", "again"] as const).map((visit): Figure => ({
        name: `lesson on a slow phone at 1.6 Mbit/s, ms until it is read, ${visit}`,
        is: "at most",
        aim: undefined,
        rounds: narrowLooks.map((look) => look[visit])
      })),
      ...looks.map(({ looks, name }) => atMost(`${name}: layout shift`, 0.001, looks.map(({ shift }) => shift))),
      ...scrolled.flatMap(([name, { frames, reached }]) => [
        { name: `${name}: pixels scrolled`, is: "at least" as const, aim: undefined, rounds: [reached] },
        atMost(`${name}: p50 between frames, ms`, 17, [percentile(frames, 0.5)]),
        atMost(`${name}: p99 between frames, ms`, 34, [percentile(frames, 0.99)])
      ]),
      atMost("search, p99 ms", 50, [percentile(searches, 0.99)]),
      atMost(`outline of ${size.lessons} lessons, p50 ms`, 50, [percentile(outlines, 0.5)]),
      atMost("slowest statement of all views, ms", 50, [statement.most]),
      atMost("reads of the API for a lesson's page", 6, [reads.length]),
      atMost(`${size.students} students open a lesson in ${minute} s: p99 of a read, ms`, 50, [class_.p99]),
      atMost("CPU of the service for one of them, ms", 10, [perView]),
      atMost("share of a core that they take, %", 10, [perView * size.students / minute / 10])
    ]
    yield* Console.log(figureTable(figures.map((figure) => ["learning", judge(figure)] as const)))
    return figures
  }).pipe(Effect.provide(driverLayer({ database, key })))
}, Effect.scoped)

export const learning: Bench = { name: "learning", short: { rounds: 3, seconds: 5 }, figures: measure }

if (import.meta.main) {
  Command.make("bench:learning", {
    rounds: Flag.Int("rounds").pipe(Flag.withDefault(sized(5, 1)), Flag.withDescription("Looks at each view")),
    seconds: Flag.Finite("seconds").pipe(
      Flag.withDefault(sized(10, 0.1)),
      Flag.withDescription("How long each view is scrolled")
    )
  }, measure).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
}
