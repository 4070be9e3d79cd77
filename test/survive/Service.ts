import { Effect, Redacted } from "effect"
import { startTarget, type Target } from "../chaos/Target.ts"
import { at } from "../harness/App.ts"
import { eventually } from "../harness/Eventually.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { caFile, testCa } from "../harness/Tls.ts"
import { startApi, startTurma } from "../harness/Turma.ts"
import { foundClub } from "./Club.ts"

/** Which events told of which student, of those that were accepted. */
export const toldOf = ({ posts }: Target) => {
  const told = new Map<string, Set<string>>()
  for (const { body, event, status } of posts) {
    if (status !== 200) continue
    const student = String(at(JSON.parse(body), "data", "student", "id"))
    told.set(student, new Set([...told.get(student) ?? [], event]))
  }
  return told
}

/** Students that were told of under more than one id. */
export const toldTwice = (target: Target) =>
  [...toldOf(target)].filter(([, events]) => events.size > 1).map(([student]) => student)

/**
 * An API and a worker of their own on this database, and a club whose endpoint hears of its students at a receiver that
 * accepts everything.
 */
export const startService = Effect.fnUntraced(function*(
  { url, worker: ofWorker = {}, ...more }: {
    readonly url: string
    /** For both processes. */
    readonly env?: Readonly<Record<string, string>>
    /** For the worker alone. */
    readonly worker?: Readonly<Record<string, string>>
  }
) {
  const smtp = yield* startSmtp()
  const ca = testCa()
  const target = yield* startTarget(ca, 1)
  yield* target.accept(() => 0)
  const env = {
    DATABASE_URL: url,
    APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    SMTP_URL: Redacted.value(smtp.url),
    RATE_LIMIT_WRITES: "1000000",
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
    WEBHOOK_ASSEMBLE_DELAY: "50 millis",
    WEBHOOK_EXTRA_CA_FILE: yield* caFile(ca),
    ...more.env
  }
  const api = yield* startApi({ env: { ...env, ROLE: "api" } })
  const startWorker = Effect.gen(function*() {
    const worker = yield* startTurma({ env: { ...env, ROLE: "worker", ...ofWorker } })
    yield* worker.until("worker is ready")
    return worker
  })
  const worker = yield* startWorker
  const club = yield* foundClub(api.url, smtp.received)
  yield* club.listenAt(target, "/hook")
  return {
    target,
    api,
    worker,
    /** One more worker. */
    startWorker,
    club,
    /** Ends when whatever was confirmed has been told of. */
    untilTold: eventually(
      Effect.delay(Effect.sync(() => club.confirmed.filter((id) => !toldOf(target).has(id))), "50 millis"),
      (missing) => missing.length === 0
    )
  }
})
