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

/** The whole service with the embedded PostgreSQL in this folder, and a club. `startAgain` is for where it has ended. */
export const startEmbedded = Effect.fnUntraced(function*(folder: string) {
  const smtp = yield* startSmtp()
  const env = {
    APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    DATA_DIR: folder,
    SMTP_URL: Redacted.value(smtp.url),
    RATE_LIMIT_WRITES: "1000000"
  }
  const api = yield* startApi({ env })
  const club = yield* foundClub(api.url, smtp.received)
  return { api, club, startAgain: startApi({ env, port: api.port }) }
})

/**
 * An API and a worker of their own on this database, and a club whose endpoint hears of its students at a receiver that
 * accepts everything.
 */
export const startService = Effect.fnUntraced(function*(
  { args, names = [], program, url, worker: ofWorker = {}, ...more }: {
    readonly url: string
    /** Names that the receiver's certificate has beside its address. */
    readonly names?: ReadonlyArray<string>
    /** For both processes. */
    readonly env?: Readonly<Record<string, string>>
    /** For the worker alone. */
    readonly worker?: Readonly<Record<string, string>>
    /** What both are started by, instead of Node alone. */
    readonly program?: string
    readonly args?: ReadonlyArray<string>
  }
) {
  const smtp = yield* startSmtp()
  const ca = testCa()
  const certificate = () => ca.certificate({ names: ["127.0.0.1", ...names] })
  const target = yield* startTarget({ ...ca, certificate }, 1)
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
  const how = { ...(program !== undefined && { program }), ...(args !== undefined && { args }) }
  const api = yield* startApi({ ...how, env: { ...env, ROLE: "api" } })
  const worker = yield* startTurma({ ...how, env: { ...env, ROLE: "worker", ...ofWorker } })
  yield* worker.until("worker is ready")
  const club = yield* foundClub(api.url, smtp.received)
  yield* club.listenAt(target, "/hook")
  return {
    ca,
    target,
    api,
    worker,
    club,
    /** Ends when whatever was confirmed has been told of. */
    untilTold: eventually(
      Effect.delay(Effect.sync(() => club.confirmed.filter((id) => !toldOf(target).has(id))), "50 millis"),
      (missing) => missing.length === 0
    )
  }
})
