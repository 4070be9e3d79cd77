import { Effect, Fiber, Redacted, Schedule } from "effect"
import { openActivity } from "../chaos/Activity.ts"
import { activityRules, leftRule } from "../chaos/ActivityRules.ts"
import { settled } from "../chaos/Ledger.ts"
import { outagesOf } from "../chaos/Outages.ts"
import { Pace } from "../chaos/Pace.ts"
import type { Rule } from "../chaos/Rules.ts"
import type { Stand } from "../chaos/Stand.ts"
import { keepWorkers } from "../chaos/Workers.ts"
import { startArguments, startEnvironment } from "../harness/ScriptArguments.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { startApi, startTurma } from "../harness/Turma.ts"
import { Dice } from "../simulation/Dice.ts"
import type { Curve } from "./Curve.ts"
import { mishaps, paceAt } from "./Day.ts"
import type { Sample } from "./Flatness.ts"
import { lookAtConnections, lookAtProcess, lookAtTables } from "./Looks.ts"
import type { TablesAt } from "./Tables.ts"
import { visits } from "./Visits.ts"

export interface SoakOptions {
  readonly days: number
  /** The length of a day. */
  readonly seconds: number
  readonly seed: number
}

/** Milliseconds from an answer to its recorded result, at most. */
const recording = 5000

/** Number of looks at processes on each day. Every ninth also looks at tables, whose rows are counted. */
const looksPerDay = 72

/** The time for which a receiver is broken, as a share of a day. */
const brokenFor = 1 / 24

/** Seconds after which all work must have ended. */
const mostSettling = 180

/** One mail in this many is refused for the moment. */
const refusedMail = 20

const MB = 1024 * 1024

/**
 * Runs the API and two workers through days of a club, with mishaps. One worker is killed once a day and replaced. The
 * API and the other worker live from the first day to the last, and are measured.
 */
export const soak = Effect.fn("soak")(
  function*(made: Stand, { days, seconds, seed }: SoakOptions) {
    const dice = new Dice(seed)
    let mails = 0
    const smtp = yield* startSmtp({ refuse: () => ++mails % refusedMail === 0 ? 451 : undefined })
    const stand = { ...made, env: { ...made.env, ...startEnvironment, SMTP_URL: Redacted.value(smtp.url) } }
    const outages = outagesOf(stand)

    const api = yield* startApi({ env: { ...stand.env, ROLE: "api" }, args: startArguments })
    const activity = yield* openActivity({ stand, api: api.url, dice, withoutRedis: outages.redisIsAway })
    const worker = yield* startTurma({ env: { ...stand.env, ROLE: "worker" }, args: startArguments })
    yield* worker.until("worker is ready")
    const crew = yield* keepWorkers(stand, 1, outages)
    const manning = yield* Effect.forkScoped(crew.run)
    yield* Effect.sleep("50 millis").pipe(Effect.repeat({ until: () => crew.ready().length === 1 }))

    const began = Date.now()
    const today = () => (Date.now() - began) / (seconds * 1000)
    const reading = visits({ api: api.url, clubs: [activity.shop, activity.school], dice: dice.fork() })

    const series = {
      "API, memory": { unit: "MB", samples: [] as Array<Sample> },
      "Worker, memory": { unit: "MB", samples: [] as Array<Sample> },
      "API, open files": { unit: "", samples: [] as Array<Sample> },
      "Worker, open files": { unit: "", samples: [] as Array<Sample> },
      "Connections to PostgreSQL": { unit: "", samples: [] as Array<Sample> },
      "Tables and indexes": { unit: "MB", samples: [] as Array<Sample> }
    }
    const tables: Array<TablesAt> = []
    const note = (name: keyof typeof series, value: number) => series[name].samples.push({ day: today(), value })

    const lookAt = Effect.fnUntraced(function*(name: "API" | "Worker", pid: number) {
      const seen = yield* lookAtProcess(pid)
      if (seen === undefined) return
      note(`${name}, memory`, seen.rss)
      note(`${name}, open files`, seen.descriptors)
    })

    let until = 0
    const look = Effect.gen(function*() {
      yield* lookAt("API", api.pid)
      yield* lookAt("Worker", worker.pid)
      note("Connections to PostgreSQL", yield* lookAtConnections)
      if (until-- > 0) return
      const seen = yield* lookAtTables
      until = 8
      tables.push({ day: today(), tables: seen })
      note("Tables and indexes", seen.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0) / MB)
      // PostgreSQL is away now and then, so a look may fail.
    }).pipe(Effect.timeout("10 seconds"), Effect.ignore)

    const happen = {
      worker: crew.kill(dice),
      redis: outages.redis,
      database: outages.database,
      receivers: Effect.suspend(() =>
        stand.target.breakDown(dice.pick(activity.paths) ?? "", seconds * 1000 * brokenFor)
      )
    }
    const mishap = Effect.fnUntraced(function*(day: number, { hour, what }: (typeof mishaps)[number]) {
      yield* Effect.sleep(Math.max(0, began + (day + hour / 24) * seconds * 1000 - Date.now()))
      yield* happen[what]
    })
    const trouble = Effect.forEach(
      Array.from({ length: days }, (_, day) => mishaps.map((one) => mishap(day, one))).flat(),
      (one) => one,
      { discard: true }
    )

    const life = Effect.all([activity.run, reading.run], { concurrency: "unbounded" })
    const living = yield* Effect.forkScoped(Effect.provideService(life, Pace, () => paceAt(today())))
    const looking = yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(seconds * 1000 / looksPerDay)))
    const troubling = yield* Effect.forkScoped(trouble)
    yield* Effect.sleep(days * seconds * 1000)
    yield* Fiber.await(troubling)
    yield* Fiber.interrupt(looking)
    yield* Effect.sleep("100 millis").pipe(Effect.repeat({ until: activity.isTried }))
    yield* Fiber.interrupt(living)

    yield* stand.target.recover
    yield* activity.recover
    const left = yield* settled(mostSettling)
    yield* activity.readOn
    const ended = yield* Effect.all({ api: api.end(), worker: worker.end() })
    yield* Fiber.interrupt(manning)
    const judged = yield* activity.judge({ kills: crew.kills, outages: outages.ofDatabase, recording })
    const rules: ReadonlyArray<Rule> = [
      ...activityRules(judged),
      leftRule(left),
      ["Nothing that was read was answered with 500", reading.failed],
      ["No process ended by itself", crew.ends],
      [
        "What lived through all days ends cleanly",
        Object.entries(ended).filter(([, { code }]) => code !== 0).map(([name, { code }]) => `${name}: ${code}`)
      ]
    ]
    return {
      judged,
      rules,
      statuses: reading.statuses,
      mails,
      kills: crew.kills.length,
      outages: outages.ofDatabase.length,
      curves: Object.entries(series).map(([name, own]): Curve => ({ name, ...own })),
      tables
    }
  },
  Effect.scoped
)
