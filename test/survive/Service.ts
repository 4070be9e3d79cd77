import { Effect, Redacted } from "effect"
import { startTarget, type Target } from "../chaos/Target.ts"
import { at } from "../harness/App.ts"
import { eventually } from "../harness/Eventually.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { caFile, testCa } from "../harness/Tls.ts"
import { startApi, startTurma } from "../harness/Turma.ts"
import { foundClub } from "./Club.ts"

/** The accepted events about each student. */
export const toldOf = ({ posts }: Target) => {
  const told = new Map<string, Set<string>>()
  for (const { body, event, status } of posts) {
    if (status !== 200) continue
    const student = String(at(JSON.parse(body), "data", "student", "id"))
    told.set(student, new Set([...told.get(student) ?? [], event]))
  }
  return told
}

/** Students whose events came under more than one id. */
export const toldTwice = (target: Target) =>
  [...toldOf(target)].filter(([, events]) => events.size > 1).map(([student]) => student)

/** Starts the service with the embedded PostgreSQL in this folder, and a club. `startAgain` starts it after its end. */
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
 * Starts an API and a worker on this database, and a club. Its endpoint gets the events of its students at a receiver
 * that accepts everything.
 */
export const startService = Effect.fnUntraced(function*(
  { args, names = [], program, url, worker: ofWorker = {}, ...more }: {
    readonly url: string
    /** More names in the receiver's certificate, beside its address. */
    readonly names?: ReadonlyArray<string>
    /** Environment of both processes. */
    readonly env?: Readonly<Record<string, string>>
    /** Environment of the worker only. */
    readonly worker?: Readonly<Record<string, string>>
    /** The program that starts both, instead of Node. */
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
    /** Ends once the receiver has the events of all confirmed students. */
    untilTold: eventually(
      Effect.delay(Effect.sync(() => club.confirmed.filter((id) => !toldOf(target).has(id))), "50 millis"),
      (missing) => missing.length === 0
    )
  }
})
